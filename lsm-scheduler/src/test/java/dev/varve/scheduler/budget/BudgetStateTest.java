package dev.varve.scheduler.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: all bytes keep to the rate within 5 % over any second, no flush waits behind merge bytes,
 * and reclaims neither starve merges nor are starved. Method: writers in virtual time, each a loop
 * of wait, write, charge.
 */
final class BudgetStateTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long RATE = 10_000_000;
  private static final long BATCH = RATE / 100;

  /** A batch that ended at a moment. */
  private record Written(IoPurpose purpose, long atNanos, long bytes, long waitedNanos) {}

  @Test
  void mergesAloneKeepToTheRateOverAnySecond() {
    List<Written> written = run(List.of(new Load(IoPurpose.MERGE, 0, 20 * SECOND)), 1);
    assertRate(written, 0, 20 * SECOND);
  }

  @Test
  void flushesAloneKeepToTheRateOverAnySecond() {
    List<Written> written = run(List.of(new Load(IoPurpose.FLUSH, 0, 20 * SECOND)), 2);
    assertRate(written, 0, 20 * SECOND);
  }

  @Test
  void flushesAndMergesTogetherKeepToTheRateOverAnySecond() {
    List<Load> loads = new ArrayList<>();
    loads.add(new Load(IoPurpose.MERGE, 0, 60 * SECOND));
    for (int flush = 0; flush < 12; flush++) {
      long begin = flush * 5L * SECOND + 12_345_678;
      loads.add(new Load(IoPurpose.FLUSH, begin, begin + 2 * SECOND));
    }
    assertRate(run(loads, 3), 0, 60 * SECOND);
  }

  @Test
  void aFlushNeverWaitsBehindMergeBytes() {
    List<Load> loads =
        List.of(
            new Load(IoPurpose.MERGE, 0, 10 * SECOND),
            new Load(IoPurpose.MERGE, 0, 10 * SECOND),
            new Load(IoPurpose.FLUSH, 5 * SECOND + 1, 7 * SECOND));
    List<Written> flushed =
        run(loads, 4).stream().filter(batch -> batch.purpose == IoPurpose.FLUSH).toList();
    assertEquals(0, flushed.get(0).waitedNanos, "the first batch begins at once");
    long bytes = flushed.stream().mapToLong(Written::bytes).sum();
    assertTrue(Math.abs(bytes - 2 * RATE) <= 0.05 * 2 * RATE, "the whole rate is the flush's");
  }

  @Test
  void mergesPauseWhileAFlushTakesTheWholeRate() {
    List<Load> loads =
        List.of(
            new Load(IoPurpose.MERGE, 0, 10 * SECOND),
            new Load(IoPurpose.FLUSH, 4 * SECOND, 6 * SECOND));
    long merged =
        run(loads, 5).stream()
            .filter(batch -> batch.purpose == IoPurpose.MERGE)
            .filter(batch -> batch.atNanos > 4.1 * SECOND && batch.atNanos < 5.9 * SECOND)
            .mapToLong(Written::bytes)
            .sum();
    assertTrue(merged <= 0.05 * 1.8 * RATE, merged + " bytes merged meanwhile");
  }

  @Test
  void aReclaimAloneHasTheWholeRate() {
    assertRate(run(List.of(new Load(IoPurpose.RECLAIM, 0, 20 * SECOND)), 6), 0, 20 * SECOND);
  }

  @Test
  void aReclaimTakesItsPartOfMergesThatNeverEndAndNoMore() {
    for (int merges = 1; merges <= 3; merges++) {
      List<Load> loads = new ArrayList<>(List.of(new Load(IoPurpose.RECLAIM, 0, 40 * SECOND)));
      for (int merge = 0; merge < merges; merge++) {
        loads.add(new Load(IoPurpose.MERGE, merge * 1000L, 40 * SECOND));
      }
      List<Written> written = run(loads, 7);
      assertRate(written, 0, 40 * SECOND);
      List<Written> reclaimed =
          written.stream().filter(batch -> batch.purpose == IoPurpose.RECLAIM).toList();
      double part = 40.0 * RATE / BudgetState.RECLAIM_PART;
      long bytes = reclaimed.stream().mapToLong(Written::bytes).sum();
      assertTrue(bytes <= 1.02 * part, bytes + " bytes reclaimed beside " + merges);
      assertTrue(bytes >= 0.9 * part, bytes + " bytes reclaimed beside " + merges);
      long longest = reclaimed.stream().mapToLong(Written::waitedNanos).max().orElseThrow();
      assertTrue(longest <= SECOND / 5, longest + " ns beside " + merges);
    }
  }

  @Test
  void aReclaimWaitsWhileMergesHaveTheDiskAndItIsNotItsTurn() {
    List<Load> loads =
        List.of(
            new Load(IoPurpose.MERGE, 0, 10 * SECOND),
            new Load(IoPurpose.RECLAIM, SECOND, 10 * SECOND));
    long before = Long.MIN_VALUE;
    for (Written batch : run(loads, 8)) {
      if (batch.purpose == IoPurpose.RECLAIM) {
        long turn = BATCH * SECOND / RATE * BudgetState.RECLAIM_PART;
        assertTrue(before == Long.MIN_VALUE || batch.atNanos - before >= turn, "at " + batch);
        before = batch.atNanos;
      }
    }
  }

  @Test
  void aMergeThatArrivesWaitsForNoMoreThanABatchOfAReclaimAndAFlushForNone() {
    List<Load> loads =
        List.of(
            new Load(IoPurpose.RECLAIM, 0, 10 * SECOND),
            new Load(IoPurpose.MERGE, 2 * SECOND + 1, 4 * SECOND),
            new Load(IoPurpose.FLUSH, 6 * SECOND + 1, 7 * SECOND));
    List<Written> written = run(loads, 9);
    assertRate(written, 0, 10 * SECOND);
    long merge = first(written, IoPurpose.MERGE).waitedNanos;
    assertTrue(merge <= 12_000_000, merge + " ns");
    assertEquals(0, first(written, IoPurpose.FLUSH).waitedNanos);
  }

  @Test
  void flushesThatTakeTheWholeRateLeaveAReclaimNothing() {
    List<Load> loads =
        List.of(
            new Load(IoPurpose.RECLAIM, 0, 10 * SECOND),
            new Load(IoPurpose.FLUSH, 4 * SECOND, 6 * SECOND));
    long reclaimed =
        run(loads, 10).stream()
            .filter(batch -> batch.purpose == IoPurpose.RECLAIM)
            .filter(batch -> batch.atNanos > 4.1 * SECOND && batch.atNanos < 5.9 * SECOND)
            .mapToLong(Written::bytes)
            .sum();
    assertTrue(reclaimed <= 0.05 * 1.8 * RATE, reclaimed + " bytes meanwhile");
  }

  private static Written first(List<Written> written, IoPurpose purpose) {
    return written.stream().filter(batch -> batch.purpose == purpose).findFirst().orElseThrow();
  }

  @Test
  void forcesOfAMergeCostItNoThroughput() {
    IoBudget budget = IoBudget.ofBytesPerSecond(RATE);
    SplittableRandom random = new SplittableRandom(6);
    List<Written> written = new ArrayList<>();
    long now = 0;
    while (now < 20 * SECOND) {
      long wait = budget.begin(IoPurpose.MERGE, now);
      if (wait > 0) {
        now += wait;
        continue;
      }
      boolean force = random.nextInt(20) == 0;
      now += force ? random.nextLong(25_000_000) : 0;
      budget.end(IoPurpose.MERGE, BATCH, now);
      written.add(new Written(IoPurpose.MERGE, now, BATCH, 0));
    }
    assertRate(written, 0, 20 * SECOND);
    long bytes = written.stream().mapToLong(Written::bytes).sum();
    assertTrue(Math.abs(bytes - 20 * RATE) <= 0.005 * 20 * RATE, bytes + " bytes in 20 s");
  }

  @Test
  void anIdleSecondIsNotSavedForLater() {
    BudgetState state = BudgetState.IDLE.charge(IoPurpose.MERGE, RATE, BATCH, 0);
    long later = 100 * SECOND;
    assertEquals(0, state.waitNanos(IoPurpose.MERGE, later));
    state = state.charge(IoPurpose.MERGE, RATE, RATE, later);
    assertEquals(SECOND - BudgetState.CREDIT_NANOS, state.waitNanos(IoPurpose.MERGE, later));
  }

  @Test
  void anIdleBudgetMakesNobodyWaitWhateverTheClockSays() {
    for (long now : new long[] {-SECOND, 0, SECOND, Long.MAX_VALUE / 2}) {
      assertEquals(0, BudgetState.IDLE.waitNanos(IoPurpose.FLUSH, now));
      assertEquals(0, BudgetState.IDLE.waitNanos(IoPurpose.MERGE, now));
      BudgetState state = BudgetState.IDLE.charge(IoPurpose.FLUSH, RATE, RATE, now);
      assertEquals(SECOND - BudgetState.FLUSH_CREDIT_NANOS, state.waitNanos(IoPurpose.FLUSH, now));
    }
  }

  @Test
  void oneLargeWriteIsPaidBackBeforeTheNext() {
    BudgetState state = BudgetState.IDLE.charge(IoPurpose.FLUSH, RATE, 5 * RATE, 0);
    assertEquals(5 * SECOND - BudgetState.FLUSH_CREDIT_NANOS, state.waitNanos(IoPurpose.FLUSH, 0));
    assertEquals(5 * SECOND - BudgetState.CREDIT_NANOS, state.waitNanos(IoPurpose.MERGE, 0));
  }

  @Test
  void withoutABudgetNobodyWaits() {
    IoBudget budget = IoBudget.unlimited();
    for (int i = 0; i < 3; i++) {
      assertEquals(0, budget.begin(IoPurpose.MERGE, 0));
      budget.end(IoPurpose.MERGE, Long.MAX_VALUE, 0);
    }
    assertTrue(budget.batchBytes() > 1L << 30);
    assertEquals(0, budget.bytesPerSecond());
  }

  @Test
  void aBatchIsAHundredthOfASecond() {
    assertEquals(BATCH, IoBudget.ofBytesPerSecond(RATE).batchBytes());
    assertEquals(4096, IoBudget.ofBytesPerSecond(1).batchBytes());
  }

  /** A writer that has always something to write from one moment to another. */
  private record Load(IoPurpose purpose, long beginNanos, long endNanos) {}

  /** Runs the loads in virtual time; timers are up to a millisecond late. */
  private static List<Written> run(List<Load> loads, long seed) {
    SplittableRandom random = new SplittableRandom(seed);
    IoBudget budget = IoBudget.ofBytesPerSecond(RATE);
    long[] wakes = loads.stream().mapToLong(Load::beginNanos).toArray();
    long[] asked = wakes.clone();
    List<Written> written = new ArrayList<>();
    while (true) {
      int next = 0;
      for (int i = 1; i < wakes.length; i++) {
        next = wakes[i] < wakes[next] ? i : next;
      }
      long now = wakes[next];
      if (now == Long.MAX_VALUE) {
        return written;
      }
      Load load = loads.get(next);
      long wait = now >= load.endNanos ? 0 : budget.begin(load.purpose, now);
      if (now >= load.endNanos) {
        wakes[next] = Long.MAX_VALUE;
      } else if (wait > 0) {
        wakes[next] = now + wait + random.nextLong(1_000_000);
      } else {
        budget.end(load.purpose, BATCH, now);
        written.add(new Written(load.purpose, now, BATCH, now - asked[next]));
        asked[next] = now;
        wakes[next] = now + 1; // writing itself takes no time: the worst case for the budget
      }
    }
  }

  private static void assertRate(List<Written> written, long beginNanos, long endNanos) {
    for (Written first : written) {
      for (long from : new long[] {first.atNanos, first.atNanos + 1}) {
        if (from >= beginNanos && from + SECOND <= endNanos) {
          long bytes =
              written.stream()
                  .filter(batch -> batch.atNanos >= from && batch.atNanos < from + SECOND)
                  .mapToLong(Written::bytes)
                  .sum();
          assertTrue(
              Math.abs(bytes - RATE) <= 0.05 * RATE,
              bytes + " bytes in the second from " + from + " ns");
        }
      }
    }
  }
}
