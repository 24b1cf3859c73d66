package dev.varve.scheduler.admission;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** Goal: writers keep to the rate of a gate, however it changes. Method: virtual time. */
final class PaceTest {
  private static final long SECOND = 1_000_000_000L;

  @Test
  void nobodyWaitsBeforeAnythingIsWritten() {
    assertEquals(0, Pace.begin(7).waitNanos(1));
    assertEquals(0, Pace.begin(7).at(1000, 7 + SECOND).waitNanos(1000));
  }

  @Test
  void whatIsWrittenIsWaitedFor() {
    Pace pace = Pace.begin(0).written(500);
    assertEquals(SECOND / 2, pace.waitNanos(1000));
    assertEquals(SECOND / 4, pace.at(1000, SECOND / 4).waitNanos(1000));
    assertEquals(0, pace.at(1000, SECOND / 2).waitNanos(1000));
  }

  @Test
  void aRateThatRisesEndsTheWaitSooner() {
    Pace pace = Pace.begin(0).written(1000).at(1, SECOND);
    assertEquals(999, pace.debtBytes(), 1e-6);
    assertEquals(0, pace.at(10_000, SECOND + SECOND / 10).waitNanos(10_000));
  }

  @Test
  void aPauseIsNoBurstLater() {
    Pace pace = Pace.begin(0).at(1000, 100 * SECOND);
    assertEquals(-10, pace.debtBytes(), 1e-9);
  }

  @Test
  void bytesKeepToTheRateWithinFivePerCentOverASecond() {
    SplittableRandom random = new SplittableRandom(11);
    long rate = 1_000_000;
    long now = 0;
    Pace pace = Pace.begin(now);
    for (int second = 0; second < 20; second++) {
      long end = now + SECOND;
      long written = 0;
      while (now < end) {
        pace = pace.at(rate, now);
        long wait = pace.waitNanos(rate);
        if (wait == 0) {
          long bytes = 1 + random.nextLong(10_000);
          pace = pace.written(bytes);
          written += bytes;
        } else {
          now += wait + random.nextLong(1_000_000); // a timer that is late
        }
      }
      assertTrue(Math.abs(written - rate) <= rate / 20, second + ": " + written);
    }
  }
}
