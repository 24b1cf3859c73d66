package dev.varve.scheduler.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.Device;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: whoever writes to one device shares one rate, evenly, flushes first; devices know nothing
 * of each other. Method: members in virtual time, each a loop of ask, write, tell; a write takes
 * time, and timers are late.
 */
final class DeviceBudgetsTest {
  private static final long SEED = 42;
  private static final long SECOND = 1_000_000_000L;
  private static final long RATE = 10_000_000;
  private static final long BATCH = RATE / 100;
  private static final double TOLERANCE = 0.05;

  private final DeviceBudgets devices = new DeviceBudgets();
  private final Device disk = new Device("disk");
  private final Device other = new Device("other");

  /** Somebody who writes. */
  private static final class Writer {
    final IoBudget budget;
    final IoPurpose purpose;
    final long endNanos;
    final long writeNanos;
    final List<Long> batches = new ArrayList<>();
    long wakesNanos;
    long askedNanos;
    long longestNanos;
    boolean writing;

    Writer(IoBudget budget, IoPurpose purpose, long beginNanos, long endNanos, long writeNanos) {
      this.budget = budget;
      this.purpose = purpose;
      this.endNanos = endNanos;
      this.writeNanos = writeNanos;
      this.wakesNanos = beginNanos;
      this.askedNanos = beginNanos;
    }

    long wakesNanos() {
      return wakesNanos;
    }

    long bytes(long fromNanos, long toNanos) {
      return BATCH * batches.stream().filter(at -> at >= fromNanos && at < toNanos).count();
    }

    /** Does what is due; whether it goes on. */
    boolean step(SplittableRandom random) {
      long now = wakesNanos;
      if (writing) {
        writing = false;
        budget.end(purpose, BATCH, now);
        batches.add(now);
        askedNanos = now;
        wakesNanos = now + 1;
        return true;
      }
      if (now >= endNanos) {
        return false;
      }
      long wait = budget.begin(purpose, now);
      if (wait > 0) {
        wakesNanos = now + wait + random.nextLong(200_000);
      } else {
        longestNanos = Math.max(longestNanos, now - askedNanos);
        writing = true;
        wakesNanos = now + Math.max(1, writeNanos);
      }
      return true;
    }
  }

  private static void run(List<Writer> writers) {
    SplittableRandom random = new SplittableRandom(SEED);
    PriorityQueue<Writer> queue = new PriorityQueue<>(Comparator.comparingLong(Writer::wakesNanos));
    queue.addAll(writers);
    while (!queue.isEmpty()) {
      Writer next = queue.remove();
      if (next.step(random)) {
        queue.add(next);
      }
    }
  }

  private List<Writer> merges(Device device, int count, long endNanos) {
    List<Writer> writers = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      writers.add(new Writer(join(device), IoPurpose.MERGE, i * 1000L, endNanos, 100_000));
    }
    return writers;
  }

  @SuppressWarnings("MustBeClosedChecker") // leaves with the registry of the test
  private IoBudget join(Device device) {
    return devices.join(device, RATE);
  }

  private static void assertBytes(double due, long bytes, String message) {
    assertTrue(
        Math.abs(bytes - due) <= TOLERANCE * due, message + ": " + bytes + " bytes, not " + due);
  }

  private static void assertRate(List<Writer> writers, long endNanos) {
    for (long from = 0; from + SECOND <= endNanos; from += SECOND / 7) {
      long bytes = 0;
      for (Writer writer : writers) {
        bytes += writer.bytes(from, from + SECOND);
      }
      assertTrue(
          Math.abs(bytes - RATE) <= TOLERANCE * RATE,
          bytes + " bytes in the second from " + from + " ns");
    }
  }

  @Test
  void membersOfOneDeviceKeepToItsRateTogetherOverAnySecondAndShareEvenly() {
    for (int members : new int[] {1, 2, 3, 8}) {
      List<Writer> writers = merges(disk, members, 20 * SECOND);
      run(writers);
      assertRate(writers, 20 * SECOND);
      for (Writer writer : writers) {
        double fair = 20.0 * RATE / members;
        assertBytes(fair, writer.bytes(0, Long.MAX_VALUE), "of " + members);
      }
      writers.forEach(writer -> writer.budget.close());
    }
  }

  @Test
  void devicesHaveARateEach() {
    List<Writer> here = merges(disk, 2, 10 * SECOND);
    List<Writer> there = merges(other, 1, 10 * SECOND);
    List<Writer> all = new ArrayList<>(here);
    all.addAll(there);
    run(all);
    assertRate(here, 10 * SECOND);
    assertRate(there, 10 * SECOND);
    assertEquals(2, devices.size());
  }

  @Test
  void aFlushOfOneMemberNeverWaitsForMergesOfAnother() {
    List<Writer> writers = merges(disk, 3, 10 * SECOND);
    Writer flush = new Writer(join(disk), IoPurpose.FLUSH, 5 * SECOND + 1, 7 * SECOND, 100_000);
    writers.add(flush);
    run(writers);
    assertTrue(flush.longestNanos <= 11_000_000, "waited for " + flush.longestNanos);
    assertBytes(2.0 * RATE, flush.bytes(0, Long.MAX_VALUE), "the whole rate is the flush's");
    long merged = 0;
    for (Writer writer : writers.subList(0, 3)) {
      merged += writer.bytes(5 * SECOND + SECOND / 10, 7 * SECOND);
    }
    assertTrue(merged <= TOLERANCE * 2 * RATE, merged + " bytes of merges meanwhile");
    assertRate(writers, 10 * SECOND);
  }

  @Test
  void flushesOfTwoMembersShareEvenly() {
    Writer one = new Writer(join(disk), IoPurpose.FLUSH, 0, 10 * SECOND, 100_000);
    Writer two = new Writer(join(disk), IoPurpose.FLUSH, SECOND, 10 * SECOND, 100_000);
    run(List.of(one, two));
    assertBytes(4.5 * RATE, two.bytes(0, Long.MAX_VALUE), "half of nine seconds");
    assertRate(List.of(one, two), 10 * SECOND);
  }

  @Test
  void reclaimsOfTwoMembersShareTheirPartBesideMergesOfAThird() {
    List<Writer> writers = merges(disk, 1, 20 * SECOND);
    writers.add(new Writer(join(disk), IoPurpose.RECLAIM, 0, 20 * SECOND, 100_000));
    writers.add(new Writer(join(disk), IoPurpose.RECLAIM, 0, 20 * SECOND, 100_000));
    run(writers);
    assertRate(writers, 20 * SECOND);
    double part = 20.0 * RATE / BudgetState.RECLAIM_PART;
    long one = writers.get(1).bytes(0, Long.MAX_VALUE);
    long two = writers.get(2).bytes(0, Long.MAX_VALUE);
    assertTrue(one + two >= 0.9 * part && one + two <= 1.02 * part, one + " and " + two);
    assertTrue(Math.abs(one - two) <= 2 * BATCH, one + " and " + two);
  }

  @Test
  void whoComesBackNeitherCatchesUpNorLoses() {
    Writer always = new Writer(join(disk), IoPurpose.MERGE, 0, 30 * SECOND, 100_000);
    IoBudget budget = join(disk);
    Writer first = new Writer(budget, IoPurpose.MERGE, 0, 5 * SECOND, 100_000);
    Writer again = new Writer(budget, IoPurpose.MERGE, 20 * SECOND, 30 * SECOND, 100_000);
    run(List.of(always, first, again));
    assertRate(List.of(always, first, again), 30 * SECOND);
    assertBytes(5.0 * RATE, again.bytes(0, Long.MAX_VALUE), "half of ten seconds");
    assertBytes(1.0 * RATE, always.bytes(20 * SECOND, 22 * SECOND), "half of the first two");
  }

  @Test
  void aMemberThatIsSlowDoesNotHoldTheOthersUp() {
    // A batch that takes as long as five of the budget, as a force may.
    Writer slow = new Writer(join(disk), IoPurpose.MERGE, 0, 10 * SECOND, 50_000_000);
    Writer fast = new Writer(join(disk), IoPurpose.MERGE, 0, 10 * SECOND, 100_000);
    run(List.of(slow, fast));
    assertRate(List.of(slow, fast), 10 * SECOND);
    assertTrue(fast.bytes(0, Long.MAX_VALUE) >= 7 * RATE, "fast: " + fast.batches.size());
  }

  @Test
  void theLowestRateHoldsForAllUntilItsMemberLeaves() {
    IoBudget high = join(disk);
    assertEquals(RATE, high.bytesPerSecond());
    try (IoBudget low = devices.join(disk, RATE / 4)) {
      assertEquals(RATE / 4, high.bytesPerSecond());
      assertEquals(RATE / 4, low.bytesPerSecond());
      assertEquals(2 * SECOND / 100, high.roundNanos());
    }
    assertEquals(RATE, high.bytesPerSecond());
    assertEquals(SECOND / 100, high.roundNanos());
    assertEquals(0, high.begin(IoPurpose.MERGE, 0));
    high.end(IoPurpose.MERGE, BATCH, 0);
  }

  @Test
  void aDeviceThatAllHaveLeftIsForgotten() {
    IoBudget one = join(disk);
    IoBudget two = join(disk);
    assertEquals(0, one.begin(IoPurpose.MERGE, 0));
    one.end(IoPurpose.MERGE, RATE, 0);
    one.close();
    one.close();
    assertEquals(1, devices.size());
    assertTrue(two.begin(IoPurpose.MERGE, 0) > 0, "its bytes stay to be paid for");
    two.close();
    assertEquals(0, devices.size());
    assertEquals(0, join(disk).begin(IoPurpose.MERGE, 0));
  }

  @Test
  void aRateBelowAByteIsRefused() {
    assertThrows(IllegalArgumentException.class, () -> devices.join(disk, 0));
    assertEquals(0, devices.size());
  }
}
