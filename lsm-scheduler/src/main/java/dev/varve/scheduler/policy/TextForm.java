package dev.varve.scheduler.policy;

import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How policies and schedulers are written: {@code name(parameter, parameter)}, or {@code
 * name:parameter:parameter} where brackets would have to be quoted, and for a policy a limit after
 * it. Immutable.
 *
 * @param name what it is called
 * @param parameters as they stand there, without spaces around
 * @param limit what follows the word {@code limit}; empty for nothing
 */
public record TextForm(String name, List<String> parameters, String limit) {
  private static final Pattern FORM =
      Pattern.compile(
          "\\s*([a-z-]+)\\s*(?:\\(([^()]*)\\)|:([^()\\s]*))?\\s*(?:\\s+limit\\s+(\\S+)\\s*)?",
          Pattern.DOTALL);

  /** Copies the list. */
  public TextForm {
    parameters = List.copyOf(parameters);
  }

  /**
   * Takes a text apart.
   *
   * @throws IllegalArgumentException when it is not of the form
   */
  public static TextForm parse(String text) {
    Matcher form = FORM.matcher(text.toLowerCase(Locale.ROOT));
    if (!form.matches()) {
      throw new IllegalArgumentException("not of the form name(parameters)");
    }
    List<String> parameters = List.of();
    if (form.group(2) != null) {
      parameters = List.of(form.group(2).split(",", -1));
    } else if (form.group(3) != null) {
      parameters = List.of(form.group(3).split(":", -1));
    }
    return new TextForm(
        form.group(1),
        parameters.stream().map(String::strip).toList(),
        form.group(4) == null ? "" : form.group(4));
  }

  /**
   * Reads what a text describes.
   *
   * @param kind what the text should describe, for the message
   * @param syntax what may be written, for the message
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static <T> T read(
      String text, String kind, String syntax, Function<TextForm, ? extends T> build) {
    try {
      return build.apply(parse(text));
    } catch (NumberFormatException e) {
      throw unreadable(text, kind, syntax, "a parameter is not a number (" + e.getMessage() + ")");
    } catch (IllegalArgumentException e) {
      throw unreadable(text, kind, syntax, String.valueOf(e.getMessage()));
    }
  }

  private static IllegalArgumentException unreadable(
      String text, String kind, String syntax, String problem) {
    return new IllegalArgumentException(kind + " '" + text + "': " + problem + "; write " + syntax);
  }

  /** Refuses a limit, which only policies have. */
  public TextForm withoutLimit() {
    if (!limit.isEmpty()) {
      throw new IllegalArgumentException("limits belong to policies");
    }
    return this;
  }

  /** Checks the number of parameters. */
  public void checkCount(int least, int most) {
    if (parameters.size() < least || parameters.size() > most) {
      throw new IllegalArgumentException(parameters.size() + " parameters are not what it takes");
    }
  }

  /** Whether there is a parameter at this position. */
  public boolean has(int position) {
    return position < parameters.size();
  }

  /** A parameter as a number. */
  public int integer(int position) {
    return Integer.parseInt(parameters.get(position));
  }

  /** A parameter as a number with a fraction. */
  public double fraction(int position) {
    return Double.parseDouble(parameters.get(position));
  }

  /** A parameter as a number of bytes: {@code 4096}, {@code 512k}, {@code 64m}, {@code 2g}. */
  public long bytes(int position) {
    String digits = parameters.get(position);
    int shift =
        digits.isEmpty() ? 0 : 10 * (1 + "kmgt".indexOf(digits.charAt(digits.length() - 1)));
    long number = Long.parseLong(shift > 0 ? digits.substring(0, digits.length() - 1) : digits);
    if (Math.abs(number) > Long.MAX_VALUE >> shift) {
      throw new NumberFormatException("'" + digits + "' is too large");
    }
    return number << shift;
  }

  /** A number of bytes, if there is a parameter at this position. */
  public OptionalLong optionalBytes(int position) {
    return has(position) ? OptionalLong.of(bytes(position)) : OptionalLong.empty();
  }

  /** The limit as a number of components. */
  int numericLimit() {
    if (!limit.matches("[0-9]{1,9}")) {
      throw new IllegalArgumentException("there is no limit '" + limit + "'");
    }
    return Integer.parseInt(limit);
  }
}
