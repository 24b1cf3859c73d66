package dev.varve.scheduler.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.Signal;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.scheduling.GreedyScheduler;
import dev.varve.scheduler.tuner.TunerSetting.Io;
import dev.varve.scheduler.tuner.TunerSetting.MergeOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: merges of level 0 go before all others, which pause for them, and the others keep to a rate
 * of their own. Method: fake tasks on a stepped executor in virtual time.
 */
final class MergeOrderTest {
  private static final long BATCH = 10_000;
  private static final long SECOND = 1_000_000_000L;
  private static final Io LEVEL_ZERO_FIRST =
      new Io(Io.UNLIMITED, Io.UNLIMITED, MergeOrder.LEVEL_ZERO_FIRST);

  private final ManualClock clock = new ManualClock();
  private final SteppedExecutor executor = new SteppedExecutor(clock, 42);
  private final List<String> trace = new ArrayList<>();
  private final IoBudget budget = IoBudget.unlimited();
  private final MaintenanceService service =
      MaintenanceService.start(
          MaintenanceOptions.DEFAULTS.withMergeThreads(1).withBatchBytes(BATCH),
          new MaintenanceContext(clock, executor, budget, new ListenerLog()));

  @AfterEach
  void closeService() {
    service.close();
    budget.close();
  }

  private FakeTask merge(String name, int batches) {
    FakeTask task = FakeTask.merge(name, batches * BATCH, trace).of(name);
    service.submit(task);
    return task;
  }

  private FakeTask levelZero(String name, int batches) {
    FakeTask task = FakeTask.merge(name, batches * BATCH, trace).of(name).ofLevelZero();
    service.submit(task);
    return task;
  }

  private void stepUntil(int batches) {
    while (trace.size() < batches) {
      assertTrue(executor.step(), "nothing to do after " + trace);
    }
  }

  @Test
  void withOneThreadADeeperMergePausesUntilLevelZeroIsMerged() {
    service.setIo(LEVEL_ZERO_FIRST);
    merge("deep", 10);
    stepUntil(3);
    levelZero("first", 3);
    levelZero("second", 2);
    stepUntil(8);
    assertEquals(
        List.of("first", "first", "first", "second", "second"),
        trace.subList(3, 8).stream().sorted().toList());
    assertEquals(Signal.Outcome.DONE, service.awaitQuiet(Signal.FOREVER));
    assertEquals(List.of("deep"), trace.subList(8, 15).stream().distinct().toList());
  }

  @Test
  void theSchedulerOrdersMergesOfLevelZeroAmongThemselves() {
    service.setIo(LEVEL_ZERO_FIRST);
    service.setScheduler(new GreedyScheduler(1, GreedyScheduler.Scope.NODE));
    merge("deep", 1);
    levelZero("long", 6);
    levelZero("short", 2);
    service.awaitQuiet(Signal.FOREVER);
    assertEquals("short", trace.get(0));
    assertEquals("short", trace.get(1));
    assertEquals("long", trace.get(7));
    assertEquals("deep", trace.get(8));
  }

  @Test
  void threadsThatLevelZeroDoesNotNeedAreForTheOthers() {
    service.setIo(LEVEL_ZERO_FIRST);
    service.setThreads(2, 1);
    FakeTask deep = merge("deep", 20);
    FakeTask first = levelZero("first", 20);
    stepUntil(10);
    assertTrue(deep.written() > 0, "the second thread rests");
    assertTrue(first.written() >= deep.written(), trace.toString());
    long before = deep.written();
    FakeTask second = levelZero("second", 20);
    stepUntil(30);
    assertTrue(deep.written() <= before + BATCH, "it goes on beside two merges of level 0");
    assertEquals(30 * BATCH, first.written() + second.written() + deep.written());
  }

  @Test
  void asScheduledLevelZeroIsAMergeLikeAnyOther() {
    merge("deep", 3);
    levelZero("first", 3);
    service.awaitQuiet(Signal.FOREVER);
    assertEquals(List.of("deep", "first", "deep", "first", "deep", "first"), trace);
  }

  @Test
  void deeperMergesKeepToTheirRateAndLevelZeroDoesNot() {
    // A batch is read and written: half of the rate is written.
    service.setIo(new Io(Io.UNLIMITED, 4 * BATCH, MergeOrder.LEVEL_ZERO_FIRST));
    long begin = clock.nanoTime();
    merge("deep", 20);
    service.awaitQuiet(Signal.FOREVER);
    double seconds = (double) (clock.nanoTime() - begin) / SECOND;
    assertEquals(9.5, seconds, 0.3);
    levelZero("first", 20);
    service.awaitQuiet(Signal.FOREVER);
    assertEquals(seconds, (double) (clock.nanoTime() - begin) / SECOND, 1e-9);
  }

  @Test
  void timeInWhichNothingMergedIsNotCaughtUp() {
    service.setIo(new Io(Io.UNLIMITED, 4 * BATCH, MergeOrder.LEVEL_ZERO_FIRST));
    merge("deep", 2);
    service.awaitQuiet(Signal.FOREVER);
    clock.advanceNanos(100 * SECOND);
    long begin = clock.nanoTime();
    merge("late", 20);
    service.awaitQuiet(Signal.FOREVER);
    assertEquals(9.5, (double) (clock.nanoTime() - begin) / SECOND, 0.3);
  }

  @Test
  void aMergeThatWaitsForItsRateGoesOnAtOnceWhenThereIsNoneAnyMore() {
    service.setIo(new Io(Io.UNLIMITED, 1, MergeOrder.LEVEL_ZERO_FIRST));
    merge("deep", 3);
    stepUntil(1);
    executor.runForNanos(SECOND);
    assertEquals(1, trace.size());
    long begin = clock.nanoTime();
    service.setIo(LEVEL_ZERO_FIRST);
    service.awaitQuiet(Signal.FOREVER);
    assertEquals(begin, clock.nanoTime());
  }

  @Test
  void howLongFlushesTookIsKnownOfEachIndex() {
    service.submit(FakeTask.flush("one", BATCH, trace).of("a").atEnd(() -> clock.advanceNanos(4)));
    service.awaitQuiet(Signal.FOREVER);
    service.submit(FakeTask.flush("two", BATCH, trace).of("b").atEnd(() -> clock.advanceNanos(9)));
    service.awaitQuiet(Signal.FOREVER);
    MaintenanceStats stats = service.stats();
    assertEquals(new MaintenanceStats.FlushTimes(1, 4), stats.flushTimes().get("a"));
    assertEquals(new MaintenanceStats.FlushTimes(1, 9), stats.flushTimes().get("b"));
    assertEquals(13, stats.threads().sealToFlushedNanos());
  }
}
