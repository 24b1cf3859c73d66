package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

/** Counts of threads that do not share a stripe are exact. */
final class ProbeCountersTest {
  @Test
  void theCountsOfManyThreadsAddUp() throws InterruptedException {
    ProbeCounters counters = new ProbeCounters();
    for (int i = 1; i <= 100; i++) {
      int skips = i;
      Thread thread = new Thread(() -> counters.count(200, skips));
      thread.start();
      thread.join();
    }
    assertEquals(20_000, counters.probes());
    assertEquals(5_050, counters.skips());
  }
}
