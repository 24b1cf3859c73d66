package dev.varve.simulator.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.calibration.Calibration;
import dev.varve.simulator.calibration.CalibrationResult;
import dev.varve.simulator.calibration.Recording;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: the simulator comes out as the engine does. Method: a minute of the real engine on a disk
 * in memory and a clock by hand, recorded and held against the simulator.
 */
final class CalibrationTest {
  private static final long SEED = 1;

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "tiering(3)|single",
        "tiering(3)|fair",
        "tiering(3)|greedy",
        "tiering(3)|bounded-greedy(8)",
        "leveling(10)|single",
        "leveling(10)|fair",
        "leveling(10)|greedy",
        "leveling(10)|bounded-greedy(8)",
        "constant(3)|fair",
        "prefix(800k, 5, 1.2)|fair",
        "size-tiered(1.2, 2, 10)|greedy",
        "size-bounded(1.2, 2, 2, 1600k)|fair",
        "size-bounded(1.2, 2, 10, 1600k)|fair",
        "binomial(4)|fair",
        "blsm(10)|gear(1200k)",
        "partitioned-leveling(10, 400k, 80k)|fair"
      })
  void theSimulatorComesOutAsTheEngineDoes(String policy, String scheduler)
      throws StorageException {
    System.out.println("seed " + SEED);
    SteppedNode node = new SteppedNode(policy, SEED);
    node.load();
    CalibrationResult result =
        Calibration.of(node.run(scheduler, Arrivals.closed(), 60).recording());
    System.out.println(result.sizes() + " " + result.sameMerges() + " " + result.checks());
    assertTrue(result.holds(), () -> policy + " " + scheduler + ": " + result.checks());
  }

  @Test
  void aRunThatMergesNothingHoldsWhenNothingWasDecided() throws StorageException {
    System.out.println("seed " + SEED);
    SteppedNode node = new SteppedNode("none", SEED);
    node.load();
    CalibrationResult result = Calibration.of(node.run("fair", Arrivals.closed(), 5).recording());
    assertTrue(result.holds(), () -> result.checks().toString());
    assertEquals(0, result.decisions());
  }

  @Test
  void aSimulatorThatIsToldAnotherSchedulerOrBudgetComesOutOtherwise() throws StorageException {
    System.out.println("seed " + SEED);
    SteppedNode node = new SteppedNode("tiering(3)", SEED);
    node.load();
    Recording single = node.run("single", Arrivals.closed(), 60).recording();
    assertTrue(Calibration.of(single).holds());
    Recording.Setting told = single.setting();
    assertFalse(Calibration.of(told(single, "greedy", told.budgetBytesPerSecond())).holds());
    assertFalse(Calibration.of(told(single, "single", told.budgetBytesPerSecond() / 2)).holds());
  }

  @Test
  void cutLevelsAreDecidedAgainByTheirOwnPolicyOnly() throws StorageException {
    System.out.println("seed " + SEED);
    String policy = "partitioned-leveling(10, 400k, 80k)";
    SteppedNode node = new SteppedNode(policy, SEED);
    node.load();
    Recording recording = node.run("fair", Arrivals.closed(), 30).recording();
    assertTrue(decisions(recording, policy).holds());
    for (String other : List.of("best", "exact", "concurrent")) {
      String told = policy.replace(")", ", " + other + ")");
      assertFalse(decisions(recording, told).holds(), told);
    }
  }

  private static CalibrationResult.Check decisions(Recording recording, String policy) {
    long budget = recording.setting().budgetBytesPerSecond();
    return Calibration.of(told(recording, policy, "fair", budget)).checks().get(2);
  }

  private static Recording told(Recording recording, String scheduler, long budget) {
    return told(recording, recording.setting().policy(), scheduler, budget);
  }

  private static Recording told(Recording recording, String policy, String scheduler, long budget) {
    Recording.Setting was = recording.setting();
    return new Recording(
        new Recording.Setting(policy, scheduler, was.arrivals(), was.keys(), budget, was.time()),
        recording.recordsPerSecond(),
        recording.moments(),
        recording.writes());
  }

  @Test
  void aRunInVirtualTimeIsTheSameEveryTime() throws StorageException {
    System.out.println("seed " + SEED);
    List<Recording> recordings = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      SteppedNode node = new SteppedNode("leveling(10)", SEED);
      node.load();
      recordings.add(node.run("greedy", Arrivals.constant(100), 20).recording());
    }
    assertEquals(recordings.get(0), recordings.get(1));
  }
}
