package dev.varve.transaction.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.Signal;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.OutcomeUnknownException;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: a round wakes those that it served and one to lead the next, and nobody is left behind when
 * the log fails. Method: rounds that end when the test says so, real threads, signals that note who
 * was woken.
 */
@Timeout(60)
final class GroupForceTest {
  private static final Set<Thread.State> WAITING =
      EnumSet.of(Thread.State.WAITING, Thread.State.TIMED_WAITING);

  private final ThreadTaskExecutor executor = new ThreadTaskExecutor();

  /** Numbers of waiters, in the order in which they were woken; the first who waits is number 0. */
  private final List<Integer> woken = Collections.synchronizedList(new ArrayList<>());

  private final AtomicInteger signals = new AtomicInteger();
  private final Semaphore waiting = new Semaphore(0);
  private final CountDownLatch firstRound = new CountDownLatch(1);
  private final CountDownLatch firstRoundEnds = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();
  private final List<Exception> outcomes = Collections.synchronizedList(new ArrayList<>());

  private final class NotingSignal implements Signal {
    private final int number = signals.getAndIncrement();
    private final Signal signal = executor.newSignal();

    @Override
    public void raise() {
      woken.add(number);
      signal.raise();
    }

    @Override
    public Outcome await(BooleanSupplier done, long timeoutNanos) {
      waiting.release();
      return signal.await(done, timeoutNanos);
    }
  }

  private interface Action {
    void run() throws OutcomeUnknownException;
  }

  private GroupForce group(GroupForce.Round round) {
    GroupForce group =
        new GroupForce(
            "log",
            new ForceWaiters(NotingSignal::new),
            () -> {
              firstRound.countDown();
              await(firstRoundEnds);
              return round.run();
            });
    group.begin(() -> 0);
    return group;
  }

  private static void await(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private Thread start(Action action) {
    Thread thread =
        new Thread(
            () -> {
              try {
                action.run();
              } catch (OutcomeUnknownException e) {
                outcomes.add(e);
              }
            });
    threads.add(thread);
    thread.start();
    return thread;
  }

  /** Starts a thread and returns when it waits: before that it would see that a round has ended. */
  private void startWaiter(Action action) throws InterruptedException {
    Thread thread = start(action);
    waiting.acquire();
    while (!WAITING.contains(thread.getState())) {
      Thread.onSpinWait();
    }
  }

  private void join() throws InterruptedException {
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  void aRoundWakesThoseItServedAndThenOneMore() throws Exception {
    Queue<Long> ends = new ArrayDeque<>(List.of(10L, 20L));
    GroupForce group = group(ends::remove);
    start(() -> group.force(3));
    await(firstRound);
    startWaiter(() -> group.force(12));
    startWaiter(() -> group.force(5));
    startWaiter(() -> group.force(14));
    startWaiter(() -> group.force(9));
    firstRoundEnds.countDown();
    join();
    assertTrue(outcomes.isEmpty());
    assertEquals(List.of(1, 3, 0, 2), woken);
    assertEquals(2, group.rounds());
    assertEquals(20, group.durableLsn());
  }

  @Test
  void whoeverComesNextWaitsOnASignalThatIsThereAlready() throws Exception {
    Queue<Long> ends = new ArrayDeque<>(List.of(10L, 20L, 30L));
    GroupForce group = group(ends::remove);
    start(() -> group.force(3));
    await(firstRound);
    startWaiter(() -> group.force(5));
    firstRoundEnds.countDown();
    join();
    for (long lsn : List.of(15L, 25L)) {
      group.alone(
          () -> {
            start(() -> group.force(lsn));
            waiting.acquireUninterruptibly();
            return group.durableLsn();
          });
      join();
    }
    assertEquals(1, signals.get());
    assertEquals(List.of(0, 0, 0), woken);
  }

  @Test
  void theFirstRoundLetsAllInWhoWaitedForIt() throws Exception {
    GroupForce group = new GroupForce("log", new ForceWaiters(NotingSignal::new), () -> 20);
    startWaiter(group::awaitBegun);
    startWaiter(() -> group.force(12));
    startWaiter(group::awaitBegun);
    startWaiter(group::awaitBegun);
    group.begin(() -> 10);
    join();
    assertTrue(outcomes.isEmpty());
    assertEquals(20, group.durableLsn());
    assertEquals(1, group.rounds());
  }

  @Test
  void aFailedRoundWakesAlsoThoseWhoWaitToLead() throws Exception {
    GroupForce group =
        group(
            () -> {
              throw new DiskException("log", "force", new IOException("EIO"));
            });
    start(() -> group.force(3));
    await(firstRound);
    startWaiter(() -> group.force(5));
    startWaiter(() -> group.force(7));
    startWaiter(() -> group.alone(group::durableLsn));
    startWaiter(() -> group.alone(group::durableLsn));
    firstRoundEnds.countDown();
    join();
    assertEquals(5, outcomes.size());
    for (Exception outcome : outcomes) {
      assertEquals(group.failure(), outcome.getCause());
      assertInstanceOf(DiskException.class, outcome.getCause());
    }
  }
}
