package dev.varve.common.env;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.Signal.Outcome;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntSupplier;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: threads that never miss a wake-up. Method: counted hand-overs between threads, tens of
 * thousands of them, that hang when one is lost.
 */
@Timeout(60)
final class ThreadTaskExecutorTest {
  private static final long LONG_NANOS = 30_000_000_000L;

  private final TaskExecutor executor = new ThreadTaskExecutor();

  private static final class TestWorker implements Worker {
    final IntSupplier work;
    LongSupplier nap = () -> Signal.FOREVER;
    final AtomicReference<Throwable> failure = new AtomicReference<>();
    final CountDownLatch failed = new CountDownLatch(1);

    TestWorker(IntSupplier work) {
      this.work = work;
    }

    @Override
    public String name() {
      return "test-worker";
    }

    @Override
    public int doWork() {
      return work.getAsInt();
    }

    @Override
    public long napNanos() {
      return nap.getAsLong();
    }

    @Override
    public void failed(Throwable cause) {
      failure.set(cause);
      failed.countDown();
    }
  }

  @Test
  void aWorkerRunsOnItsOwnDaemonThreadUntilClosed() throws Exception {
    AtomicReference<Thread> thread = new AtomicReference<>();
    CountDownLatch ran = new CountDownLatch(1);
    TestWorker worker =
        new TestWorker(
            () -> {
              thread.set(Thread.currentThread());
              ran.countDown();
              return 0;
            });
    TaskExecutor.Handle handle = executor.start(worker);
    ran.await();
    assertEquals("test-worker", thread.get().getName());
    assertTrue(thread.get().isDaemon());
    handle.close();
    handle.close();
    thread.get().join();
    handle.wake();
  }

  @Test
  void closeWaitsForTheCurrentStepEvenWhenInterrupted() throws Exception {
    CountDownLatch inStep = new CountDownLatch(1);
    CountDownLatch mayEnd = new CountDownLatch(1);
    AtomicBoolean stepEnded = new AtomicBoolean();
    TaskExecutor.Handle handle =
        executor.start(
            new TestWorker(
                () -> {
                  inStep.countDown();
                  awaitQuietly(mayEnd);
                  stepEnded.set(true);
                  return 1;
                }));
    inStep.await();
    AtomicBoolean sawEnd = new AtomicBoolean();
    AtomicBoolean flag = new AtomicBoolean();
    Thread closer =
        new Thread(
            () -> {
              Thread.currentThread().interrupt();
              handle.close();
              sawEnd.set(stepEnded.get());
              flag.set(Thread.currentThread().isInterrupted());
            },
            "closer");
    closer.start();
    closer.join(50);
    assertTrue(closer.isAlive(), "close waits");
    mayEnd.countDown();
    closer.join();
    assertTrue(sawEnd.get());
    assertTrue(flag.get(), "the interrupt is still there");
  }

  @Test
  void aWorkerMayCloseItself() throws Exception {
    AtomicReference<TaskExecutor.Handle> self = new AtomicReference<>();
    AtomicReference<Thread> thread = new AtomicReference<>();
    CountDownLatch closed = new CountDownLatch(1);
    AtomicInteger steps = new AtomicInteger();
    self.set(
        executor.start(
            new TestWorker(
                () -> {
                  if (self.get() == null) {
                    return 1;
                  }
                  thread.set(Thread.currentThread());
                  steps.incrementAndGet();
                  self.get().close();
                  closed.countDown();
                  return 1;
                })));
    closed.await();
    thread.get().join();
    assertEquals(1, steps.get());
  }

  @Test
  void whatAWorkerThrowsIsToldOnceAndEndsIt() throws Exception {
    IllegalStateException bug = new IllegalStateException("bug");
    AtomicInteger steps = new AtomicInteger();
    TestWorker worker =
        new TestWorker(
            () -> {
              steps.incrementAndGet();
              throw bug;
            });
    TaskExecutor.Handle handle = executor.start(worker);
    worker.failed.await();
    assertSame(bug, worker.failure.get());
    handle.wake();
    handle.close();
    assertEquals(1, steps.get());
  }

  @Test
  void noWakeIsLostBetweenTwoWorkersThatOnlySleep() throws Exception {
    int rounds = 50_000;
    AtomicLong ball = new AtomicLong();
    CountDownLatch done = new CountDownLatch(2);
    AtomicReference<TaskExecutor.Handle> even = new AtomicReference<>();
    AtomicReference<TaskExecutor.Handle> odd = new AtomicReference<>();
    CountDownLatch ready = new CountDownLatch(1);
    even.set(executor.start(new TestWorker(() -> play(ball, 0, rounds, odd, ready, done))));
    odd.set(executor.start(new TestWorker(() -> play(ball, 1, rounds, even, ready, done))));
    ready.countDown();
    done.await();
    even.get().close();
    odd.get().close();
    assertTrue(ball.get() >= rounds);
  }

  private static int play(
      AtomicLong ball,
      int side,
      int rounds,
      AtomicReference<TaskExecutor.Handle> other,
      CountDownLatch ready,
      CountDownLatch done) {
    awaitQuietly(ready);
    long at = ball.get();
    if (at % 2 != side) {
      return 0;
    }
    ball.set(at + 1);
    other.get().wake();
    if (at >= rounds) {
      done.countDown();
    }
    return at > rounds + 2L ? 0 : 1;
  }

  @Test
  void anIdleWorkerIsSteppedAgainAfterItsNap() throws Exception {
    CountDownLatch steps = new CountDownLatch(5);
    TestWorker worker =
        new TestWorker(
            () -> {
              steps.countDown();
              return 0;
            });
    worker.nap = () -> 100_000;
    TaskExecutor.Handle handle = executor.start(worker);
    steps.await();
    handle.close();
  }

  @Test
  void awaitSeesAConditionThatHoldsOrTimesOut() {
    Signal signal = executor.newSignal();
    assertEquals(Outcome.DONE, signal.await(() -> true, 0));
    assertEquals(Outcome.TIMED_OUT, signal.await(() -> false, 0));
    assertEquals(Outcome.TIMED_OUT, signal.await(() -> false, 2_000_000));
    signal.raise();
    assertEquals(Outcome.TIMED_OUT, signal.await(() -> false, 1));
  }

  @Test
  void awaitEndsAtAnInterruptAndKeepsTheFlag() throws Exception {
    Signal signal = executor.newSignal();
    Thread.currentThread().interrupt();
    assertEquals(Outcome.DONE, signal.await(() -> true, LONG_NANOS));
    assertEquals(Outcome.INTERRUPTED, signal.await(() -> false, LONG_NANOS));
    assertTrue(Thread.interrupted());
    AtomicReference<Outcome> outcome = new AtomicReference<>();
    Thread waiter =
        new Thread(() -> outcome.set(signal.await(() -> false, Signal.FOREVER)), "waiter");
    waiter.start();
    waiter.interrupt();
    waiter.join();
    assertEquals(Outcome.INTERRUPTED, outcome.get());
  }

  /** The moment between the look at the condition and the sleep, hit from inside the look. */
  @Test
  void aRaiseBetweenTheLookAndTheSleepIsNoticed() {
    for (int look = 1; look <= 3; look++) {
      Signal signal = executor.newSignal();
      AtomicBoolean state = new AtomicBoolean();
      AtomicInteger left = new AtomicInteger(look);
      Outcome outcome =
          signal.await(
              () -> {
                boolean seen = state.get();
                state.set(left.decrementAndGet() <= 0);
                signal.raise();
                return seen;
              },
              LONG_NANOS);
      assertEquals(Outcome.DONE, outcome, "look " + look);
    }
  }

  /** A chain of threads, each waiting for its number: one lost wake-up stops the count. */
  @Test
  void concurrentSignalsLoseNoWakeUp() throws Exception {
    int threads = 4;
    int rounds = 10_000;
    Signal signal = executor.newSignal();
    // Written plainly and published by raise alone would be a bug of the caller: state is volatile.
    AtomicInteger turn = new AtomicInteger();
    AtomicBoolean timedOut = new AtomicBoolean();
    Thread[] players = new Thread[threads];
    for (int i = 0; i < threads; i++) {
      int me = i;
      players[i] =
          new Thread(
              () -> {
                for (int round = 0; round < rounds; round++) {
                  int mine = round * threads + me;
                  if (signal.await(() -> turn.get() == mine, LONG_NANOS) != Outcome.DONE) {
                    timedOut.set(true);
                    return;
                  }
                  turn.set(mine + 1);
                  signal.raise();
                }
              },
              "player-" + i);
      players[i].start();
    }
    for (Thread player : players) {
      player.join();
    }
    assertFalse(timedOut.get(), "a wake-up was lost");
    assertEquals(threads * rounds, turn.get());
  }

  /** The condition takes the lock that the raiser holds: a signal must not hold its own then. */
  @Test
  void aConditionMayTakeALockThatTheRaiserHolds() throws Exception {
    Signal signal = executor.newSignal();
    java.util.concurrent.locks.ReentrantLock lock = new java.util.concurrent.locks.ReentrantLock();
    int rounds = 20_000;
    int[] counter = new int[1];
    Thread raiser =
        new Thread(
            () -> {
              for (int i = 0; i < rounds; i++) {
                lock.lock();
                try {
                  counter[0]++;
                  signal.raise();
                } finally {
                  lock.unlock();
                }
              }
            },
            "raiser");
    raiser.start();
    for (int i = 0; i <= rounds; i += 100) {
      int wanted = i;
      Outcome outcome =
          signal.await(
              () -> {
                lock.lock();
                try {
                  return counter[0] >= wanted;
                } finally {
                  lock.unlock();
                }
              },
              LONG_NANOS);
      assertEquals(Outcome.DONE, outcome);
    }
    raiser.join();
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException unexpected) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aFailureThatCannotBeReportedIsToldAgain() throws InterruptedException {
    AtomicInteger told = new AtomicInteger();
    LinkageError bug = new LinkageError("as when a class cannot be loaded");
    CountDownLatch known = new CountDownLatch(1);
    Worker worker =
        new Worker() {
          @Override
          public String name() {
            return "test-worker";
          }

          @Override
          public int doWork() {
            throw bug;
          }

          @Override
          public void failed(Throwable cause) {
            assertSame(bug, cause);
            if (told.getAndIncrement() == 0) {
              throw new LinkageError("nor can the class of the report");
            }
            known.countDown();
          }
        };
    try (TaskExecutor.Handle handle = executor.start(worker)) {
      handle.wake();
      known.await();
    }
    assertEquals(2, told.get());
  }
}
