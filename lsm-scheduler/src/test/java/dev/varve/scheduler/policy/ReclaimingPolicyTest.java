package dev.varve.scheduler.policy;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.Observation;
import dev.varve.common.merge.Observation.Writes;
import dev.varve.common.merge.PartitionedDecision;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.PartitionedShape.Level;
import dev.varve.common.merge.RangedComponent;
import dev.varve.common.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: deletions are worth a merge when they stand for enough of what it rewrites, each pays once,
 * and without any the policies decide as ever. Method: examples, and seeded shapes.
 */
final class ReclaimingPolicyTest {
  private static final Observation REST = new Observation(Writes.REST, 1, 0);

  private static final List<String> POLICIES =
      List.of(
          "constant(3)",
          "prefix(2000, 4)",
          "prefix(2000, 4, 1.2)",
          "tiering(3)",
          "tiering(3, 100) limit local",
          "leveling(4)",
          "leveling(4, 100, fixed)",
          "size-tiered(1.2, 2, 10)",
          "size-bounded(1.2, 2, 10, 3000)",
          "binomial(3)",
          "blsm(4)",
          "correlated(tiering(3))",
          "none reclaim 0.5");

  /** Entries, how many are antimatter and how many supersede older ones; oldest first. */
  private static IndexShape shape(String text) {
    List<ComponentStats> components = new ArrayList<>();
    for (String word : text.split(" ")) {
      String[] parts = word.split("/");
      long entries = Long.parseLong(parts[0]);
      ComponentId id = new ComponentId(components.size() + 1L, components.size() + 1L);
      long antimatter = parts.length > 1 ? Long.parseLong(parts[1]) : 0;
      long superseding = parts.length > 2 ? Long.parseLong(parts[2]) : 0;
      components.add(new ComponentStats(id, 100 * entries, entries, antimatter, superseding, -1));
    }
    return new IndexShape(components, List.of(), OptionalInt.empty(), Observation.NONE);
  }

  private static int inputs(String policy, IndexShape shape) {
    MergePolicy reclaiming = ReclaimingPolicy.of(PolicyText.parse(policy));
    if (!(reclaiming.decide(shape) instanceof MergeDecision.Merge merge)) {
      return 0;
    }
    assertEquals(1, merge.inputs().get(0).first(), "from the oldest on");
    return merge.inputs().size();
  }

  @Test
  void aWeightStaysOutsideAndChangesNothingElse() {
    MergePolicy weighted = ReclaimingPolicy.of(PolicyText.parse("constant(3) weight 7"));
    assertEquals(7, weighted.weight());
    assertEquals("constant(3) weight 7", weighted.describe());
    assertEquals(new ConstantPolicy(3), ReclaimingPolicy.without(weighted));
    assertEquals(Reclaim.DEFAULT, ReclaimingPolicy.reclaimOf(weighted));
    assertEquals(weighted, ReclaimingPolicy.of(weighted));
    MergePolicy levels =
        LevelsByKeyPolicy.scaled(
            PolicyText.parse("partitioned-leveling(4, 1m, 64k, 2) weight 7"), 0.5);
    assertEquals(7, levels.weight());
    assertEquals(32 << 10, levels.partitioned().orElseThrow().componentBytes());
  }

  @Test
  void deletionsAreWorthAMergeWhenTheyStandForHalfOfWhatItRewrites() {
    assertEquals(0, inputs("constant(9)", shape("1000 499/499")));
    assertEquals(2, inputs("constant(9)", shape("1000 500/500")));
    assertEquals(0, inputs("constant(9) reclaim none", shape("1000 1000/1000")));
    assertEquals(2, inputs("constant(9) reclaim 0.01", shape("1000 10/10")));
    assertEquals(1, inputs("constant(9)", shape("1000/500 400")));
  }

  @Test
  void aFifthOfThatIsEnoughWhileNothingIsWritten() {
    assertEquals(0, inputs("constant(9)", shape("1000 99/99").seen(REST)));
    assertEquals(2, inputs("constant(9)", shape("1000 100/100").seen(REST)));
    assertEquals(
        2, inputs("constant(9)", shape("1000 5/5").seen(new Observation(Writes.REST, 20, 0))));
  }

  @Test
  void aMergeTakesAllDeletionsThatAreWorthItAndNothingNewer() {
    assertEquals(3, inputs("constant(9)", shape("1000 300/300 300/300 50")));
    assertEquals(2, inputs("constant(9)", shape("1000 500/500 5000 100/100")));
  }

  @Test
  void aBoundOnSpaceMakesSupersededEntriesWorthAMerge() {
    assertEquals(0, inputs("constant(9)", shape("1000 9000/0/9000")));
    assertEquals(0, inputs("constant(9) space 1.5", shape("1000 499/0/499")));
    assertEquals(2, inputs("constant(9) space 1.5", shape("1000 500/0/500")));
    assertEquals(0, inputs("constant(9) space 2", shape("1000 999/0/999")));
    assertEquals(2, inputs("constant(9) space 2", shape("1000 1000/0/1000")));
    assertEquals(0, inputs("constant(9) space 1.5", shape("1000 5000/0/100")));
    assertEquals(2, inputs("constant(9) space 1.5", shape("1000 600/0/600 5000")));
  }

  @Test
  void deletionsCountForTheBoundOnSpaceAsWell() {
    assertEquals(0, inputs("constant(9) space 1.5", shape("1000 300/300/0")));
    assertEquals(2, inputs("constant(9) space 1.5", shape("1000 334/334/0")));
    assertEquals(3, inputs("constant(9) space 1.5", shape("1000 300/0/300 200/200/0")));
    assertEquals(0, inputs("constant(9) reclaim none space 9", shape("1000 600/600/0")));
  }

  @Test
  void halfOfWhatTheBoundLeavesIsEnoughWhileNothingIsWritten() {
    assertEquals(0, inputs("constant(9) space 1.5", shape("1000 199/0/199").seen(REST)));
    assertEquals(2, inputs("constant(9) space 1.5", shape("1000 200/0/200").seen(REST)));
    assertEquals(0, inputs("constant(9)", shape("1000 900/0/900").seen(REST)));
  }

  @Test
  void whileWritesGoOnNothingBeginsHalfWayToTheLimit() {
    assertEquals(3, inputs("constant(9) limit 6", shape("1000 300/300 300/300")));
    assertEquals(0, inputs("constant(9) limit 5", shape("1000 300/300 300/300")));
    assertEquals(3, inputs("constant(9) limit 5", shape("1000 300/300 300/300").seen(REST)));
  }

  @Test
  void nothingBeginsBesideAMerge() {
    IndexShape still = shape("1000 1000/1000 10");
    IndexShape merging = new IndexShape(still.components(), List.of(new ComponentId(3, 3)));
    assertEquals(2, inputs("constant(9)", still));
    assertEquals(0, inputs("constant(9)", merging));
  }

  @Test
  void deletionsInMemoryWantAFlushWhenAMergeWouldBeWorthItThen() {
    Reclaim reclaim = Reclaim.DEFAULT;
    assertTrue(reclaim.wantsFlush(shape("1000").seen(REST), 100));
    assertTrue(!reclaim.wantsFlush(shape("1000").seen(REST), 99));
    assertTrue(reclaim.wantsFlush(shape("1000 60/60").seen(REST), 40));
    assertTrue(!reclaim.wantsFlush(shape("1000 100/100").seen(REST), 0));
    assertTrue(!reclaim.wantsFlush(shape("0").seen(REST), 100));
    assertTrue(!Reclaim.NEVER.wantsFlush(shape("1000").seen(REST), 1000));
  }

  /**
   * The number of the first component of the run that so many searches have paid for, 0 for none.
   */
  private static long searched(String policy, String shape, long searches) {
    MergePolicy reclaiming = ReclaimingPolicy.of(PolicyText.parse(policy));
    Observation seen = Observation.NONE.searched(searches);
    if (!(reclaiming.decide(shape(shape).seen(seen)) instanceof MergeDecision.Merge merge)) {
      return 0;
    }
    int inputs = merge.inputs().size();
    assertEquals(shape.split(" ").length, merge.inputs().get(inputs - 1).last(), "to the newest");
    return merge.inputs().get(0).first();
  }

  @Test
  void searchesPayForTheMergeThatTheyWouldSpare() {
    assertEquals(0, searched("constant(9)", "1000 1000 1000", 374));
    assertEquals(1, searched("constant(9)", "1000 1000 1000", 375));
    assertEquals(0, searched("constant(9)", "9000 600 400", 249));
    assertEquals(2, searched("constant(9)", "9000 600 400", 250));
    assertEquals(2, searched("constant(9)", "9000 600 400", 1249));
    assertEquals(1, searched("constant(9)", "9000 600 400", 1250));
    assertEquals(0, searched("constant(9)", "1000", 1_000_000));
    assertEquals(0, searched("constant(9) reclaim none", "1000 1000", 1_000_000));
    assertEquals(0, searched("none", "1000 1000", 1_000_000));
    assertEquals(0, searched("constant(9) limit 5", "10 10 10", 1_000_000));
  }

  @Test
  void whatIsObsoleteGoesFirst() {
    IndexShape shape = shape("1000 500/500 10").seen(Observation.NONE.searched(1_000_000));
    assertEquals(2, inputs("constant(9)", shape));
  }

  /** As a policy is asked every thousand searches, and the shape it has left is searched on. */
  @Test
  void noMoreIsRewrittenForSearchesThanTheyHavePaid() throws Exception {
    Seeds.run(
        50,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          List<ComponentStats> components = new ArrayList<>();
          long flushes = 0;
          long searches = 0;
          double paid = 0;
          long rewritten = 0;
          for (int i = 0; i < 300; i++) {
            if (random.nextInt(3) == 0) {
              long entries = 1 + (long) Math.pow(10, 5 * random.nextDouble());
              ComponentId id = new ComponentId(++flushes, flushes);
              components.add(new ComponentStats(id, entries, entries, 0, -1));
              searches = 0;
            }
            searches += 1000;
            paid += 1000.0 * SearchDebt.BYTES_PER_OPENING * Math.max(0, components.size() - 1);
            IndexShape shape = new IndexShape(components, List.of());
            MergeDecision decision =
                SearchDebt.decide(shape.seen(Observation.NONE.searched(searches)));
            if (decision instanceof MergeDecision.Merge merge) {
              int kept = components.size() - merge.inputs().size();
              List<ComponentStats> run = components.subList(kept, components.size());
              long entries = run.stream().mapToLong(ComponentStats::entries).sum();
              ComponentId id = new ComponentId(run.get(0).id().first(), flushes);
              rewritten += entries;
              searches = 0;
              run.clear();
              components.add(new ComponentStats(id, entries, entries, 0, -1));
            }
          }
          assertTrue(rewritten > 0, "nothing merged");
          assertTrue(rewritten <= paid, rewritten + " bytes for " + paid);
        });
  }

  @Test
  void withoutDeletionsEveryPolicyDecidesAsItDoesAlone() throws Exception {
    Seeds.run(
        300,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          List<ComponentStats> components = new ArrayList<>();
          List<ComponentId> merging = new ArrayList<>();
          for (int i = 1 + random.nextInt(12); i > 0; i--) {
            ComponentId id = new ComponentId(components.size() + 1L, components.size() + 1L);
            long entries = 1 + (long) Math.pow(10, 4 * random.nextDouble());
            components.add(new ComponentStats(id, entries, entries, 0, -1));
            if (random.nextInt(8) == 0) {
              merging.add(id);
            }
          }
          for (Observation seen : List.of(Observation.NONE, REST)) {
            IndexShape shape = new IndexShape(components, merging).seen(seen);
            for (String text : POLICIES) {
              MergePolicy alone = ReclaimingPolicy.without(PolicyText.parse(text));
              MergePolicy reclaiming = ReclaimingPolicy.of(PolicyText.parse(text));
              assertEquals(alone.decide(shape), reclaiming.decide(shape), text + " " + shape);
            }
          }
        });
  }

  @Test
  void allDeletionsTogetherHaveRewrittenNoMoreThanTheirNumberOverTheShare() throws Exception {
    Seeds.run(
        20,
        seed -> {
          for (String text : POLICIES) {
            RandomGenerator random = Seeds.random(seed);
            Payment payment = new Payment(ReclaimingPolicy.of(PolicyText.parse(text)));
            for (int i = 0; i < 300; i++) {
              long entries = 1L + random.nextInt(200);
              payment.flush(entries, random.nextInt((int) entries + 1));
              payment.merge(random.nextInt(4) == 0 ? REST : Observation.NONE);
            }
            payment.merge(REST);
            assertTrue(
                payment.rewritten <= payment.deletions / 0.1,
                text + " rewrote " + payment.rewritten + " for " + payment.deletions);
            assertTrue(payment.share() < 0.1, text + " leaves " + payment.components);
          }
        });
  }

  /** An index whose deletions delete nothing, so that all of its matter is rewritten again. */
  private static final class Payment {
    private final MergePolicy policy;
    private final MergePolicy alone;
    private final List<ComponentStats> components = new ArrayList<>();
    private long flushes;
    private long deletions;

    /** By merges for the sake of deletions. */
    private long rewritten;

    Payment(MergePolicy policy) {
      this.policy = policy;
      this.alone = ReclaimingPolicy.without(policy);
    }

    void flush(long entries, long antimatter) {
      flushes++;
      deletions += antimatter;
      components.add(
          new ComponentStats(new ComponentId(flushes, flushes), entries, entries, antimatter, -1));
    }

    void merge(Observation seen) {
      for (int i = 0; i < 1000; i++) {
        IndexShape shape = new IndexShape(components, List.of()).seen(seen);
        if (!(policy.decide(shape) instanceof MergeDecision.Merge merge)) {
          return;
        }
        boolean reclaims = alone.decide(shape) instanceof MergeDecision.Wait;
        int first =
            components.stream().map(ComponentStats::id).toList().indexOf(merge.inputs().get(0));
        List<ComponentStats> run = components.subList(first, first + merge.inputs().size());
        long antimatter = run.stream().mapToLong(ComponentStats::antimatter).sum();
        long matter = run.stream().mapToLong(ComponentStats::entries).sum() - antimatter;
        rewritten += reclaims ? matter : 0;
        ComponentId id =
            new ComponentId(run.get(0).id().first(), run.get(run.size() - 1).id().last());
        long left = first == 0 ? 0 : antimatter;
        run.clear();
        components.add(first, new ComponentStats(id, matter + left, matter + left, left, -1));
      }
      throw new AssertionError("merges go on for ever: " + components);
    }

    double share() {
      long antimatter = components.stream().mapToLong(ComponentStats::antimatter).sum();
      long matter = components.stream().mapToLong(ComponentStats::entries).sum() - antimatter;
      return antimatter == 0 ? 0 : antimatter / (double) matter;
    }
  }

  @Test
  void theShareStandsBehindThePolicyAndIsReadBack() {
    for (String text :
        List.of(
            "tiering(3) reclaim none",
            "tiering(3) limit 30 reclaim 0.25",
            "no-merge reclaim 0.5",
            "correlated(constant(4)) reclaim none",
            "partitioned-leveling(4, 1048576, 65536, 2, best) limit 9 reclaim 0.125")) {
      assertEquals(text, PolicyText.parse(text).describe());
    }
    assertEquals("tiering(3)", PolicyText.parse("tiering:3 reclaim 0.5").describe());
    assertEquals(new NoMergePolicy(), ReclaimingPolicy.of(new NoMergePolicy()));
    for (String wrong :
        List.of(
            "tiering(3) reclaim 0",
            "tiering(3) reclaim 2",
            "tiering(3) reclaim few",
            "tiering(3) reclaim 0.5 reclaim 0.5",
            "tiering(3) reclaim 0.5 limit 7",
            "correlated(constant(4) reclaim none)",
            "reclaim none")) {
      IllegalArgumentException refused =
          assertThrows(IllegalArgumentException.class, () -> PolicyText.parse(wrong), wrong);
      assertTrue(
          String.valueOf(refused.getMessage()).contains("reclaim SHARE"), refused.toString());
    }
  }

  // ---- Levels that are cut by key range

  private static PartitionedPolicy cut(String suffix) {
    return ReclaimingPolicy.of(PolicyText.parse("partitioned-leveling(4, 1m, 64k, 2)" + suffix))
        .partitioned()
        .orElseThrow();
  }

  private static RangedComponent range(int number, String keys, int entries, int antimatter) {
    String[] ends = keys.split("-");
    return new RangedComponent(
        number, 100L * entries, entries, antimatter, new KeyInterval(key(ends[0]), key(ends[1])));
  }

  private static Slice key(String text) {
    return new Slice(new byte[] {Byte.parseByte(text)});
  }

  private static PartitionedShape levels(Observation seen, List<List<RangedComponent>> levels) {
    return new PartitionedShape(
        levels.get(0),
        levels.stream().skip(1).map(each -> new Level(each, Optional.empty())).toList(),
        Set.of(),
        seen);
  }

  @Test
  void theComponentWhoseDeletionsStandForTheMostGoesDownFirst() {
    List<List<RangedComponent>> levels =
        List.of(
            List.of(range(1, "1-9", 10, 1)),
            List.of(range(2, "1-3", 50, 20), range(3, "5-7", 50, 40)),
            List.of(range(4, "1-4", 60, 0), range(5, "5-6", 60, 0), range(6, "7-9", 60, 0)));
    assertEquals(new PartitionedDecision.Wait(), cut("").decide(levels(Observation.NONE, levels)));
    assertEquals(
        new PartitionedDecision.Merge(1, List.of(3L), List.of(5L, 6L)),
        cut("").decide(levels(REST, levels)));
    assertEquals(new PartitionedDecision.Wait(), cut(" reclaim none").decide(levels(REST, levels)));
  }

  @Test
  void flushedDeletionsGoDownTogether() {
    List<List<RangedComponent>> levels =
        List.of(List.of(range(1, "1-9", 50, 50)), List.of(range(2, "1-3", 60, 0)));
    assertEquals(
        new PartitionedDecision.Merge(0, List.of(1L), List.of(2L)),
        cut("").decide(levels(Observation.NONE, levels)));
  }

  @Test
  void aComponentThatMovesToWhereNothingIsLeftLosesItsDeletionsOnTheWay() {
    RangedComponent flushed = range(1, "1-9", 50, 20);
    List<List<RangedComponent>> levels =
        List.of(List.of(flushed, range(2, "20-30", 50, 20)), List.of());
    assertEquals(
        new PartitionedDecision.Merge(0, List.of(1L), List.of()),
        cut("").decide(levels(Observation.NONE, levels)));
    assertEquals(
        new PartitionedDecision.Move(0, 1),
        cut(" reclaim none").decide(levels(Observation.NONE, levels)));
  }

  @Test
  void withoutDeletionsLevelsAreDecidedAsByThePolicyAlone() throws Exception {
    PartitionedPolicy alone = PartitionedPolicyText.parse("partitioned-leveling(4, 20000, 64k, 2)");
    PartitionedPolicy reclaiming =
        ReclaimingPolicy.of(PolicyText.parse(alone.describe())).partitioned().orElseThrow();
    Seeds.run(
        200,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          List<List<RangedComponent>> levels = new ArrayList<>();
          int number = 1;
          for (int level = 0; level < 4; level++) {
            List<RangedComponent> components = new ArrayList<>();
            for (int from = random.nextInt(20); from < 100; from += 10 + random.nextInt(20)) {
              components.add(range(number++, from + "-" + (from + 9), 1 + random.nextInt(200), 0));
            }
            levels.add(level == 0 ? components.subList(0, random.nextInt(3)) : components);
          }
          for (Observation seen : List.of(Observation.NONE, REST)) {
            PartitionedShape shape = levels(seen, levels);
            assertEquals(alone.decide(shape), reclaiming.decide(shape), shape.toString());
          }
        });
  }
}
