package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.merge.MergePolicy;
import dev.varve.scheduler.policy.LevelingPolicy.LevelSizes;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** Goal: what a policy prints is read back, and what can't be read says why. Method: examples. */
final class PolicyTextTest {
  @Test
  void whatAPolicyPrintsIsReadBack() {
    for (MergePolicy policy :
        List.of(
            new NoMergePolicy(),
            new ConstantPolicy(3),
            new PrefixPolicy(1073741824, 5),
            new PrefixPolicy(1073741824, 5, Optional.of(1.2)),
            new TieringPolicy(3),
            new TieringPolicy(3, OptionalLong.of(64)),
            new LevelingPolicy(10),
            new LevelingPolicy(10, OptionalLong.of(64), LevelSizes.DYNAMIC),
            new LevelingPolicy(10, OptionalLong.of(64), LevelSizes.FIXED),
            new LevelingPolicy(10, OptionalLong.empty(), LevelSizes.FIXED),
            new SizeTieredPolicy(1.2, 2, 10),
            new SizeTieredPolicy(1.2, 2, 10, OptionalLong.of(1000)),
            new BinomialPolicy(4),
            new BlsmPolicy(10),
            new BlsmPolicy(10, OptionalLong.of(1 << 30)),
            new LimitedPolicy(new SizeTieredPolicy(1.2, 2, 10), 30),
            new LimitedPolicy(new ConstantPolicy(3), MergePolicy.UNLIMITED),
            new WeightedPolicy(new ConstantPolicy(3), 7),
            new WeightedPolicy(
                new ReclaimingPolicy(
                    new LimitedPolicy(new ConstantPolicy(3), 9),
                    new Reclaim(0.25, Double.POSITIVE_INFINITY)),
                1000),
            new ReclaimingPolicy(new TieringPolicy(5), new Reclaim(0.5, 1.5)),
            new ReclaimingPolicy(new TieringPolicy(5), new Reclaim(Double.POSITIVE_INFINITY, 1.5)),
            new WeightedPolicy(
                new ReclaimingPolicy(
                    new LimitedPolicy(new TieringPolicy(5), 9), new Reclaim(0.25, 1.5)),
                2),
            new WeightedPolicy(new CorrelatedPolicy(new ConstantPolicy(3)), 2),
            new LocallyLimitedPolicy(new LevelingPolicy(10)),
            new LevelsByKeyPolicy(
                PartitionedPolicyText.parse(
                    "partitioned-leveling(4, 1m, 64k, 2, best) limit 9")))) {
      assertEquals(policy, PolicyText.parse(policy.describe()), policy.describe());
    }
  }

  @Test
  void spacesDoNotMatter() {
    assertEquals(new PrefixPolicy(1073741824, 5), PolicyText.parse("prefix(1073741824,5)"));
    assertEquals(new ConstantPolicy(3), PolicyText.parse("  constant ( 3 ) "));
    assertEquals(
        new LimitedPolicy(new ConstantPolicy(3), 7), PolicyText.parse(" constant(3)  limit  7 "));
  }

  @Test
  void colonsDoInsteadOfBracketsAndBytesHaveUnits() {
    assertEquals(new NoMergePolicy(), PolicyText.parse("none"));
    assertEquals(new PrefixPolicy(1L << 30, 5), PolicyText.parse("prefix:1g:5"));
    assertEquals(
        new LevelingPolicy(10, OptionalLong.of(64 << 20), LevelSizes.FIXED),
        PolicyText.parse("Leveling:10:64M:fixed"));
    assertEquals(
        new LimitedPolicy(new TieringPolicy(3), 20), PolicyText.parse("tiering:3 limit 20"));
    assertEquals(new PrefixPolicy(3L << 40, 5), PolicyText.parse("prefix(3t, 5)"));
  }

  @Test
  void whatIsWrongIsNamedTogetherWithWhatWouldBeRight() {
    assertRefused("", "name(parameters)");
    assertRefused("prefix(1", "name(parameters)");
    assertRefused("tiering(3) space 1", "a bound on space of 1.0, not above 1");
    assertRefused("tiering(3) space wide", "'space TIMES'");
    assertRefused("tiering(3) space 2 reclaim 0.5", "'space TIMES'");
    assertRefused("tearing(3)", "no policy 'tearing'");
    assertRefused("tiering", "0 parameters");
    assertRefused("tiering(1)", "size ratio 1");
    assertRefused("tiering(101)", "size ratio 101");
    assertRefused("tiering(3, 0)", "flushes of 0 bytes");
    assertRefused("leveling(10, 64m, loose)", "'loose' is not 'fixed'");
    assertRefused("leveling", "0 parameters");
    assertRefused("blsm(1)", "size ratio 1");
    assertRefused("binomial(0)", "not between 1 and 1000");
    assertRefused(
        "size-tiered(0, 1, 0)", "ratio 0.0 is not above 0 and below 1e9; minComponents 1");
    assertRefused("size-tiered(0.9, 2, 2)", "never merges equal components, 2 at a time");
    assertRefused("size-bounded(1.2, 2, 10)", "3 parameters");
    assertRefused("size-bounded(1.2, 2, 10, 0)", "maxMergeBytes 0");
    assertRefused("prefix(99999999t, 5)", "too large");
    assertRefused("constant(3) limit 0", "a limit of 0 components");
    assertRefused("constant(3) limit few", "there is no limit 'few'");
    assertRefused("constant(3) weight 0", "not between 1 and 1000");
    assertRefused("constant(3) weight 1001", "not between 1 and 1000");
    assertRefused("constant(3) weight heavy", "heavy");
    assertRefused("constant(3) weight 2 weight 3", "name(parameters)");
    assertRefused("constant(3) weight 2 limit 3", "name(parameters)");
    assertRefused("constant(3) limit local", "for policies of levels");
    assertRefused("constant(3)limit 4", "name(parameters)");
    assertRefused("no-merge(1)", "1 parameters");
    assertRefused("constant", "0 parameters");
    assertRefused("constant()", "not a number");
    assertRefused("constant(x)", "not a number");
    assertRefused("constant(1)", "at least 2 components");
    assertRefused("prefix(1)", "1 parameters");
    assertRefused("prefix(0, 0)", "maxComponentBytes 0 is below 1; maxComponents 0 is below 1");
    assertRefused("prefix(1, 1, 0)", "ratioGuard 0.0");
    assertRefused("prefix(1, 1, 1e9)", "ratioGuard 1.0E9");
    assertRefused("prefix(1, 1, NaN)", "not a number");
    assertRefused("prefix(1, 1, 1, 1)", "4 parameters");
  }

  @Test
  void levelsByKeyAreNotCorrelated() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> PolicyText.parse("correlated(partitioned-leveling(10))"));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains("cannot be correlated"), message);
  }

  private static void assertRefused(String text, String reason) {
    IllegalArgumentException refused =
        assertThrows(IllegalArgumentException.class, () -> PolicyText.parse(text));
    String message = String.valueOf(refused.getMessage());
    assertTrue(message.contains(reason), message);
    assertTrue(message.contains(PolicyText.SYNTAX), message);
  }
}
