package dev.varve.scheduler.budget;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.maintenance.MaintenanceTask.Kind;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/**
 * Goal: all bytes keep to the rate within 5 % over any second, and no flush waits behind merge
 * bytes. Method: writers in virtual time, each a loop of wait, write, charge.
 */
final class BudgetStateTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long RATE = 10_000_000;
  private static final long BATCH = RATE / 100;

  /** A batch that ended at a moment. */
  private record Written(Kind kind, long atNanos, long bytes, long waitedNanos) {}

  @Test
  void mergesAloneKeepToTheRateOverAnySecond() {
    List<Written> written = run(List.of(new Load(Kind.MERGE, 0, 20 * SECOND)), 1);
    assertRate(written, 0, 20 * SECOND);
  }

  @Test
  void flushesAloneKeepToTheRateOverAnySecond() {
    List<Written> written = run(List.of(new Load(Kind.FLUSH, 0, 20 * SECOND)), 2);
    assertRate(written, 0, 20 * SECOND);
  }

  @Test
  void flushesAndMergesTogetherKeepToTheRateOverAnySecond() {
    List<Load> loads = new ArrayList<>();
    loads.add(new Load(Kind.MERGE, 0, 60 * SECOND));
    for (int flush = 0; flush < 12; flush++) {
      long begin = flush * 5L * SECOND + 12_345_678;
      loads.add(new Load(Kind.FLUSH, begin, begin + 2 * SECOND));
    }
    assertRate(run(loads, 3), 0, 60 * SECOND);
  }

  @Test
  void aFlushNeverWaitsBehindMergeBytes() {
    List<Load> loads =
        List.of(
            new Load(Kind.MERGE, 0, 10 * SECOND),
            new Load(Kind.MERGE, 0, 10 * SECOND),
            new Load(Kind.FLUSH, 5 * SECOND + 1, 7 * SECOND));
    List<Written> flushed =
        run(loads, 4).stream().filter(batch -> batch.kind == Kind.FLUSH).toList();
    assertEquals(0, flushed.get(0).waitedNanos, "the first batch begins at once");
    long bytes = flushed.stream().mapToLong(Written::bytes).sum();
    assertTrue(Math.abs(bytes - 2 * RATE) <= 0.05 * 2 * RATE, "the whole rate is the flush's");
  }

  @Test
  void mergesPauseWhileAFlushTakesTheWholeRate() {
    List<Load> loads =
        List.of(new Load(Kind.MERGE, 0, 10 * SECOND), new Load(Kind.FLUSH, 4 * SECOND, 6 * SECOND));
    long merged =
        run(loads, 5).stream()
            .filter(batch -> batch.kind == Kind.MERGE)
            .filter(batch -> batch.atNanos > 4.1 * SECOND && batch.atNanos < 5.9 * SECOND)
            .mapToLong(Written::bytes)
            .sum();
    assertTrue(merged <= 0.05 * 1.8 * RATE, merged + " bytes merged meanwhile");
  }

  @Test
  void forcesOfAMergeCostItNoThroughput() {
    IoBudget budget = IoBudget.ofBytesPerSecond(RATE);
    SplittableRandom random = new SplittableRandom(6);
    List<Written> written = new ArrayList<>();
    long now = 0;
    while (now < 20 * SECOND) {
      long wait = budget.begin(Kind.MERGE, now);
      if (wait > 0) {
        now += wait;
        continue;
      }
      boolean force = random.nextInt(20) == 0;
      now += force ? random.nextLong(25_000_000) : 0;
      budget.end(Kind.MERGE, BATCH, now);
      written.add(new Written(Kind.MERGE, now, BATCH, 0));
    }
    assertRate(written, 0, 20 * SECOND);
    long bytes = written.stream().mapToLong(Written::bytes).sum();
    assertTrue(Math.abs(bytes - 20 * RATE) <= 0.005 * 20 * RATE, bytes + " bytes in 20 s");
  }

  @Test
  void anIdleSecondIsNotSavedForLater() {
    BudgetState state = BudgetState.IDLE.charge(Kind.MERGE, RATE, BATCH, 0);
    long later = 100 * SECOND;
    assertEquals(0, state.waitNanos(Kind.MERGE, later));
    state = state.charge(Kind.MERGE, RATE, RATE, later);
    assertEquals(SECOND - BudgetState.CREDIT_NANOS, state.waitNanos(Kind.MERGE, later));
  }

  @Test
  void anIdleBudgetMakesNobodyWaitWhateverTheClockSays() {
    for (long now : new long[] {-SECOND, 0, SECOND, Long.MAX_VALUE / 2}) {
      assertEquals(0, BudgetState.IDLE.waitNanos(Kind.FLUSH, now));
      assertEquals(0, BudgetState.IDLE.waitNanos(Kind.MERGE, now));
      BudgetState state = BudgetState.IDLE.charge(Kind.FLUSH, RATE, RATE, now);
      assertEquals(SECOND - BudgetState.FLUSH_CREDIT_NANOS, state.waitNanos(Kind.FLUSH, now));
    }
  }

  @Test
  void oneLargeWriteIsPaidBackBeforeTheNext() {
    BudgetState state = BudgetState.IDLE.charge(Kind.FLUSH, RATE, 5 * RATE, 0);
    assertEquals(5 * SECOND - BudgetState.FLUSH_CREDIT_NANOS, state.waitNanos(Kind.FLUSH, 0));
    assertEquals(5 * SECOND - BudgetState.CREDIT_NANOS, state.waitNanos(Kind.MERGE, 0));
  }

  @Test
  void withoutABudgetNobodyWaits() {
    IoBudget budget = IoBudget.unlimited();
    for (int i = 0; i < 3; i++) {
      assertEquals(0, budget.begin(Kind.MERGE, 0));
      budget.end(Kind.MERGE, Long.MAX_VALUE, 0);
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
  private record Load(Kind kind, long beginNanos, long endNanos) {}

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
      long wait = now >= load.endNanos ? 0 : budget.begin(load.kind, now);
      if (now >= load.endNanos) {
        wakes[next] = Long.MAX_VALUE;
      } else if (wait > 0) {
        wakes[next] = now + wait + random.nextLong(1_000_000);
      } else {
        budget.end(load.kind, BATCH, now);
        written.add(new Written(load.kind, now, BATCH, now - asked[next]));
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
