package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.testkit.TextCases;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: policies decide exactly as their papers say. Method: cases worked by hand, and a search
 * over random shapes for a smaller sequence than the prefix policy found.
 */
final class MergePolicyTest {
  @Test
  void thePoliciesOf2014DecideAsWorkedByHand() throws Exception {
    run("decisions.txt");
  }

  @Test
  void policiesOfLevelsDecideAsWorkedByHand() throws Exception {
    run("levels.txt");
  }

  @Test
  void sizeTieredDecidesAsWorkedByHand() throws Exception {
    run("size-tiered.txt");
  }

  @Test
  void binomialDecidesAsWorkedByHand() throws Exception {
    run("binomial.txt");
  }

  private static void run(String cases) throws Exception {
    TextCases.run(MergePolicyTest.class, cases, (name, input) -> PolicyCases.answer(input));
  }

  @Test
  void constantOfThreeMergesSeventeenTimesInThirtyFiveFlushes() {
    List<String> steps = PolicyCases.grow(new ConstantPolicy(3), 35, 1);
    assertEquals(17, steps.stream().filter(step -> step.contains("merge")).count(), "Table 2");
  }

  @Test
  void prefixFindsTheShortestSequenceAtTheOldestEndOfARun() {
    long seed = 20140801;
    SplittableRandom random = new SplittableRandom(seed);
    for (int round = 0; round < 20_000; round++) {
      List<Long> sizes = new ArrayList<>();
      for (int i = random.nextInt(12); i > 0; i--) {
        sizes.add(random.nextLong(0, 130));
      }
      PrefixPolicy policy = new PrefixPolicy(100, 1 + random.nextInt(5));
      String expected = bySearch(sizes, policy);
      IndexShape shape = PolicyCases.shape(sizes);
      assertEquals(
          expected,
          PolicyCases.describe(policy.decide(shape), shape),
          () -> "seed " + seed + ", sizes " + sizes + ", " + policy);
    }
  }

  /** The definition, word for word, over every sequence: oldest first, and the shortest of them. */
  private static String bySearch(List<Long> sizes, PrefixPolicy policy) {
    for (int first = 0; first < sizes.size(); first++) {
      boolean startsRun = first == 0 || sizes.get(first - 1) > policy.maxComponentBytes();
      for (int end = first + 1; startsRun && end <= sizes.size(); end++) {
        List<Long> sequence = sizes.subList(first, end);
        boolean noneAbove = sequence.stream().allMatch(s -> s <= policy.maxComponentBytes());
        long sum = sequence.stream().mapToLong(Long::longValue).sum();
        if (noneAbove
            && (sum > policy.maxComponentBytes() || sequence.size() > policy.maxComponents())) {
          StringBuilder positions = new StringBuilder("merge");
          for (int position = first + 1; position <= end; position++) {
            positions.append(' ').append(position);
          }
          return positions.toString();
        }
      }
    }
    return "wait";
  }

  @Test
  void prefixCountsOnlyWhatItCanMergeAgainstItsLimit() {
    PrefixPolicy policy = new PrefixPolicy(1000, 5);
    assertEquals(12, policy.componentLimit(PolicyCases.shape(List.of())));
    assertEquals(
        3, policy.limitedComponents(PolicyCases.shape(List.of(1001L, 1000L, 5000L, 1L, 0L))));
  }

  @Test
  void limitsAreTwiceWhatAPolicyExpects() {
    IndexShape empty = PolicyCases.shape(List.of());
    assertEquals(6, new ConstantPolicy(3).componentLimit(empty));
    assertEquals(MergePolicy.UNLIMITED, new NoMergePolicy().componentLimit(empty));
    assertEquals(Integer.MAX_VALUE, new PrefixPolicy(1, Integer.MAX_VALUE).componentLimit(empty));
  }

  @Test
  void withAGuardTheLimitGrowsWithTheLevelsBetweenAFlushAndM() {
    MergePolicy policy = new PrefixPolicy(1000, 5, Optional.of(1.2));
    List<Long> large = List.of(300L, 200L, 200L, 200L);
    assertEquals(12, policy.componentLimit(PolicyCases.shape(large)), "six flushes are above M");
    List<Long> small = List.of(300L, 50L, 50L, 50L);
    assertEquals(24, policy.componentLimit(PolicyCases.shape(small)));
    List<Long> tiny = List.of(300L, 5L, 5L, 5L);
    assertEquals(36, policy.componentLimit(PolicyCases.shape(tiny)));
  }

  @Test
  void aMergeIsAlwaysDueBelowTheLimitSoWritersNeverWaitForNothing() {
    for (MergePolicy policy : List.of(new ConstantPolicy(2), new PrefixPolicy(1000, 1))) {
      List<Long> sizes = new ArrayList<>();
      while (policy.limitedComponents(PolicyCases.shape(sizes))
          < policy.componentLimit(PolicyCases.shape(sizes))) {
        sizes.add(1L);
      }
      MergeDecision decision = policy.decide(PolicyCases.shape(sizes));
      assertTrue(decision instanceof MergeDecision.Merge, policy.describe());
    }
  }
}
