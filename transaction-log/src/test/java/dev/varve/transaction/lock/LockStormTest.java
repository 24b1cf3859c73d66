package dev.varve.transaction.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.ConflictException;
import dev.varve.common.testkit.Seeds;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: under real threads that deadlock all the time, locks exclude, victims are refused and
 * everybody gets on. Method: each thread moves one unit between counters that only the locks
 * protect, in random order, with upgrades; a victim lets go and tries again; the sum must hold.
 * Waits have no time-out: a missed deadlock or a lost wake-up hangs the test.
 */
final class LockStormTest {
  private static final int THREADS = 6;
  private static final int ROUNDS = 1_500;
  private static final int COUNTERS = 5;

  /** A storm without deadlocks shows nothing: it goes on until there were so many. */
  private static final int LEAST_VICTIMS = 20;

  private final TaskExecutor executor = new ThreadTaskExecutor();
  private final LockTable table = new LockTable(executor);
  private final long[] counters = new long[COUNTERS];
  private final AtomicLong victims = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final CountDownLatch done = new CountDownLatch(THREADS);

  /** One thread of the storm. */
  private final class Mover implements Worker {
    private final LockOwner owner = table.newOwner();
    private final RandomGenerator random;
    private int rounds;
    private boolean ended;

    Mover(long seed) {
      this.random = Seeds.random(seed);
    }

    @Override
    public String name() {
      return "mover";
    }

    @Override
    public int doWork() {
      if (ended) {
        return 0;
      }
      try {
        move(random.nextInt(COUNTERS), random.nextInt(COUNTERS));
        rounds++;
      } catch (ConflictException e) {
        if (e.reason() != ConflictException.Reason.DEADLOCK) {
          throw new AssertionError(e);
        }
        victims.incrementAndGet();
      } finally {
        table.releaseAll(owner);
      }
      if (rounds >= ROUNDS && victims.get() >= LEAST_VICTIMS) {
        ended = true;
        done.countDown();
      }
      return 1;
    }

    @SuppressWarnings("ThreadPriorityCheck") // only makes deadlocks likelier; the count decides
    private void move(int from, int to) throws ConflictException {
      table.lock(owner, from, LockMode.SHARED, Signal.FOREVER);
      table.lock(owner, to, LockMode.SHARED, Signal.FOREVER);
      // Others come to hold the same, even on one processor.
      Thread.yield();
      table.lock(owner, from, LockMode.EXCLUSIVE, Signal.FOREVER);
      table.lock(owner, to, LockMode.EXCLUSIVE, Signal.FOREVER);
      if (table.exclusivelyLockedByOther(from, owner)) {
        throw new AssertionError("two hold one resource exclusively");
      }
      counters[from]--;
      counters[to]++;
    }

    @Override
    public void failed(Throwable cause) {
      failure.compareAndSet(null, cause);
      done.countDown();
    }
  }

  @Test
  void stormsOfDeadlocksEndWithEverybodyServed() throws InterruptedException {
    long seed = Seeds.one(7);
    List<TaskExecutor.Handle> handles = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      handles.add(executor.start(new Mover(seed + i)));
    }
    assertTrue(done.await(60, TimeUnit.SECONDS), "somebody waits forever");
    handles.forEach(TaskExecutor.Handle::close);
    assertEquals(null, failure.get());
    long sum = 0;
    for (long counter : counters) {
      sum += counter;
    }
    assertEquals(0, sum);
    assertEquals(0, table.stats().locked());
    assertTrue(victims.get() >= LEAST_VICTIMS, victims + " victims");
    assertTrue(table.stats().deadlocks() >= LEAST_VICTIMS, table.stats().toString());
    assertTrue(table.stats().waits() >= LEAST_VICTIMS, table.stats().toString());
    System.out.println(victims + " victims, " + table.stats());
  }
}
