package dev.varve.common.env;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import java.lang.invoke.VarHandle;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;

/**
 * A signal between threads. Thread-safe.
 *
 * <p>Implementation note: why no wake-up is lost. (1) The raiser changes state, fences, and reads
 * {@link #waiters}; the waiter adds itself to {@link #waiters}, fences, and reads the state. One of
 * the two must see the other's write: either the raiser finds the waiter, or the waiter finds its
 * condition true. (2) A raiser that finds a waiter counts a round up under the lock. The waiter
 * notes the round before it looks at its condition and sleeps only while the round is the same, so
 * a raise between the look and the sleep is noticed. The condition runs without the lock: it may
 * take locks that raisers hold.
 */
@SeamImplementation
final class ThreadSignal implements Signal {
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition raised = lock.newCondition();

  private final AtomicInteger waiters = new AtomicInteger();

  @GuardedBy("lock")
  private long round;

  @Override
  public void raise() {
    VarHandle.fullFence();
    if (waiters.get() == 0) {
      return;
    }
    lock.lock();
    try {
      round++;
      raised.signalAll();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public Outcome await(BooleanSupplier done, long timeoutNanos) {
    if (done.getAsBoolean()) {
      return Outcome.DONE;
    }
    waiters.incrementAndGet();
    VarHandle.fullFence();
    try {
      return awaitRegistered(done, timeoutNanos);
    } finally {
      waiters.decrementAndGet();
    }
  }

  private Outcome awaitRegistered(BooleanSupplier done, long timeoutNanos) {
    long start = System.nanoTime();
    while (true) {
      long seen = currentRound();
      if (done.getAsBoolean()) {
        return Outcome.DONE;
      }
      long left = FOREVER;
      if (timeoutNanos != FOREVER) {
        left = timeoutNanos - (System.nanoTime() - start);
        if (left <= 0) {
          return Outcome.TIMED_OUT;
        }
      }
      try {
        sleepWhile(seen, left);
      } catch (InterruptedException interrupt) {
        Thread.currentThread().interrupt();
        return done.getAsBoolean() ? Outcome.DONE : Outcome.INTERRUPTED;
      }
    }
  }

  private long currentRound() {
    lock.lock();
    try {
      return round;
    } finally {
      lock.unlock();
    }
  }

  private void sleepWhile(long seen, long nanos) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      long left = nanos;
      while (round == seen && left > 0) {
        if (nanos == FOREVER) {
          raised.await();
        } else {
          left = raised.awaitNanos(left);
        }
      }
    } finally {
      lock.unlock();
    }
  }
}
