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
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: one stripe that everybody wants at once excludes, loses nobody and shows readers nothing
 * that never was. Method: several times more threads than processors, so that its lock is taken
 * from running threads all the time; they lock resources of one stripe, which grows, and whose
 * entries move when others are released, while readers look without the lock at a resource that is
 * always locked, at one that never is, and at those in between.
 */
final class LockStripeStormTest {
  private static final int ROUNDS = 4_000;
  private static final int RESOURCES = 48;

  private final int writers = 6 * Runtime.getRuntime().availableProcessors();
  private final int readers = 2 * Runtime.getRuntime().availableProcessors();
  private final TaskExecutor executor = new ThreadTaskExecutor();
  private final LockTable table = new LockTable(executor);
  private final List<Long> resources = resourcesOfOneStripe(RESOURCES + 2);
  private final long alwaysLocked = resources.get(RESOURCES);
  private final long neverLocked = resources.get(RESOURCES + 1);
  private final LockOwner holder = table.newOwner();

  /** One for each resource, protected by nothing but its lock. */
  private final long[] counters = new long[RESOURCES];

  /** Increments that were made, to compare the counters with. */
  private final AtomicInteger increments = new AtomicInteger();

  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private final CountDownLatch writing = new CountDownLatch(writers);
  private final List<TaskExecutor.Handle> handles = new ArrayList<>();

  private static List<Long> resourcesOfOneStripe(int count) {
    List<Long> found = new ArrayList<>();
    for (long resource = 1; found.size() < count; resource++) {
      if (LockStripe.spread(resource) >>> 58 == 7) {
        found.add(resource);
      }
    }
    return found;
  }

  @AfterEach
  void stop() {
    handles.forEach(TaskExecutor.Handle::close);
  }

  /** A thread of the storm. */
  private abstract class Stormer implements Worker {
    @Override
    public String name() {
      return "storm";
    }

    @Override
    public void failed(Throwable cause) {
      failure.compareAndSet(null, cause);
      while (writing.getCount() > 0) {
        writing.countDown();
      }
    }
  }

  /** Locks up to eight resources in ascending order, so that nobody waits in a circle. */
  private final class Writer extends Stormer {
    private final LockOwner owner = table.newOwner();
    private final RandomGenerator random;
    private int rounds;

    Writer(long seed) {
      this.random = Seeds.random(seed);
    }

    @Override
    public int doWork() {
      if (rounds == ROUNDS) {
        return 0;
      }
      try {
        int index = random.nextInt(RESOURCES);
        for (int i = random.nextInt(8); i >= 0 && index < RESOURCES; i--) {
          increment(index);
          index += 1 + random.nextInt(6);
        }
      } catch (ConflictException e) {
        throw new AssertionError(e);
      }
      table.releaseAll(owner);
      rounds++;
      if (rounds == ROUNDS) {
        writing.countDown();
      }
      return 1;
    }

    private void increment(int index) throws ConflictException {
      long resource = resources.get(index);
      if (random.nextInt(3) == 0) {
        if (table.tryLock(owner, resource, LockMode.EXCLUSIVE) == null) {
          return;
        }
      } else {
        table.lock(owner, resource, LockMode.EXCLUSIVE, Signal.FOREVER);
      }
      if (table.exclusivelyLockedByOther(resource, owner)
          || !table.exclusivelyLockedByOther(resource, null)) {
        throw new AssertionError("a lock that is held is not seen, or seen as another's");
      }
      counters[index]++;
      increments.incrementAndGet();
    }
  }

  /** Looks without locking. */
  private final class Reader extends Stormer {
    private final RandomGenerator random;

    Reader(long seed) {
      this.random = Seeds.random(seed);
    }

    @Override
    public int doWork() {
      if (!table.exclusivelyLockedByOther(alwaysLocked, null)) {
        throw new AssertionError("a resource that is locked was seen unlocked");
      }
      if (table.exclusivelyLockedByOther(alwaysLocked, holder)) {
        throw new AssertionError("a resource was seen locked by another than its holder");
      }
      if (table.exclusivelyLockedByOther(neverLocked, null)) {
        throw new AssertionError("a resource that nobody locks was seen locked");
      }
      table.exclusivelyLockedByOther(resources.get(random.nextInt(RESOURCES)), null);
      return writing.getCount() > 0 ? 1 : 0;
    }
  }

  @Test
  void oneStripeUnderMoreThreadsThanProcessorsExcludesAndShowsWhatIs() throws Exception {
    long seed = Seeds.one(11);
    assertEquals(LockGrant.ACQUIRED, table.tryLock(holder, alwaysLocked, LockMode.EXCLUSIVE));
    for (int i = 0; i < writers; i++) {
      handles.add(executor.start(new Writer(seed + i)));
    }
    for (int i = 0; i < readers; i++) {
      handles.add(executor.start(new Reader(~seed - i)));
    }
    assertTrue(writing.await(120, TimeUnit.SECONDS), "somebody waits forever");
    handles.forEach(TaskExecutor.Handle::close);
    handles.clear();
    assertEquals(null, failure.get());
    long sum = 0;
    for (long counter : counters) {
      sum += counter;
    }
    assertEquals(increments.get(), sum);
    assertEquals(1, table.stats().locked());
    table.releaseAll(holder);
    assertEquals(0, table.stats().locked());
    System.out.println(writers + " writers, " + increments + " locks, " + table.stats());
  }
}
