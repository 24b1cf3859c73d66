package dev.varve.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.component.ComponentId;
import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.testkit.Seeds;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.scheduling.SchedulerText;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: the theorems of On Performance Stability in LSM-based Storage Systems hold of the
 * schedulers that the engine uses. Method: seeded random trees in virtual time; the counter-example
 * of theorem 3 as a case.
 */
final class TheoremTest {
  private static final double BUDGET = 100;

  /** Theorem 1: whoever delays writes only makes them late. */
  @Test
  void writingAsQuicklyAsPossibleMakesNoPercentileWorse() throws Exception {
    Seeds.run(
        100,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          // The theorem is about one LSM-tree: its merges may not depend on how fast writes come.
          SimulationOptions any = SimulationTest.randomOptions(random);
          SimulationOptions fast =
              any.withTrees(
                      any.trees().stream()
                          .map(tree -> tree.withPolicy(PolicyText.parse("no-merge")))
                          .toList())
                  .withArrivals(
                      new Arrivals(
                          List.of(
                              new Arrivals.Phase(random.nextDouble(10, 3000), 20),
                              new Arrivals.Phase(random.nextDouble(10, 300), 30))));
          SimulatedNode node = fast.node();
          SimulatedNode slower =
              new SimulatedNode(
                  node.memoryBytes(),
                  node.memoryComponents(),
                  node.budgetBytesPerSecond(),
                  node.recordsPerSecond() * random.nextDouble(0.1, 1),
                  node.writers());
          LatencySummary quick = Simulation.run(fast).writeLatency();
          SimulationResult delayed =
              Simulation.run(
                  new SimulationOptions(
                      slower,
                      fast.trees(),
                      fast.scheduler(),
                      fast.gate(),
                      fast.arrivals(),
                      fast.time()));
          LatencySummary late = delayed.writeLatency();
          assertTrue(quick.writes() >= late.writes() - 1e-3, quick + " " + late);
          if (delayed.queuedRecords() == 0) {
            assertTrue(quick.mean() <= late.mean() + 1e-6, quick + " " + late);
            assertTrue(quick.p50() <= late.p50() + 1e-6, quick + " " + late);
            assertTrue(quick.p99() <= late.p99() + 1e-6, quick + " " + late);
            assertTrue(quick.max() <= late.max() + 1e-6, quick + " " + late);
          }
        });
  }

  /** Theorem 2: of a given set of merges with equally many inputs, greedy has ended the most. */
  @Test
  void greedyHasTheFewestComponentsAtAnyTime() throws Exception {
    List<String> others = List.of("single", "fair", "arrival(2)", "bounded-greedy(2)", "greedy(2)");
    Seeds.run(
        200,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          int fanIn = random.nextInt(2, 5);
          List<Double> sizes = new ArrayList<>();
          for (int i = random.nextInt(2, 9) * fanIn; i > 0; i--) {
            sizes.add(Math.rint(random.nextDouble(1, 500)));
          }
          MergePolicy groups = new GroupsOf(fanIn);
          SimulationResult greedy =
              run(groups, new DistinctKeys(), SchedulerText.parse("greedy"), sizes);
          assertEquals(1, greedy.merges().byInputs().size());
          for (String other : others) {
            SimulationResult result =
                run(groups, new DistinctKeys(), SchedulerText.parse(other), sizes);
            for (int i = 0; i < greedy.windows().size(); i++) {
              assertTrue(
                  greedy.windows().get(i).components()
                      <= result.windows().get(i).components() + 1e-6,
                  other + " has fewer components in window " + i);
            }
          }
        });
  }

  /**
   * Theorem 3: D1, D2, D3 and D4, D5 merge in pairs, D1-2 is as dear as 100 bytes, D4-5 as 60, and
   * D1-3, for D3 deletes most of D1-2, as 10. Whoever ends one merge first, in 60 bytes, needs 160
   * for two; whoever ends two first, in 110, needs 100 for one.
   */
  @Test
  void noSchedulerHasTheFewestComponentsAtAnyTimeOnceMergesMakeMerges() {
    List<Double> codes = List.of(1.0, 2.0, 4.0, 8.0, 16.0);
    KeyModel sizes = new Coded(Map.of(1, 60, 2, 60, 3, 100, 4, 30, 7, 10, 8, 30, 16, 30, 24, 60));
    SimulationResult greedy =
        run(new PairsOfTwoLevels(), sizes, SchedulerText.parse("greedy"), codes);
    SimulationResult oldest = run(new PairsOfTwoLevels(), sizes, new OldestFirst(), codes);
    assertEquals(4, at(greedy, 0.8));
    assertEquals(5, at(oldest, 0.8));
    assertEquals(4, at(greedy, 1.2));
    assertEquals(3, at(oldest, 1.2));
  }

  private static double at(SimulationResult result, double seconds) {
    return result.windows().get((int) Math.round(seconds * 10)).components();
  }

  private static SimulationResult run(
      MergePolicy policy, KeyModel keys, MergeScheduler scheduler, List<Double> updates) {
    SimulatedTree tree = new SimulatedTree("tree", 0, 1, keys, policy);
    SimulationOptions options =
        new SimulationOptions(
            new SimulatedNode(1, 2, (long) BUDGET, 1, 1),
            List.of(tree),
            scheduler,
            WriteGates.STOP,
            Arrivals.constant(0),
            new SimulationOptions.Time(30, 0, 0.1));
    return Simulation.run(
        options, trees -> updates.forEach(count -> trees.get(0).flushed(0, count)));
  }

  /** Every so many flushes are merged, once. */
  private record GroupsOf(int inputs) implements MergePolicy {
    @Override
    public MergeDecision decide(IndexShape shape) {
      List<ComponentId> group = new ArrayList<>();
      for (var component : shape.components()) {
        if (component.id().first() != component.id().last()
            || shape.merging().contains(component.id())) {
          continue;
        }
        group.add(component.id());
        if (group.size() == inputs) {
          return new MergeDecision.Merge(group);
        }
      }
      return new MergeDecision.Wait();
    }

    @Override
    public String describe() {
      return "groups";
    }
  }

  /** Components 1 to 3 are a level and 4 and 5 are one: two of a level merge. */
  private record PairsOfTwoLevels() implements MergePolicy {
    @Override
    public MergeDecision decide(IndexShape shape) {
      List<ComponentId> ids = shape.components().stream().map(stats -> stats.id()).toList();
      for (int i = 0; i + 1 < ids.size(); i++) {
        ComponentId older = ids.get(i);
        ComponentId newer = ids.get(i + 1);
        boolean sameLevel = (older.first() <= 3) == (newer.first() <= 3);
        boolean due = older.first() == 1 || older.first() == 4;
        if (sameLevel
            && due
            && !shape.merging().contains(older)
            && !shape.merging().contains(newer)) {
          return new MergeDecision.Merge(List.of(older, newer));
        }
      }
      return new MergeDecision.Wait();
    }

    @Override
    public String describe() {
      return "pairs";
    }
  }

  /** The scheduler S' of the proof: first what has to do with the oldest components. */
  private record OldestFirst() implements MergeScheduler {
    @Override
    public MergeAllocation allocate(List<MergeProgress> merges) {
      // M1-2 arrives first, M4-5 second, M1-3 third.
      return MergeAllocation.equal(
          List.of(
              merges.stream()
                  .max(Comparator.comparingInt(merge -> merge.number() == 2 ? 0 : 1))
                  .orElseThrow()));
    }

    @Override
    public String describe() {
      return "oldest first";
    }
  }

  /** Sizes by what was merged: updates are bits. */
  private record Coded(Map<Integer, Integer> sizes) implements KeyModel {
    @Override
    public double entries(double loaded, double updates) {
      Integer size = sizes.get((int) Math.round(updates));
      return size == null ? updates : size;
    }

    @Override
    public String describe() {
      return "coded";
    }
  }
}
