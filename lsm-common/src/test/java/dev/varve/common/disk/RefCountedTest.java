package dev.varve.common.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Goal: what is counted ends exactly once, with its last user. */
final class RefCountedTest {
  private final AtomicInteger ended = new AtomicInteger();
  private final RefCounted counted = new RefCounted(ended::incrementAndGet);

  @Test
  void theLastReleaseEndsIt() {
    assertTrue(counted.acquire());
    counted.release();
    assertEquals(0, ended.get());
    counted.release();
    assertEquals(1, ended.get());
  }

  @Test
  void nobodyAcquiresWhatHasEnded() {
    counted.release();
    assertFalse(counted.acquire());
    assertEquals(1, ended.get());
  }

  @Test
  void releasingTooOftenThrows() {
    counted.release();
    assertThrows(IllegalStateException.class, counted::release);
  }
}
