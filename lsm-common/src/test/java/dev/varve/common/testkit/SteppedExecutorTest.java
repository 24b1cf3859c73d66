package dev.varve.common.testkit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.Signal;
import dev.varve.common.env.Signal.Outcome;
import dev.varve.common.env.TaskExecutor.Handle;
import dev.varve.common.env.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import org.junit.jupiter.api.Test;

/**
 * Goal: background work on one thread, in an order that a seed decides, and waits that end or are
 * reported. Method: workers that write down what they do.
 */
final class SteppedExecutorTest {
  private static final long SECOND = 1_000_000_000;

  private final ManualClock clock = new ManualClock();
  private final SteppedExecutor executor = new SteppedExecutor(clock, 1);
  private final List<String> trace = new ArrayList<>();

  private static final class TestWorker implements Worker {
    private final String name;
    private final IntSupplier work;
    long nap = Signal.FOREVER;
    Throwable failure;

    TestWorker(String name, IntSupplier work) {
      this.name = name;
      this.work = work;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int doWork() {
      return work.getAsInt();
    }

    @Override
    public long napNanos() {
      return nap;
    }

    @Override
    public void failed(Throwable cause) {
      failure = cause;
    }
  }

  /** A worker that works a number of times, then rests. */
  private TestWorker counting(String name, int times) {
    int[] left = {times};
    return new TestWorker(
        name,
        () -> {
          trace.add(name);
          return left[0]-- > 0 ? 1 : 0;
        });
  }

  @Test
  void workersRunUntilTheyFindNothingAndAgainWhenWoken() {
    Handle handle = executor.start(counting("a", 2));
    assertEquals(3, executor.runUntilIdle());
    assertEquals(0, executor.runUntilIdle());
    handle.wake();
    assertEquals(List.of("a"), executor.runnable());
    assertTrue(executor.step());
    assertFalse(executor.step());
    handle.close();
    handle.wake();
    assertFalse(executor.step());
    assertEquals(4, executor.stepCount());
  }

  @Test
  void aWakeDuringAStepIsNotLost() {
    AtomicReference<Handle> handle = new AtomicReference<>();
    int[] wakes = {3};
    handle.set(
        executor.start(
            new TestWorker(
                "self",
                () -> {
                  if (wakes[0]-- > 0) {
                    handle.get().wake();
                  }
                  return 0;
                })));
    assertEquals(4, executor.runUntilIdle());
  }

  @Test
  void theSeedDecidesTheOrder() {
    assertEquals(traceOf(5), traceOf(5));
    assertNotEquals(traceOf(5), traceOf(6));
  }

  private List<String> traceOf(long seed) {
    trace.clear();
    SteppedExecutor seeded = new SteppedExecutor(new ManualClock(), seed);
    seeded.start(counting("a", 10));
    seeded.start(counting("b", 10));
    seeded.start(counting("c", 10));
    seeded.runUntilIdle();
    return List.copyOf(trace);
  }

  @Test
  void waitingRunsWorkersUntilTheConditionHolds() {
    Signal signal = executor.newSignal();
    int[] done = {0};
    executor.start(
        new TestWorker(
            "worker",
            () -> {
              done[0]++;
              signal.raise();
              return 1;
            }));
    assertEquals(Outcome.DONE, signal.await(() -> done[0] == 3, Signal.FOREVER));
    assertEquals(3, done[0]);
    assertEquals(0, clock.nanoTime());
    executor.runUntil(() -> done[0] == 5);
    assertEquals(5, done[0]);
  }

  @Test
  void whenNobodyCanWorkTimeMovesToTheTimeOut() {
    executor.start(counting("a", 3));
    Signal signal = executor.newSignal();
    assertEquals(Outcome.TIMED_OUT, signal.await(() -> false, 5 * SECOND));
    assertEquals(5 * SECOND, clock.nanoTime());
    assertEquals(4, trace.size());
    assertEquals(Outcome.TIMED_OUT, signal.await(() -> false, 0));
  }

  @Test
  void napsEndBeforeLaterTimeOuts() {
    Signal signal = executor.newSignal();
    int[] steps = {0};
    TestWorker napping =
        new TestWorker(
            "napping",
            () -> {
              steps[0]++;
              signal.raise();
              return 0;
            });
    napping.nap = SECOND;
    executor.start(napping);
    assertEquals(Outcome.DONE, signal.await(() -> steps[0] == 4, 10 * SECOND));
    assertEquals(3 * SECOND, clock.nanoTime());
    executor.runForNanos(2 * SECOND + 1);
    assertEquals(6, steps[0]);
    assertEquals(5 * SECOND + 1, clock.nanoTime());
  }

  @Test
  void aWaitThatNothingCanEndIsADeadlock() {
    executor.start(counting("idle", 1));
    Signal signal = executor.newSignal();
    AssertionError deadlock =
        assertThrows(AssertionError.class, () -> signal.await(() -> false, Signal.FOREVER));
    assertTrue(deadlock.getMessage().startsWith("deadlock: the test waits"), deadlock::getMessage);
    assertTrue(deadlock.getMessage().contains("[idle]"), deadlock::getMessage);
  }

  @Test
  void aDeadlockNamesEveryWaiter() {
    Signal inner = executor.newSignal();
    executor.start(
        new TestWorker(
            "flush",
            () -> {
              inner.await(() -> false, Signal.FOREVER);
              return 0;
            }));
    Signal outer = executor.newSignal();
    AssertionError deadlock =
        assertThrows(AssertionError.class, () -> outer.await(() -> false, Signal.FOREVER));
    assertTrue(
        deadlock.getMessage().contains("the test, in which waits worker flush waits for"),
        deadlock::getMessage);
  }

  @Test
  void aConditionThatIsNeverSignalledIsReported() {
    int[] done = {0};
    executor.start(
        new TestWorker(
            "forgetful",
            () -> {
              done[0]++;
              return 0;
            }));
    AssertionError missed =
        assertThrows(
            AssertionError.class,
            () -> executor.newSignal().await(() -> done[0] == 1, Signal.FOREVER));
    assertTrue(missed.getMessage().contains("nobody raised"), missed::getMessage);
  }

  @Test
  void aWorkerThatWaitsIsNotStartedAgainMeanwhile() {
    Signal signal = executor.newSignal();
    int[] given = {0};
    int[] depth = {0};
    executor.start(
        new TestWorker(
            "taker",
            () -> {
              assertEquals(1, ++depth[0]);
              assertEquals(Outcome.DONE, signal.await(() -> given[0] == 3, Signal.FOREVER));
              depth[0]--;
              trace.add("taken");
              return 0;
            }));
    executor.start(
        new TestWorker(
            "giver",
            () -> {
              given[0]++;
              signal.raise();
              return given[0] < 3 ? 1 : 0;
            }));
    executor.runUntilIdle();
    assertEquals(List.of("taken"), trace);
  }

  @Test
  void anInterruptEndsAWait() {
    Thread.currentThread().interrupt();
    assertEquals(Outcome.INTERRUPTED, executor.newSignal().await(() -> false, Signal.FOREVER));
    assertTrue(Thread.interrupted());
  }

  @Test
  void whatAWorkerThrowsEndsItButACrashEndsTheTest() {
    IllegalStateException bug = new IllegalStateException("bug");
    TestWorker broken =
        new TestWorker(
            "broken",
            () -> {
              throw bug;
            });
    Handle handle = executor.start(broken);
    executor.runUntilIdle();
    assertSame(bug, broken.failure);
    handle.wake();
    assertFalse(executor.step());
    executor.start(
        new TestWorker(
            "crashing",
            () -> {
              throw new SimulatedCrash("here");
            }));
    assertThrows(SimulatedCrash.class, executor::runUntilIdle);
    executor.start(
        new TestWorker(
            "asserting",
            () -> {
              throw new AssertionError("found by the engine");
            }));
    assertThrows(AssertionError.class, executor::runUntilIdle);
  }

  @Test
  void anotherThreadIsRefused() throws Exception {
    AtomicReference<Throwable> thrown = new AtomicReference<>();
    CountDownLatch ended = new CountDownLatch(1);
    new Thread(
            () -> {
              try {
                executor.step();
              } catch (AssertionError refused) {
                thrown.set(refused);
              }
              ended.countDown();
            },
            "stranger")
        .start();
    ended.await();
    assertTrue(thrown.get() instanceof AssertionError);
  }

  @Test
  void theClockMovesOnlyForwardsButTheWallClockMayJump() {
    long wall = clock.currentTimeMillis();
    clock.advanceMillis(5);
    assertEquals(5_000_000, clock.nanoTime());
    assertEquals(wall + 5, clock.currentTimeMillis());
    clock.jumpToMillis(1000);
    assertEquals(1000, clock.currentTimeMillis());
    assertEquals(5_000_000, clock.nanoTime());
    assertThrows(IllegalArgumentException.class, () -> clock.advanceNanos(-1));
  }
}
