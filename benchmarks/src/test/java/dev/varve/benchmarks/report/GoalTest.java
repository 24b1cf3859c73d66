package dev.varve.benchmarks.report;

import static dev.varve.benchmarks.measure.Outcome.Status.PARTLY;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.benchmarks.kv.Phase;
import dev.varve.benchmarks.kv.PhaseOutcome;
import dev.varve.benchmarks.kv.StoreGoals;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Outcome;
import dev.varve.benchmarks.report.Goal.Status;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Goal: goals say what is so. Method: results made by hand. */
final class GoalTest {
  private static final Goal FIVE_TIMES =
      new Goal("load", "main.load", Metric.RATE, 5, "main.load", List.of("slow", "fast"));

  private static Goal.Outcome check(Goal goal, Map<String, Double> rates) {
    return goal.check(Sample.sections(Sample.phase("main.load", rates)));
  }

  @Test
  void theBestOfThePeersIsTheBound() {
    Goal.Outcome met =
        check(FIVE_TIMES, Map.of("varve", 500.0, "slow", 10.0, "fast", 100.0, "faster", 900.0));
    assertEquals(500, met.bound(), 1e-6);
    assertEquals(Status.MET, met.status());
    assertEquals(
        Status.MISSED,
        check(FIVE_TIMES, Map.of("varve", 499.0, "slow", 10.0, "fast", 100.0)).status());
  }

  @Test
  void aMissedGoalSaysWhatTheStoreSpendsMoreOfThanThePeerThatSetsTheBound() {
    Measurement lean = Sample.measurement(100);
    Measurement own = Sample.measurement(90, 3e-6, 928);
    Shortfall shortfall = new Shortfall(Metric.RATE, own, "fast", lean);
    assertEquals("beside fast: read x 8.00 to 0.00, CPU µs/op 3.00 to 1.00", shortfall.line());
    assertEquals(
        "no time or byte of an operation is more than fast's",
        new Shortfall(Metric.RATE, lean, "fast", own).line());
    Measurement unseen = Sample.measurement(90, 2e-9, 0);
    assertEquals(
        "no time or byte of an operation is more than fast's",
        new Shortfall(Metric.RATE, unseen, "fast", Sample.measurement(100, 1e-9, 0)).line(),
        "twice as much, but both are printed as 0.00");
    Goal.Outcome missed = check(FIVE_TIMES, Map.of("varve", 499.0, "slow", 10.0, "fast", 100.0));
    assertTrue(missed.reason().contains("fast"), missed.reason());
    assertEquals("", check(FIVE_TIMES, Map.of("varve", 500.0, "fast", 100.0)).reason());
  }

  @Test
  void oneOfThePeersIsEnough() {
    Goal.Outcome met = check(FIVE_TIMES, Map.of("varve", 50.0, "slow", 10.0));
    assertEquals(50, met.bound(), 1e-6);
    assertEquals(Status.MET, met.status());
  }

  @Test
  void withoutFiguresAGoalIsOpen() {
    assertEquals(Status.OPEN, check(FIVE_TIMES, Map.of("varve", 500.0)).status());
    assertEquals(Status.OPEN, check(FIVE_TIMES, Map.of("fast", 500.0)).status());
    assertEquals(Status.OPEN, FIVE_TIMES.check(Sample.sections()).status());
  }

  @Test
  void aPeerWithFewerRecordsIsNoBound() {
    Map<String, Double> rates = Map.of("varve", 500.0, "slow", 10.0, "fast", 900.0);
    PhaseOutcome phase = Sample.phase("main.load", rates);
    List<Outcome> outcomes =
        phase.outcomes().stream()
            .map(
                outcome ->
                    outcome.store().equals("fast")
                        ? new Outcome(
                            "fast", PARTLY, "1 of 9", outcome.measurement(), outcome.rounds())
                        : outcome)
            .toList();
    List<Section> sections = Sample.sections(new PhaseOutcome(phase.id(), phase.phase(), outcomes));
    assertEquals(50, FIVE_TIMES.check(sections).bound(), 1e-6);
    assertTrue(new PhaseTable(sections.get(0)).ratio().endsWith("50.00 (slow)"));
  }

  @Test
  void whereLessIsBetterTheLeastIsTheBound() {
    Goal bytes =
        new Goal("cpu", "main.load", Metric.SECONDS, 1, "main.load", List.of("slow", "fast"));
    // A rate of 100 takes a hundredth of a second for one operation.
    Goal.Outcome missed = check(bytes, Map.of("varve", 50.0, "slow", 10.0, "fast", 100.0));
    assertEquals(0.01, missed.bound(), 1e-9);
    assertEquals(0.02, missed.found(), 1e-9);
    assertEquals(Status.MISSED, missed.status());
    assertEquals(
        Status.MET, check(bytes, Map.of("varve", 100.0, "slow", 10.0, "fast", 100.0)).status());
  }

  @Test
  void withoutPeersTheFactorIsTheBound() {
    Goal alone = new Goal("load", "main.load", Metric.RATE, 70, "main.load", List.of());
    assertEquals(Status.MET, check(alone, Map.of("varve", 70.0)).status());
    assertEquals(Status.MISSED, check(alone, Map.of("varve", 69.0)).status());
  }

  @Test
  void aLoadOfTenTimesTheSizeIsHeldAgainstTheOne() {
    Goal scale =
        StoreGoals.ALL.stream()
            .filter(goal -> goal.phase().equals("scale.load-10"))
            .findFirst()
            .get();
    Goal.Outcome outcome =
        scale.check(
            Sample.sections(
                Sample.phase("scale.load-1", Map.of("varve", 100.0)),
                Sample.phase("scale.load-10", Map.of("varve", 69.0))));
    assertEquals(70, outcome.bound(), 1e-6);
    assertEquals(Status.MISSED, outcome.status());
  }

  @Test
  void spaceAfterOverwritingIsHeldAgainstTheRecordsThatLive() {
    Goal space =
        StoreGoals.ALL.stream()
            .filter(goal -> goal.metric() == Metric.SPACE)
            .findFirst()
            .orElseThrow();
    assertEquals("main.overwrite", space.phase());
    Measurement once = Sample.measurement(1);
    // 300 operations on 100 records of 116 bytes.
    Measurement measured =
        new Measurement(
            300,
            300 * 116,
            1,
            1,
            0,
            once.latency(),
            new Measurement.Cost(1, 0, 0, 0, 0, 100 * 116 * 2, 1),
            List.of(),
            new Measurement.Found(100, 0, 0));
    PhaseOutcome phase = Sample.phase("main.overwrite", Map.of("varve", 1.0));
    PhaseOutcome outcome =
        new PhaseOutcome(
            phase.id(), phase.phase(), List.of(Outcome.of("varve", List.of(measured))));
    Goal.Outcome missed = space.check(Sample.sections(outcome));
    assertEquals(2, missed.found(), 1e-9);
    assertEquals(1.5, missed.bound(), 1e-9);
    assertEquals(Status.MISSED, missed.status());
  }

  @Test
  void everyGoalNamesPhasesThatExist() {
    List<String> ids = Phase.ALL.stream().map(Phase::id).toList();
    for (Goal goal : StoreGoals.ALL) {
      assertTrue(ids.contains(goal.phase()), goal.toString());
      assertTrue(ids.contains(goal.against()), goal.toString());
    }
    assertEquals(ids.size(), ids.stream().distinct().count());
  }
}
