package dev.varve.simulator.calibration;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.testkit.ManualClock;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.SimulationOptions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: a recording says what happened, and a run in which anything was decided otherwise is told
 * from one in which nothing was. Method: runs of a dozen shapes, made by hand.
 */
final class RecordingTest {
  private static final MergePolicy POLICY = PolicyText.parse("constant(3)");

  private final ManualClock clock = new ManualClock();
  private final ShapeRecorder recorder = new ShapeRecorder(clock);
  private final List<ComponentStats> components = new ArrayList<>();
  private final List<ComponentId> merging = new ArrayList<>();

  private static ComponentStats component(long first, long last) {
    long entries = 100 * (last - first + 1);
    return new ComponentStats(new ComponentId(first, last), 50 + 10 * entries, entries, 0, -1);
  }

  /** What an index asks its policy at a moment, in seconds. */
  private void askAt(double seconds) {
    clock.advanceNanos((long) (seconds * 1e9) - clock.nanoTime());
    recorder.watch(POLICY).decide(new IndexShape(components, merging));
  }

  private void flush(long number, double seconds) {
    components.add(component(number, number));
    askAt(seconds);
  }

  private Recording recording(double begin) {
    List<Moment> moments = recorder.since((long) (begin * 1e9));
    Recording.Setting setting =
        new Recording.Setting(
            POLICY.describe(),
            "fair",
            Arrivals.closed(),
            100_000,
            1_000,
            new SimulationOptions.Time(10, 2, 2));
    return new Recording(setting, 1000, moments, List.of(100L, 50L, 0L, 50L, 100L));
  }

  /** Two components at rest, a flush after 1 s and again after 5 s, a merge of three until 4 s. */
  private void run() {
    components.add(component(1, 1));
    askAt(0);
    components.add(component(2, 2));
    askAt(10);
    flush(3, 11);
    merging.addAll(List.of(new ComponentId(1, 1), new ComponentId(2, 2), new ComponentId(3, 3)));
    askAt(11);
    merging.clear();
    components.clear();
    components.add(component(1, 3));
    askAt(14);
    flush(4, 15);
  }

  @Test
  void itBeginsWithTheLastShapeBeforeItsBeginning() {
    run();
    Recording recording = recording(10.5);
    assertEquals(List.of(component(1, 1), component(2, 2)), recording.beginning());
    assertEquals(0, recording.moments().get(0).seconds());
  }

  @Test
  void componentsAreAveragedOverTheTimeOfEachWindow() {
    run();
    // 2 for one second and 3 for three, then 1 for one and 2 for the rest.
    assertEquals(List.of(2.5, 3.0, 1.5, 2.0, 2.0), recording(10).components());
  }

  @Test
  void flushesAndMergesAreFoundInTheShapes() {
    run();
    assertEquals(
        List.of(new Recording.Flush(1, component(3, 3)), new Recording.Flush(5, component(4, 4))),
        recording(10).flushes());
    assertEquals(
        List.of(List.of(new ComponentId(1, 1), new ComponentId(2, 2), new ComponentId(3, 3))),
        recording(10).merges());
  }

  @Test
  void theWarmUpDoesNotCount() {
    run();
    assertEquals(200 / 8.0, recording(10).throughput());
  }

  @Test
  void aRecordingThatBeginsDuringAMergeIsRefused() {
    run();
    assertThrows(IllegalArgumentException.class, () -> recording(12));
  }

  @Test
  void aRunThatFollowsItsPolicyIsDecidedAgainAlike() {
    run();
    DecisionReplay.Result result = DecisionReplay.of(recording(10), POLICY);
    assertTrue(result.difference().isEmpty(), result::toString);
    assertEquals(1, result.decisions());
  }

  @Test
  void anotherPolicyDecidesOtherwise() {
    run();
    DecisionReplay.Result result =
        DecisionReplay.of(recording(10), PolicyText.parse("constant(4)"));
    assertTrue(result.difference().orElseThrow().startsWith("after 1.000 s"), result::toString);
  }

  @Test
  void aMergeThatNobodyDecidedIsFound() {
    run();
    components.set(0, component(1, 4));
    components.remove(1);
    askAt(16);
    DecisionReplay.Result result = DecisionReplay.of(recording(10), POLICY);
    assertEquals(
        "after 6.000 s: component 1-4 came from no flush and no merge",
        result.difference().orElseThrow());
  }

  @Test
  void aComponentThatIsGoneIsMissed() {
    run();
    components.remove(0);
    askAt(16);
    assertFalse(DecisionReplay.of(recording(10), POLICY).difference().isEmpty());
  }

  @Test
  void aMergeThatTheEngineForgotIsMissed() {
    run();
    merging.clear();
    flush(5, 16);
    flush(6, 17);
    // The engine is as if it had not been told to merge 1-3, 4 and 5.
    DecisionReplay.Result result = DecisionReplay.of(recording(10), POLICY);
    assertTrue(result.difference().orElseThrow().startsWith("after 7.000 s"), result::toString);
  }

  @Test
  void sizesFitFlushesAndTheLargestComponent() {
    run();
    SizeFit fit = SizeFit.of(recording(10));
    assertEquals(10, fit.entryBytes(), 1e-9);
    assertEquals(5, fit.fileEntries(), 1e-9);
    assertEquals(100, fit.flushEntries(), 1e-9);
  }
}
