package dev.varve.transaction.lock;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.ConflictException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.SteppedExecutor;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: who gets a lock, who waits, and who is refused, is as documented. Method: one thread; an
 * owner that must wait does so inside a worker's step, so that every order is chosen by the test.
 */
final class LockTableTest {
  private static final long SECOND = 1_000_000_000L;

  private final ManualClock clock = new ManualClock();
  private final SteppedExecutor executor = new SteppedExecutor(clock, 1);
  private final LockTable table = new LockTable(executor);
  private final LockOwner a = table.newOwner();
  private final LockOwner b = table.newOwner();
  private final LockOwner c = table.newOwner();

  @AfterEach
  void nothingStaysLocked() {
    table.releaseAll(a);
    table.releaseAll(b);
    table.releaseAll(c);
    assertEquals(0, table.stats().locked());
  }

  private LockGrant lock(LockOwner owner, long resource, LockMode mode) throws ConflictException {
    return table.lock(owner, resource, mode, 0);
  }

  private void assertRefused(LockOwner owner, long resource, LockMode mode) {
    ConflictException refused =
        assertThrows(ConflictException.class, () -> lock(owner, resource, mode));
    assertEquals(ConflictException.Reason.LOCK_TIMEOUT, refused.reason());
  }

  @Test
  void sharedLocksCoexistAndExclusiveOnesDoNot() throws ConflictException {
    assertEquals(LockGrant.ACQUIRED, lock(a, 1, LockMode.SHARED));
    assertEquals(LockGrant.ACQUIRED, lock(b, 1, LockMode.SHARED));
    assertRefused(c, 1, LockMode.EXCLUSIVE);
    assertEquals(LockGrant.ACQUIRED, lock(c, 2, LockMode.EXCLUSIVE));
    assertRefused(a, 2, LockMode.SHARED);
    assertRefused(a, 2, LockMode.EXCLUSIVE);
  }

  @Test
  void anOwnerMayLockAgainWhatItHolds() throws ConflictException {
    assertEquals(LockGrant.ACQUIRED, lock(a, 1, LockMode.EXCLUSIVE));
    assertEquals(LockGrant.HELD, lock(a, 1, LockMode.EXCLUSIVE));
    assertEquals(LockGrant.HELD, lock(a, 1, LockMode.SHARED));
    assertEquals(1, a.held());
    lock(b, 2, LockMode.SHARED);
    lock(a, 2, LockMode.SHARED);
    assertEquals(LockGrant.HELD, lock(a, 2, LockMode.SHARED));
    assertEquals(2, a.held());
  }

  @Test
  void aSharedLockIsUpgradedWhenNobodyElseHoldsIt() throws ConflictException {
    lock(a, 1, LockMode.SHARED);
    assertEquals(LockGrant.UPGRADED, lock(a, 1, LockMode.EXCLUSIVE));
    assertRefused(b, 1, LockMode.SHARED);
    lock(a, 2, LockMode.SHARED);
    lock(b, 2, LockMode.SHARED);
    assertRefused(a, 2, LockMode.EXCLUSIVE);
    table.release(b, 2);
    assertEquals(LockGrant.UPGRADED, lock(a, 2, LockMode.EXCLUSIVE));
    assertEquals(2, a.held());
  }

  @Test
  void aReleasedLockIsFree() throws ConflictException {
    lock(a, 1, LockMode.EXCLUSIVE);
    table.release(a, 1);
    assertEquals(LockGrant.ACQUIRED, lock(b, 1, LockMode.EXCLUSIVE));
    assertThrows(IllegalStateException.class, () -> table.release(a, 1));
  }

  @Test
  void readersSeeWhoHoldsExclusively() throws ConflictException {
    assertFalse(table.exclusivelyLockedByOther(1, a));
    lock(a, 1, LockMode.SHARED);
    assertFalse(table.exclusivelyLockedByOther(1, null));
    lock(a, 1, LockMode.EXCLUSIVE);
    assertFalse(table.exclusivelyLockedByOther(1, a));
    assertTrue(table.exclusivelyLockedByOther(1, b));
    assertTrue(table.exclusivelyLockedByOther(1, null));
    table.release(a, 1);
    assertFalse(table.exclusivelyLockedByOther(1, b));
  }

  @Test
  void thousandsOfLocksAreHeldAndReleasedTogether() throws ConflictException {
    for (long resource = 0; resource < 20_000; resource++) {
      lock(a, resource * 64, LockMode.EXCLUSIVE);
    }
    assertEquals(20_000, table.stats().locked());
    for (long resource = 0; resource < 20_000; resource++) {
      assertTrue(table.exclusivelyLockedByOther(resource * 64, b));
      assertFalse(table.exclusivelyLockedByOther(resource * 64 + 1, b));
    }
    table.releaseAll(a);
    assertEquals(0, table.stats().locked());
    assertEquals(0, a.held());
  }

  @Test
  void aFreeResourceIsLockedWithoutAllocation() throws ConflictException {
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    long allocated = 0;
    for (int i = 0; i < 40_000; i++) {
      if (i == 20_000) {
        allocated = threads.getCurrentThreadAllocatedBytes();
      }
      table.lock(a, i % 500, LockMode.SHARED, SECOND);
      table.lock(a, i % 500, LockMode.EXCLUSIVE, SECOND);
      if (table.exclusivelyLockedByOther(i % 500, a)) {
        throw new AssertionError();
      }
      if (i % 500 == 499) {
        table.releaseAll(a);
      }
    }
    allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
    assertTrue(allocated < 10_000, allocated + " bytes in 20,000 locks");
  }

  /** An owner whose requests run as steps of a worker, so that they can wait. */
  private final class Waiter implements Worker {
    private final LockOwner owner;
    private final long resource;
    private final LockMode mode;
    private final long timeoutNanos;
    private final List<String> log;
    private final TaskExecutor.Handle handle;
    private boolean done;

    Waiter(LockOwner owner, long resource, LockMode mode, long timeoutNanos, List<String> log) {
      this.owner = owner;
      this.resource = resource;
      this.mode = mode;
      this.timeoutNanos = timeoutNanos;
      this.log = log;
      this.handle = executor.start(this);
    }

    @Override
    public String name() {
      return owner.toString();
    }

    @Override
    public int doWork() {
      if (done) {
        return 0;
      }
      done = true;
      try {
        log.add(name() + " " + table.lock(owner, resource, mode, timeoutNanos));
      } catch (ConflictException e) {
        log.add(name() + " " + e.reason());
      }
      handle.close();
      return 1;
    }

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  /**
   * Lets a waiter begin to wait: the outer wait runs its step, whose own wait runs {@code next}.
   */
  private void whileWaiting(Waiter waiter, Runnable next) {
    boolean[] ran = {false};
    Worker later =
        new Worker() {
          @Override
          public String name() {
            return "test";
          }

          @Override
          public int doWork() {
            if (!ran[0] && waiter.done) {
              ran[0] = true;
              next.run();
            }
            return ran[0] ? 0 : 1;
          }

          @Override
          public void failed(Throwable cause) {
            throw new AssertionError(cause);
          }
        };
    try (TaskExecutor.Handle handle = executor.start(later)) {
      executor.runUntil(() -> ran[0] && waiter.done);
      assertTrue(handle != null);
    }
  }

  @Test
  void aWaiterGetsTheLockWhenItIsReleased() throws ConflictException {
    List<String> log = new ArrayList<>();
    lock(a, 1, LockMode.EXCLUSIVE);
    whileWaiting(
        new Waiter(b, 1, LockMode.EXCLUSIVE, Signal.FOREVER, log), () -> table.release(a, 1));
    assertEquals(List.of(b + " ACQUIRED"), log);
    assertEquals(1, b.held());
    assertEquals(1, table.stats().waits());
  }

  @Test
  void anUpgradeThatWaitedIsAnUpgrade() throws ConflictException {
    List<String> log = new ArrayList<>();
    lock(a, 1, LockMode.SHARED);
    lock(b, 1, LockMode.SHARED);
    whileWaiting(
        new Waiter(b, 1, LockMode.EXCLUSIVE, Signal.FOREVER, log),
        () -> {
          // The upgrader waits, so a newcomer may not go before it.
          assertRefused(c, 1, LockMode.SHARED);
          table.release(a, 1);
        });
    assertEquals(List.of(b + " UPGRADED"), log);
    assertEquals(1, b.held());
    assertTrue(table.exclusivelyLockedByOther(1, a));
  }

  @Test
  void whoWaitsTooLongGivesUpAndKeepsWhatItHad() throws ConflictException {
    List<String> log = new ArrayList<>();
    lock(a, 1, LockMode.SHARED);
    lock(b, 2, LockMode.SHARED);
    long begin = clock.nanoTime();
    whileWaiting(new Waiter(b, 1, LockMode.EXCLUSIVE, SECOND, log), () -> {});
    assertEquals(List.of(b + " LOCK_TIMEOUT"), log);
    assertEquals(SECOND, clock.nanoTime() - begin);
    assertEquals(1, b.held());
    assertEquals(1, table.stats().timeouts());
    assertEquals(LockGrant.ACQUIRED, lock(c, 1, LockMode.SHARED), "the queue is empty again");
  }

  @Test
  void theRequestThatClosesACircleIsRefused() throws ConflictException {
    List<String> log = new ArrayList<>();
    lock(a, 1, LockMode.EXCLUSIVE);
    lock(b, 2, LockMode.EXCLUSIVE);
    whileWaiting(
        new Waiter(b, 1, LockMode.EXCLUSIVE, Signal.FOREVER, log),
        () -> {
          ConflictException victim =
              assertThrows(
                  ConflictException.class, () -> table.lock(a, 2, LockMode.SHARED, Signal.FOREVER));
          assertEquals(ConflictException.Reason.DEADLOCK, victim.reason());
          table.releaseAll(a);
        });
    assertEquals(List.of(b + " ACQUIRED"), log);
    assertEquals(1, table.stats().deadlocks());
  }

  @Test
  void twoUpgradesOfOneResourceAreADeadlock() throws ConflictException {
    List<String> log = new ArrayList<>();
    lock(a, 1, LockMode.SHARED);
    lock(b, 1, LockMode.SHARED);
    whileWaiting(
        new Waiter(a, 1, LockMode.EXCLUSIVE, Signal.FOREVER, log),
        () -> {
          ConflictException victim =
              assertThrows(
                  ConflictException.class,
                  () -> table.lock(b, 1, LockMode.EXCLUSIVE, Signal.FOREVER));
          assertEquals(ConflictException.Reason.DEADLOCK, victim.reason());
          assertEquals(1, b.held(), "the victim keeps what it held");
          table.releaseAll(b);
        });
    assertEquals(List.of(a + " UPGRADED"), log);
  }

  @Test
  void anInterruptEndsTheWaitAndStaysSet() throws ConflictException {
    lock(a, 1, LockMode.EXCLUSIVE);
    Thread.currentThread().interrupt();
    ConflictException refused =
        assertThrows(
            ConflictException.class, () -> table.lock(b, 1, LockMode.SHARED, Signal.FOREVER));
    assertTrue(Thread.interrupted());
    assertEquals(ConflictException.Reason.INTERRUPTED, refused.reason());
  }
}
