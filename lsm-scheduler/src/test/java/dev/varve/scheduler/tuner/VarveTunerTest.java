package dev.varve.scheduler.tuner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.Seeds;
import dev.varve.scheduler.tuner.Flows.Waits;
import dev.varve.scheduler.tuner.TunerSetting.Io;
import dev.varve.scheduler.tuner.TunerSetting.MergeOrder;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** As many merge threads as the device feeds, all the memory, and writers that are paced early. */
final class VarveTunerTest {
  private static final long MIB = 1L << 20;
  private static final TunerLimits LIMITS = TunerLimits.paper(1_000_000);
  private static final TunerSetting DEFAULT = TunerSetting.of(2, 64 * MIB, Io.OPEN);

  private final TunerRun run = TunerRun.start(TunerText.parse("varve"), DEFAULT, LIMITS);

  /** Merge threads after so many seconds of a device that is so busy. */
  private int after(int seconds, double device, double mergeThreads) {
    for (int i = 0; i < seconds; i++) {
      run.observe(
          Flows.of(Waits.NOTHING, 100, new FlowObservation.Busy(device, 0, 0, mergeThreads, 1)));
    }
    return run.setting().mergeThreads();
  }

  @Test
  void memoryIsAllThatThereIsAndLevelZeroGoesFirst() {
    assertEquals(512 * MIB, run.setting().memoryBytes());
    assertEquals(MergeOrder.LEVEL_ZERO_FIRST, run.setting().io().order());
    assertEquals(DEFAULT.threads(), run.setting().threads());
  }

  @Test
  void threadsDoubleUntilTheDeviceIsBusyOrThereAreNoMore() {
    assertEquals(1, after(4, 0.2, 20));
    assertEquals(3, after(1, 0.2, 20));
    assertEquals(7, after(5, 0.2, 20));
    assertEquals(15, after(5, 0.2, 20));
    assertEquals(19, after(500, 0.2, 20));
    assertEquals(1, run.setting().flushThreads());
  }

  @Test
  void aBusyDeviceHasOneThreadFewerAndThenTwoMoreAtATime() {
    assertEquals(7, after(10, 0.2, 20));
    assertEquals(6, after(5, 0.76, 20));
    assertEquals(6, after(19, 0.76, 20));
    assertEquals(5, after(1, 0.76, 20));
    assertEquals(7, after(20, 0.2, 20));
    assertEquals(1, after(1000, 1, 20));
  }

  @Test
  void betweenRoomAndBusyNothingChanges() {
    assertEquals(3, after(5, 0.2, 20));
    assertEquals(3, after(100, 0.72, 20));
    assertEquals(1, run.log().changes());
  }

  @Test
  void threadsThatAreNotNeededDoNotBecomeMore() {
    assertEquals(3, after(5, 0.2, 20));
    assertEquals(3, after(100, 0.2, 2.3));
    assertEquals(7, after(5, 0.2, 2.5));
  }

  @Test
  void writersArePacedEarlierAndLess() {
    WriteLimits limits = TunerText.parse("varve").writeLimits(WriteLimits.ADOC);
    assertEquals(new WriteLimits(16, 36, 64L << 30, 128L << 30, 32 * MIB), limits);
    assertEquals(
        1, TunerText.parse("varve").writeLimits(new WriteLimits(1, 1, 1, 1, 1)).level0Slow());
  }

  @Test
  void howeverBusyTheDeviceIsThereAreAtMostTwoChangesInTenSeconds() throws Exception {
    Seeds.run(20, seed -> check(Seeds.random(seed)));
  }

  private static void check(RandomGenerator random) {
    TunerRun any = TunerRun.start(TunerText.parse("varve"), DEFAULT, LIMITS);
    for (int i = 0; i < 50; i++) {
      double device = random.nextDouble();
      for (int second = 0; second < 30; second++) {
        any.observe(Flows.of(Waits.NOTHING, 100, new FlowObservation.Busy(device, 0, 0, 20, 1)));
        assertTrue(any.log().changesWithin(10) <= 2, any.log().toString());
        assertTrue(any.setting().threads() <= LIMITS.mostThreads(), any.setting().toString());
      }
    }
    assertTrue(any.log().changes() > 10, any.log().toString());
  }
}
