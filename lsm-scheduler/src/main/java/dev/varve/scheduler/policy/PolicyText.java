package dev.varve.scheduler.policy;

import dev.varve.common.merge.MergePolicy;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Policies as options write them down: {@code no-merge}, {@code constant(3)}, {@code
 * prefix(1073741824, 5)}, {@code prefix(1073741824, 5, 1.2)}. What {@link MergePolicy#describe}
 * prints is read back to an equal policy. Stateless.
 */
public final class PolicyText {
  /** What may be written, for help texts and messages. */
  public static final String SYNTAX =
      "no-merge, constant(COMPONENTS) or prefix(MAX_COMPONENT_BYTES, MAX_COMPONENTS[, RATIO_GUARD])";

  private static final Pattern FORM =
      Pattern.compile("\\s*([a-z-]+)\\s*(?:\\(([^()]*)\\))?\\s*", Pattern.DOTALL);

  private PolicyText() {}

  /**
   * Reads a policy.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static MergePolicy parse(String text) {
    Matcher form = FORM.matcher(text);
    if (!form.matches()) {
      throw unreadable(text, "not of the form name(parameters)");
    }
    List<String> parameters =
        form.group(2) == null
            ? List.of()
            : List.of(form.group(2).split(",", -1)).stream().map(String::strip).toList();
    try {
      return build(form.group(1), parameters);
    } catch (NumberFormatException e) {
      throw unreadable(text, "a parameter is not a number (" + e.getMessage() + ")");
    } catch (IllegalArgumentException e) {
      throw unreadable(text, String.valueOf(e.getMessage()));
    }
  }

  private static MergePolicy build(String name, List<String> parameters) {
    switch (name) {
      case "no-merge":
        checkCount(parameters, 0, 0);
        return new NoMergePolicy();
      case "constant":
        checkCount(parameters, 1, 1);
        return new ConstantPolicy(Integer.parseInt(parameters.get(0)));
      case "prefix":
        checkCount(parameters, 2, 3);
        return new PrefixPolicy(
            Long.parseLong(parameters.get(0)),
            Integer.parseInt(parameters.get(1)),
            parameters.size() < 3
                ? Optional.empty()
                : Optional.of(Double.parseDouble(parameters.get(2))));
      default:
        throw new IllegalArgumentException("there is no policy '" + name + "'");
    }
  }

  private static void checkCount(List<String> parameters, int least, int most) {
    if (parameters.size() < least || parameters.size() > most) {
      throw new IllegalArgumentException(parameters.size() + " parameters are not what it takes");
    }
  }

  private static IllegalArgumentException unreadable(String text, String problem) {
    return new IllegalArgumentException(
        "merge policy '" + text + "': " + problem + "; write " + SYNTAX);
  }
}
