package dev.varve.scheduler.policy;

import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.scheduler.policy.PartitionedLevelingPolicy.Concurrency;
import dev.varve.scheduler.policy.PartitionedLevelingPolicy.Flushed;
import dev.varve.scheduler.policy.PartitionedLevelingPolicy.Selection;
import dev.varve.scheduler.policy.PartitionedLevelingPolicy.Sizes;
import dev.varve.scheduler.policy.PartitionedLevelingPolicy.Taking;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Policies for partitioned levels as options write them down: {@code partitioned-leveling(10,
 * 1280m, 64m, 4, best, exact) limit 12}. What {@link PartitionedPolicy#describe} prints is read
 * back to an equal policy. Stateless.
 */
public final class PartitionedPolicyText {
  /** What may be written, for help texts and messages. */
  static final String FORM =
      PartitionedLevelingPolicy.NAME
          + "(SIZE_RATIO[, LEVEL_BYTES[, COMPONENT_BYTES[, MIN]]][, best][, exact][, concurrent])";

  /** The same with what follows it. */
  public static final String SYNTAX = FORM + " with 'limit COMPONENTS' or 'limit none'";

  /** The paper's (section 6.1), but for the memory component of 128 MB that its level 1 fits. */
  private static final long LEVEL_BYTES = 1280L << 20;

  private static final long COMPONENT_BYTES = 64L << 20;
  private static final int LEAST_FLUSHED = 4;

  /** LevelDB's: it merges 4 and stops at 12. */
  private static final int LIMIT_OF_LEAST = 3;

  private PartitionedPolicyText() {}

  /** Whether a text is about a policy of this kind, be it well-formed or not. */
  public static boolean isMeant(String text) {
    return text.strip().toLowerCase(Locale.ROOT).startsWith(PartitionedLevelingPolicy.NAME);
  }

  /**
   * Reads a policy.
   *
   * @throws IllegalArgumentException saying what is wrong and what would be right
   */
  public static PartitionedLevelingPolicy parse(String text) {
    return TextForm.read(text, "merge policy", SYNTAX, PartitionedPolicyText::build);
  }

  private static PartitionedLevelingPolicy build(TextForm form) {
    if (!form.name().equals(PartitionedLevelingPolicy.NAME)) {
      throw new IllegalArgumentException("there is no partitioned policy '" + form.name() + "'");
    }
    List<String> words = new ArrayList<>(form.parameters());
    Selection selection = words.remove("best") ? Selection.BEST : Selection.ROUND_ROBIN;
    Taking taking = words.remove("exact") ? Taking.EXACT : Taking.ALL;
    Concurrency concurrency = words.remove("concurrent") ? Concurrency.MANY : Concurrency.SINGLE;
    TextForm numbers = new TextForm(form.name(), words, form.limit());
    numbers.checkCount(1, 4);
    int least = numbers.has(3) ? numbers.integer(3) : LEAST_FLUSHED;
    return new PartitionedLevelingPolicy(
        numbers.integer(0),
        new Sizes(
            numbers.has(1) ? numbers.bytes(1) : LEVEL_BYTES,
            numbers.has(2) ? numbers.bytes(2) : COMPONENT_BYTES),
        new Flushed(least, taking, limit(form, least)),
        selection,
        concurrency);
  }

  private static int limit(TextForm form, int least) {
    return switch (form.limit()) {
      case "" -> Math.multiplyExact(LIMIT_OF_LEAST, least);
      case "none" -> PartitionedPolicy.UNLIMITED;
      default -> form.numericLimit();
    };
  }
}
