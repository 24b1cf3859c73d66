package dev.varve.simulator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergeDecision;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.testkit.Seeds;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.scheduling.SchedulerText;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever is simulated, nothing is lost, time goes forward, and every wait has its cause.
 * Method: seeded random nodes, and the books of each run checked against each other.
 */
final class SimulationTest {
  private static final List<String> POLICIES =
      List.of(
          "no-merge",
          "constant(2)",
          "constant(4)",
          "prefix(2000000, 3)",
          "prefix(500000, 5)",
          "tiering(3)",
          "tiering(2) limit local",
          "leveling(4)",
          "leveling(3) limit local",
          "binomial(4)",
          "size-tiered(1.2, 2, 10)",
          "partitioned-leveling(4, 1000000, 100000, 2)",
          "partitioned-leveling(3, 500000, 50000, 3, best, exact)",
          "partitioned-leveling(10, 1000000, 300000, 2, concurrent)");

  private static final List<String> SCHEDULERS =
      List.of("single", "fair", "greedy", "greedy(2)", "bounded-greedy(3)");

  static SimulationOptions randomOptions(RandomGenerator random) {
    long keys = random.nextLong(1000, 100_000);
    List<KeyModel> models =
        List.of(
            new UniformKeys(keys),
            new ZipfKeys(keys, random.nextDouble(0.3, 1.3)),
            new DistinctKeys());
    double speed = random.nextDouble(500, 5000);
    List<Arrivals> arrivals =
        List.of(
            Arrivals.closed(),
            Arrivals.constant(speed * random.nextDouble(0.05, 1.5)),
            new Arrivals(
                List.of(
                    new Arrivals.Phase(speed * 0.1, random.nextDouble(5, 50)),
                    new Arrivals.Phase(speed * 1.2, random.nextDouble(5, 20)),
                    new Arrivals.Phase(0, random.nextDouble(1, 20)))));
    int trees = random.nextInt(1, 4);
    return new SimulationOptions(
        new SimulatedNode(
            random.nextLong(100_000, 500_000),
            random.nextInt(1, 4),
            random.nextLong(100_000, 1_000_000),
            speed,
            random.nextInt(1, 9)),
        java.util.stream.IntStream.range(0, trees)
            .mapToObj(
                tree ->
                    new SimulatedTree(
                        "tree" + tree,
                        random.nextLong(0, keys),
                        random.nextInt(100, 200),
                        models.get(random.nextInt(models.size())),
                        TreeStructure.parse(POLICIES.get(random.nextInt(POLICIES.size())))))
            .toList(),
        SchedulerText.parse(SCHEDULERS.get(random.nextInt(SCHEDULERS.size()))),
        WriteGates.STOP,
        arrivals.get(random.nextInt(arrivals.size())),
        new SimulationOptions.Time(random.nextDouble(50, 300), random.nextDouble(0, 20), 7));
  }

  private static SimulationResult queue(String policy) {
    return Simulation.run(
        new SimulationOptions(
            new SimulatedNode(500_000, 2, 2_000_000, 10_000, 1),
            List.of(
                new SimulatedTree(
                    "queue", 100_000, 100, new QueueKeys(100_000), TreeStructure.parse(policy))),
            SchedulerText.parse("fair"),
            WriteGates.STOP,
            Arrivals.constant(1000),
            new SimulationOptions.Time(2000, 0, 10)));
  }

  /** Twenty times all that is in the queue goes through it. */
  @Test
  void whatIsDeletedTakesSpaceUntilItIsReclaimed() {
    for (String policy : List.of("prefix(2000000, 5)", "tiering(3)", "leveling(10)")) {
      SimulationResult reclaimed = queue(policy);
      SimulationResult left = queue(policy + " reclaim none");
      double live = reclaimed.space().liveBytes();
      assertEquals(10_000_000, live, 1e6);
      assertTrue(reclaimed.space().endBytes() <= 3 * live, policy + " " + reclaimed.space());
      assertTrue(reclaimed.stalls().seconds() <= left.stalls().seconds(), policy);
      // Each deletion rewrites two entries at most, beside what the policy would.
      double more = reclaimed.io().mergedBytes() - left.io().mergedBytes();
      assertTrue(more <= 2 * reclaimed.takenRecords() * 100, policy + " merged more by " + more);
    }
    assertTrue(queue("prefix(2000000, 5) reclaim none").space().endBytes() > 2e8);
  }

  @Test
  void theBooksOfEveryRunBalance() throws Exception {
    Seeds.run(
        120,
        seed -> {
          SimulationOptions options = randomOptions(Seeds.random(seed));
          check(options, Simulation.run(options));
        });
  }

  static void check(SimulationOptions options, SimulationResult result) {
    assertEquals(
        arrived(options), result.takenRecords() + result.queuedRecords(), arrivedSlack(options));
    double windowSum = 0;
    double stalled = 0;
    double last = 0;
    for (SimulationResult.Window window : result.windows()) {
      double length = window.endSeconds() - last;
      assertTrue(length > 0, "time goes forward at " + last);
      assertTrue(window.stalledSeconds() <= length + 1e-6);
      windowSum += window.recordsPerSecond() * length;
      stalled += window.stalledSeconds();
      last = window.endSeconds();
    }
    assertEquals(options.time().seconds(), last, 1e-9);
    assertEquals(result.takenRecords(), windowSum, 1e-6 * (1 + windowSum));
    assertEquals(result.stalls().seconds(), stalled, 1e-6);
    double causes =
        result.stalls().secondsByCause().values().stream().mapToDouble(Double::doubleValue).sum();
    assertEquals(result.stalls().seconds(), causes, 1e-6 * (1 + result.stalls().count()));
    assertTrue(result.stalls().longestSeconds() <= result.stalls().seconds() + 1e-6);
    assertTrue(result.io().busyPart() <= 1 + 1e-9, "more was written than the budget allows");
    assertTrue(result.space().peakBytes() >= result.space().endBytes() - 1);
    assertTrue(result.writeLatency().p50() <= result.writeLatency().p99());
    assertTrue(result.writeLatency().p99() <= result.writeLatency().max());
    if (!options.arrivals().isClosed()) {
      assertEquals(result.takenRecords(), result.writeLatency().writes(), 1e-6 * (1 + windowSum));
      assertTrue(result.writeLatency().mean() >= options.node().serviceSeconds() - 1e-9);
    }
  }

  private static double arrivedSlack(SimulationOptions options) {
    return options.arrivals().isClosed() ? Double.MAX_VALUE : 1e-6 * (1 + arrived(options));
  }

  private static double arrived(SimulationOptions options) {
    if (options.arrivals().isClosed()) {
      return 0;
    }
    double sum = 0;
    double at = 0;
    int phase = 0;
    while (at < options.time().seconds()) {
      Arrivals.Phase next =
          options.arrivals().phases().get(phase++ % options.arrivals().phases().size());
      double length = Math.min(next.seconds(), options.time().seconds() - at);
      sum += length * next.recordsPerSecond();
      at += length;
    }
    return sum;
  }

  /** What comes in is in memory, on disk, or was replaced; distinct keys are never replaced. */
  @Test
  void everyByteTakenIsFlushedOrInMemory() throws Exception {
    Seeds.run(
        100,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          SimulationOptions any = randomOptions(random);
          SimulationOptions options =
              any.withTrees(
                  List.of(
                      new SimulatedTree(
                          "tree",
                          0,
                          100,
                          new DistinctKeys(),
                          TreeStructure.parse(POLICIES.get(random.nextInt(POLICIES.size()))))));
          SimulationResult result = Simulation.run(options);
          double taken = result.takenRecords() * 100;
          double unflushed = taken - result.space().endBytes();
          double memory = options.node().memoryBytes() * (double) options.node().memoryComponents();
          // Each component is rounded to whole entries; partitioned ones have 50,000 bytes and
          // more.
          double slack =
              100
                  * (2
                      + result.io().flushedBytes() / options.node().memoryBytes()
                      + result.space().endBytes() / 50_000);
          assertTrue(
              unflushed >= -slack && unflushed <= memory + slack, taken + " " + result.space());
          assertEquals(result.space().liveBytes(), result.space().endBytes(), slack);
          assertTrue(result.io().flushedBytes() >= result.space().endBytes() - slack);
        });
  }

  @Test
  void equalOptionsGiveEqualResults() throws Exception {
    Seeds.run(
        20,
        seed ->
            assertEquals(
                Simulation.run(randomOptions(Seeds.random(seed))),
                Simulation.run(randomOptions(Seeds.random(seed)))));
  }

  /** With merges this need not hold: a policy may decide worse when components come faster. */
  @Test
  void withoutMergesAClosedSystemTakesAtLeastWhatAnOpenOneTakes() throws Exception {
    Seeds.run(
        50,
        seed -> {
          SimulationOptions any = randomOptions(Seeds.random(seed));
          SimulationOptions options =
              any.withTrees(
                  any.trees().stream()
                      .map(tree -> tree.withPolicy(PolicyText.parse("no-merge")))
                      .toList());
          double closed = Simulation.run(options.withArrivals(Arrivals.closed())).takenRecords();
          double open = Simulation.run(options).takenRecords();
          assertTrue(closed >= open * (1 - 1e-9), closed + " " + open);
        });
  }

  @Test
  void runningPhaseGetsItsPartOfWhatTheTestingPhaseMeasured() {
    SimulationOptions options = randomOptions(Seeds.random(3)).withArrivals(Arrivals.closed());
    TwoPhaseEvaluation.Result result = new TwoPhaseEvaluation(options, options, 0.5).run();
    assertEquals("closed", result.testing().setting().arrivals());
    assertEquals(
        Arrivals.constant(result.maximum() / 2).describe(), result.running().setting().arrivals());
    assertThrows(
        IllegalArgumentException.class, () -> new TwoPhaseEvaluation(options, options, 1.5));
  }

  /**
   * Merges of equal size that share the budget ended all at once in the simulation: the policy was
   * asked when nothing merged any more, and components were few until writers had filled up again.
   * In the engine one of them writes its last batch first, and the flush that waits for it comes
   * before the last batches of the others.
   */
  @Test
  void mergesThatAreToEndInTheSameMomentEndOneByOneWithWaitingFlushesBetween() {
    int limit = 8;
    List<IndexShape> shapes = new ArrayList<>();
    SimulationOptions options =
        new SimulationOptions(
            new SimulatedNode(1000, 2, 100, 1000, 1),
            List.of(
                new SimulatedTree(
                    "tree", 0, 1, new DistinctKeys(), new PairsOfFlushes(limit, shapes))),
            SchedulerText.parse("fair"),
            WriteGates.STOP,
            Arrivals.closed(),
            new SimulationOptions.Time(300, 0, 10));
    Simulation.run(options);

    List<Integer> counts = shapes.stream().map(shape -> shape.components().size()).toList();
    List<Integer> since = counts.subList(counts.indexOf(limit), counts.size());
    assertEquals(limit - 1, since.stream().min(Integer::compare).orElseThrow(), since::toString);
    long ended = since.stream().filter(count -> count == limit - 1).count();
    assertTrue(ended >= 4, since::toString);
  }

  /** Two flushed components beside each other are merged, once; every question is kept. */
  private record PairsOfFlushes(int limit, List<IndexShape> shapes) implements MergePolicy {
    @Override
    public MergeDecision decide(IndexShape shape) {
      shapes.add(shape);
      List<ComponentId> flushed =
          shape.components().stream()
              .map(ComponentStats::id)
              .filter(id -> id.first() == id.last() && !shape.merging().contains(id))
              .toList();
      return flushed.size() < 2
          ? new MergeDecision.Wait()
          : new MergeDecision.Merge(flushed.subList(0, 2));
    }

    @Override
    public int componentLimit(IndexShape shape) {
      return limit;
    }

    @Override
    public String describe() {
      return "pairs of flushes";
    }
  }
}
