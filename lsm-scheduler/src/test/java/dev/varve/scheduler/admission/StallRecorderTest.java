package dev.varve.scheduler.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.common.testkit.ManualClock;
import dev.varve.scheduler.admission.StallReport.Stall;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: every nanosecond that a writer waited is booked to exactly one cause. Method: waits in
 * virtual time.
 */
final class StallRecorderTest {
  private final ManualClock clock = new ManualClock();
  private final StallRecorder recorder = new StallRecorder(clock);

  @Test
  void aWaitHasACauseAHolderABeginningAndAnEnd() {
    clock.advanceNanos(10);
    long begin = clock.currentTimeMillis();
    try (StallRecorder.Wait wait = recorder.begin(StallCause.MEMORY_FULL, "flush of users")) {
      clock.advanceNanos(5);
      StallReport during = recorder.report();
      Stall open = new Stall(StallCause.MEMORY_FULL, "flush of users", begin, 5);
      assertEquals(List.of(open), during.open());
      assertEquals(List.of(), during.recent());
      assertEquals(5, during.totalNanos());
      clock.advanceNanos(2);
      wait.becomes(StallCause.MEMORY_FULL, "flush of messages");
    }
    StallReport after = recorder.report();
    assertEquals(List.of(), after.open());
    assertEquals(
        List.of(new Stall(StallCause.MEMORY_FULL, "flush of users", begin, 7)), after.recent());
    assertEquals(Map.of(StallCause.MEMORY_FULL, new StallReport.Total(1, 7)), after.totals());
    assertEquals(1, after.waits());
  }

  @Test
  void aWaitThatChangesItsCauseIsOneWaitOfSeveralStretches() {
    StallRecorder.Wait wait = recorder.begin(StallCause.COMPONENT_LIMIT, "12 of 12");
    clock.advanceNanos(3);
    wait.becomes(StallCause.LOG_SPACE, "64 of 64");
    clock.advanceNanos(4);
    wait.becomes(StallCause.COMPONENT_LIMIT, "13 of 12");
    clock.advanceNanos(5);
    wait.close();
    wait.close();
    wait.becomes(StallCause.DISK_SPACE, "ended already");
    clock.advanceNanos(100);
    StallReport report = recorder.report();
    assertEquals(1, report.waits());
    assertEquals(12, report.totalNanos());
    assertEquals(
        Map.of(
            StallCause.COMPONENT_LIMIT,
            new StallReport.Total(2, 8),
            StallCause.LOG_SPACE,
            new StallReport.Total(1, 4)),
        report.totals());
  }

  @Test
  void theCausesAddUpToTheTimeWaited() {
    long seed = 7;
    SplittableRandom random = new SplittableRandom(seed);
    List<StallRecorder.Wait> open = new ArrayList<>();
    StallCause[] causes = StallCause.values();
    long waited = 0;
    for (int step = 0; step < 20_000; step++) {
      StallCause cause = causes[random.nextInt(causes.length)];
      int action = random.nextInt(3);
      if (action == 0) {
        open.add(recorder.begin(cause, "holder"));
      } else if (action == 1 && !open.isEmpty()) {
        open.get(random.nextInt(open.size())).becomes(cause, "holder");
      } else if (!open.isEmpty()) {
        open.remove(random.nextInt(open.size())).close();
      }
      long passed = random.nextInt(5);
      waited += passed * open.size();
      clock.advanceNanos(passed);
      if (step % 100 == 0) {
        StallReport report = recorder.report();
        assertEquals(waited, report.totalNanos(), "seed " + seed);
        assertEquals(
            waited,
            report.totals().values().stream().mapToLong(StallReport.Total::nanos).sum(),
            "seed " + seed);
        assertEquals(open.size(), report.open().size());
      }
    }
  }

  @Test
  void onlySoManyEndedWaitsAreKept() {
    for (int i = 0; i < StallRecorder.RECENT + 10; i++) {
      recorder.begin(StallCause.LOG_SPACE, "wait " + i).close();
    }
    StallReport report = recorder.report();
    assertEquals(StallRecorder.RECENT, report.recent().size());
    assertEquals("wait 10", report.recent().get(0).holder());
    assertEquals(StallRecorder.RECENT + 10, report.waits());
  }
}
