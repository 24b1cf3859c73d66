package dev.varve.hyracks.operator;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.testkit.ManualClock;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Goal: a flush is due within a second of the last one. Method: a clock that is moved. */
final class FlushTimerTest {
  @Test
  void aFlushIsDueOnceTheTimeHasPassedSinceTheLastOne() {
    ManualClock clock = new ManualClock();
    clock.advanceNanos(7);
    FlushTimer timer = new FlushTimer(clock);
    assertTrue(FlushTimer.NANOS < TimeUnit.SECONDS.toNanos(1), "a force fits into the second, too");
    for (int flush = 0; flush < 3; flush++) {
      assertFalse(timer.isDue());
      clock.advanceNanos(FlushTimer.NANOS - 1);
      assertFalse(timer.isDue());
      clock.advanceNanos(1);
      assertTrue(timer.isDue());
      clock.advanceNanos(FlushTimer.NANOS);
      assertTrue(timer.isDue());
      timer.restart();
    }
  }
}
