package dev.varve.scheduler.scheduling;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeAllocation.Share;
import dev.varve.common.testkit.Seeds;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.random.RandomGenerator;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * Goal: bytes are shared by weight, whatever the batches and whoever comes and goes. Method: seeded
 * runs, batch by batch.
 */
final class BandwidthSharesTest {
  private final BandwidthShares shares = new BandwidthShares();

  @Test
  void equalSharesAreEqualWithinTenPercentOverAnyHundredBatches() throws Exception {
    Seeds.run(
        50,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          BandwidthShares any = new BandwidthShares();
          MergeAllocation all = equal(LongStream.rangeClosed(1, 2 + random.nextInt(4)));
          int merges = all.shares().size();
          for (int window = 0; window < 20; window++) {
            Map<Long, Long> written = new HashMap<>();
            for (int batch = 0; batch < 100 * merges; batch++) {
              long bytes = (1 + random.nextLong(1000)) * (1 + random.nextLong(2));
              write(any, all, written, bytes);
            }
            long total = written.values().stream().mapToLong(Long::longValue).sum();
            for (long bytes : written.values()) {
              assertTrue(
                  Math.abs(bytes * merges - total) <= total / 10, written + " in window " + window);
            }
          }
        });
  }

  @Test
  void weightsAreKept() {
    MergeAllocation weighted =
        new MergeAllocation(List.of(new Share(1, 3), new Share(2, 1), new Share(3, 1)));
    Map<Long, Long> written = new HashMap<>();
    for (int i = 0; i < 500; i++) {
      write(shares, weighted, written, 10);
    }
    assertEquals(Map.of(1L, 3000L, 2L, 1000L, 3L, 1000L), written);
  }

  @Test
  void whoArrivesLaterNeitherCatchesUpNorLoses() {
    Map<Long, Long> before = new HashMap<>();
    for (int i = 0; i < 1000; i++) {
      write(shares, equal(LongStream.of(1)), before, 10);
    }
    Map<Long, Long> after = new HashMap<>();
    for (int i = 0; i < 100; i++) {
      write(shares, equal(LongStream.of(1, 2)), after, 10);
    }
    assertEquals(500, after.getOrDefault(1L, 0L), 10, "more than a batch apart: " + after);
  }

  @Test
  void whoPausedNeitherCatchesUpNorLoses() {
    Map<Long, Long> written = new HashMap<>();
    MergeAllocation both = equal(LongStream.of(1, 2));
    for (int i = 0; i < 100; i++) {
      write(shares, both, written, 10);
    }
    for (int i = 0; i < 1000; i++) {
      write(shares, equal(LongStream.of(2)), written, 10);
    }
    written.clear();
    for (int i = 0; i < 100; i++) {
      write(shares, both, written, 10);
    }
    assertEquals(500, written.getOrDefault(1L, 0L), 10, "more than a batch apart: " + written);
  }

  @Test
  void whoIsInABatchIsPassedOver() {
    MergeAllocation both = equal(LongStream.of(1, 2));
    assertEquals(OptionalLong.of(2), shares.next(both, number -> number == 2));
    assertEquals(OptionalLong.empty(), shares.next(both, number -> false));
  }

  private static MergeAllocation equal(LongStream numbers) {
    List<Share> equal = new ArrayList<>();
    numbers.forEach(number -> equal.add(new Share(number, 1)));
    return new MergeAllocation(equal);
  }

  private static void write(
      BandwidthShares shares, MergeAllocation allocation, Map<Long, Long> written, long bytes) {
    long number = shares.next(allocation, any -> true).orElseThrow();
    shares.written(number, bytes);
    written.merge(number, bytes, Long::sum);
  }
}
