package dev.varve.scheduler.policy;

import dev.varve.common.merge.MergePolicy;
import dev.varve.scheduler.policy.LevelingPolicy.LevelSizes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Policies as options write them down: {@code no-merge}, {@code tiering(3)}, {@code leveling(10,
 * 64m)}, {@code prefix(1g, 5)}, {@code size-tiered(1.2, 2, 10) limit 30}. What {@link
 * MergePolicy#describe} prints is read back to an equal policy. Stateless.
 */
public final class PolicyText {
  /** What may be written, one form on a line, for help texts and messages. */
  public static final List<String> FORMS =
      List.of(
          "none",
          "constant(COMPONENTS)",
          "prefix(MAX_COMPONENT_BYTES, MAX_COMPONENTS[, RATIO_GUARD])",
          "tiering(SIZE_RATIO[, FLUSH_BYTES])",
          "leveling(SIZE_RATIO[, FLUSH_BYTES][, fixed])",
          "size-tiered(RATIO, MIN, MAX)",
          "size-bounded(RATIO, MIN, MAX, MAX_MERGE_BYTES)",
          "binomial(COMPONENTS)",
          "blsm(SIZE_RATIO[, FLUSH_BYTES])",
          PartitionedPolicyText.FORM,
          "correlated(POLICY)");

  /** The same on one line. */
  public static final String SYNTAX =
      String.join(" | ", FORMS)
          + ", each with 'limit COMPONENTS', 'limit none' or 'limit local', behind that with"
          + " 'reclaim SHARE' or 'reclaim none', then 'space TIMES', then 'weight WEIGHT'";

  /** A weight at the very end. */
  private static final Pattern WEIGHT =
      Pattern.compile(
          "(?i)(.*\\S)\\s+" + WeightedPolicy.WORD + "\\s+([^()\\s]+)\\s*", Pattern.DOTALL);

  /** A bound on space at the end, behind a share if there is one. */
  private static final Pattern SPACE =
      Pattern.compile(
          "(?i)(.*\\S)\\s+" + ReclaimingPolicy.SPACE_WORD + "\\s+([^()\\s]+)\\s*", Pattern.DOTALL);

  /** A share at the end, behind everything else. */
  private static final Pattern RECLAIM =
      Pattern.compile(
          "(?i)(.*\\S)\\s+" + ReclaimingPolicy.WORD + "\\s+([^()\\s]+)\\s*", Pattern.DOTALL);

  /** The only form with another one inside. */
  private static final Pattern CORRELATED =
      Pattern.compile("(?i)\\s*correlated(?:\\((.*)\\)|:(.*))\\s*", Pattern.DOTALL);

  private PolicyText() {}

  /**
   * Reads a policy.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static MergePolicy parse(String text) {
    Matcher weight = WEIGHT.matcher(text);
    if (!weight.matches()) {
      return unweighted(text);
    }
    MergePolicy policy = unweighted(weight.group(1));
    return understood(text, () -> new WeightedPolicy(policy, Integer.parseInt(weight.group(2))));
  }

  private static MergePolicy unweighted(String text) {
    Matcher space = SPACE.matcher(text);
    boolean bounded = space.matches();
    String before = bounded ? space.group(1) : text;
    Matcher reclaim = RECLAIM.matcher(before);
    boolean shared = reclaim.matches();
    MergePolicy policy = policy(shared ? reclaim.group(1) : before);
    if (!bounded && !shared) {
      return policy;
    }
    return understood(
        text,
        () ->
            new ReclaimingPolicy(
                policy,
                new Reclaim(
                    shared ? share(reclaim.group(2)) : Reclaim.DEFAULT.share(),
                    bounded ? Double.parseDouble(space.group(2)) : Reclaim.DEFAULT.space())));
  }

  private static double share(String text) {
    return text.equalsIgnoreCase("none") ? Reclaim.NEVER.share() : Double.parseDouble(text);
  }

  /** What stands behind a policy, or a message that says what may. */
  private static <T> T understood(String text, Supplier<T> suffix) {
    try {
      return suffix.get();
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(
          "merge policy '" + text + "': " + e.getMessage() + "; write " + SYNTAX, e);
    }
  }

  private static MergePolicy policy(String text) {
    Matcher correlated = CORRELATED.matcher(text);
    if (correlated.matches()) {
      String inner = correlated.group(1) == null ? correlated.group(2) : correlated.group(1);
      if (PartitionedPolicyText.isMeant(inner)) {
        throw new IllegalArgumentException(
            "merge policy '" + text + "': indexes that are cut by key range cannot be correlated");
      }
      return new CorrelatedPolicy(policy(inner));
    }
    if (PartitionedPolicyText.isMeant(text)) {
      return new LevelsByKeyPolicy(PartitionedPolicyText.parse(text));
    }
    return TextForm.read(text, "merge policy", SYNTAX, form -> limited(build(form), form));
  }

  private static MergePolicy build(TextForm form) {
    switch (form.name()) {
      case "none":
      case "no-merge":
        form.checkCount(0, 0);
        return new NoMergePolicy();
      case "constant":
        form.checkCount(1, 1);
        return new ConstantPolicy(form.integer(0));
      case "prefix":
        form.checkCount(2, 3);
        return new PrefixPolicy(
            form.bytes(0),
            form.integer(1),
            form.has(2) ? Optional.of(form.fraction(2)) : Optional.empty());
      case "tiering":
        form.checkCount(1, 2);
        return new TieringPolicy(form.integer(0), form.optionalBytes(1));
      case "leveling":
        form.checkCount(1, 3);
        return leveling(form);
      case "size-tiered":
        form.checkCount(3, 3);
        return sizeTiered(form, OptionalLong.empty());
      case "size-bounded":
        form.checkCount(4, 4);
        return sizeTiered(form, form.optionalBytes(3));
      case "binomial":
        form.checkCount(1, 1);
        return new BinomialPolicy(form.integer(0));
      case "blsm":
        form.checkCount(1, 2);
        return new BlsmPolicy(form.integer(0), form.optionalBytes(1));
      default:
        throw new IllegalArgumentException("there is no policy '" + form.name() + "'");
    }
  }

  private static MergePolicy leveling(TextForm form) {
    int last = form.parameters().size() - 1;
    boolean fixed = form.parameters().get(last).equals("fixed");
    OptionalLong flushBytes =
        last == 0 || (fixed && last == 1) ? OptionalLong.empty() : form.optionalBytes(1);
    if (last == 2 && !fixed) {
      throw new IllegalArgumentException("'" + form.parameters().get(2) + "' is not 'fixed'");
    }
    return new LevelingPolicy(
        form.integer(0), flushBytes, fixed ? LevelSizes.FIXED : LevelSizes.DYNAMIC);
  }

  private static MergePolicy sizeTiered(TextForm form, OptionalLong maxMergeBytes) {
    return new SizeTieredPolicy(form.fraction(0), form.integer(1), form.integer(2), maxMergeBytes);
  }

  private static MergePolicy limited(MergePolicy policy, TextForm form) {
    if (form.limit().isEmpty()) {
      return policy;
    }
    if (form.limit().equals("none")) {
      return new LimitedPolicy(policy, MergePolicy.UNLIMITED);
    }
    if (form.limit().equals("local")) {
      if (policy instanceof LeveledPolicy leveled) {
        return new LocallyLimitedPolicy(leveled);
      }
      throw new IllegalArgumentException("'limit local' is for policies of levels");
    }
    return new LimitedPolicy(policy, form.numericLimit());
  }
}
