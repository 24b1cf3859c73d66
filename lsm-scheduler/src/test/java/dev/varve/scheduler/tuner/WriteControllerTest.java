package dev.varve.scheduler.tuner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.util.Optional;
import org.junit.jupiter.api.Test;

/** RocksDB's write controller: when it slows down, when it stops, and to which rate. */
final class WriteControllerTest {
  private static final WriteLimits LIMITS = new WriteLimits(20, 36, 1000, 2000, 1_000_000);

  private static WriteController at(int level0, long pending) {
    return WriteController.of(LIMITS).next(level0, pending);
  }

  @Test
  void writersRunFreeBelowBothLimits() {
    assertEquals(WriteController.State.FREE, at(19, 999).state());
    assertEquals(Optional.empty(), at(19, 999).cause());
  }

  @Test
  void writersSlowDownAndStopByLevelZero() {
    assertEquals(WriteController.State.DELAYED, at(20, 0).state());
    assertEquals(Optional.of(StallClass.LEVEL_ZERO), at(20, 0).cause());
    assertEquals(WriteController.State.STOPPED, at(36, 0).state());
    assertEquals(Optional.of(StallClass.LEVEL_ZERO), at(36, 0).cause());
  }

  @Test
  void writersSlowDownAndStopByPendingBytes() {
    assertEquals(WriteController.State.DELAYED, at(0, 1000).state());
    assertEquals(Optional.of(StallClass.PENDING_BYTES), at(0, 1000).cause());
    assertEquals(WriteController.State.STOPPED, at(0, 2000).state());
    assertEquals(Optional.of(StallClass.PENDING_BYTES), at(0, 2000).cause());
  }

  @Test
  void aStopOfOneCauseGoesBeforeASlowDownOfTheOther() {
    assertEquals(Optional.of(StallClass.PENDING_BYTES), at(20, 2000).cause());
    assertEquals(WriteController.State.STOPPED, at(20, 2000).state());
  }

  @Test
  void theRateFallsWhileMoreWaitsAndRisesWhileLessDoes() {
    WriteController first = at(20, 100);
    assertEquals(1_000_000, first.bytesPerSecond());
    WriteController more = first.next(20, 101);
    assertEquals(800_000, more.bytesPerSecond(), 1e-6);
    assertEquals(800_000, more.next(20, 101).bytesPerSecond() / 0.8, 1e-6);
    assertEquals(1_000_000, more.next(20, 50).bytesPerSecond(), 1e-6);
  }

  @Test
  void closeToTheStopTheRateFallsFaster() {
    assertEquals(600_000, at(20, 100).next(34, 50).bytesPerSecond(), 1e-6);
    assertEquals(600_000, at(0, 1000).next(0, 1750).bytesPerSecond(), 1e-6);
    assertEquals(600_000, at(36, 100).next(20, 50).bytesPerSecond(), 1e-6);
  }

  @Test
  void theRateIsCarriedOverAndRecoversWhenADelayEnds() {
    WriteController slow = at(20, 100).next(20, 101).next(20, 102);
    WriteController free = slow.next(0, 0);
    assertEquals(640_000 * 1.4, free.bytesPerSecond(), 1e-6);
    assertEquals(free.bytesPerSecond(), free.next(20, 0).bytesPerSecond(), 1e-6);
    assertEquals(free.bytesPerSecond(), free.next(1, 0).bytesPerSecond(), 1e-6);
  }

  @Test
  void otherLimitsTakeTheRateAlongAndLowerIt() {
    WriteController slow = at(20, 100).next(20, 101);
    assertEquals(800_000, slow.withLimits(LIMITS).bytesPerSecond(), 1e-6);
    assertEquals(500_000, slow.withLimits(LIMITS.scaledBy(0.5)).bytesPerSecond(), 1e-6);
  }

  @Test
  void theRateNeverFallsBelowSixteenKilobytes() {
    WriteController slow = at(20, 1);
    for (int i = 2; i < 100; i++) {
      slow = slow.next(20, i);
    }
    assertEquals(16 << 10, slow.bytesPerSecond());
  }

  @Test
  void limitsCanBeLeftOutScaledAndTakenAsPrinted() {
    assertEquals(
        WriteController.State.FREE,
        WriteController.of(LIMITS.withoutLevel0()).next(1000, 0).state());
    assertEquals(
        WriteController.State.FREE, WriteController.of(LIMITS.stopOnly()).next(35, 1999).state());
    assertEquals(new WriteLimits(20, 36, 500, 1000, 500_000), LIMITS.scaledBy(0.5));
    assertEquals(128L << 30, WriteLimits.ADOC.pendingStopBytes());
    assertEquals(256L << 30, WriteLimits.ROCKSDB.pendingStopBytes());
    assertThrows(IllegalArgumentException.class, () -> new WriteLimits(20, 19, 1, 1, 1));
  }
}
