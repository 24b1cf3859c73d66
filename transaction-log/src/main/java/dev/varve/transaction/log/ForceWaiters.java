package dev.varve.transaction.log;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.env.Signal;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/**
 * Threads that wait for a force, each with a signal of its own: to wake a thread costs far more
 * than to append its record, so a round wakes only those that it served, and one to lead the next.
 * Thread-safe; the lock is a leaf.
 */
final class ForceWaiters {
  private static final class Waiter {
    private final Signal signal;

    /** It waits until records up to this one are durable. */
    private long lsn;

    Waiter(Signal signal) {
      this.signal = signal;
    }
  }

  private final Supplier<Signal> newSignal;
  private final ReentrantLock lock = new ReentrantLock();

  /** Those that wait and are not served yet, in the order of coming. */
  @GuardedBy("lock")
  private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();

  /** For the next to come; as many as ever waited at once. */
  @GuardedBy("lock")
  private final ArrayDeque<Waiter> spare = new ArrayDeque<>();

  ForceWaiters(Supplier<Signal> newSignal) {
    this.newSignal = newSignal;
  }

  /**
   * Waits until a condition holds, which is looked at when the waiter is woken. An interrupt does
   * not shorten the wait, which is bounded by a force; the flag stays set.
   *
   * @param lsn of the record that is to be durable; {@link Long#MAX_VALUE} to wait for leadership
   */
  void await(long lsn, BooleanSupplier over) {
    Waiter waiter = enter(lsn);
    boolean interrupted = false;
    try {
      while (waiter.signal.await(over, Signal.FOREVER) == Signal.Outcome.INTERRUPTED) {
        interrupted |= Thread.interrupted();
      }
    } finally {
      leave(waiter);
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private Waiter enter(long lsn) {
    lock.lock();
    try {
      Waiter waiter = spare.isEmpty() ? new Waiter(newSignal.get()) : spare.removeLast();
      waiter.lsn = lsn;
      waiting.add(waiter);
      return waiter;
    } finally {
      lock.unlock();
    }
  }

  private void leave(Waiter waiter) {
    lock.lock();
    try {
      waiting.remove(waiter);
      spare.add(waiter);
    } finally {
      lock.unlock();
    }
  }

  /**
   * Wakes those whose records lie below the durable LSN, then the first of the others, which finds
   * no leader. It comes last, so that those before it may append what its round then forces.
   */
  void wakeServed(long durableLsn) {
    List<Signal> woken = new ArrayList<>();
    lock.lock();
    try {
      waiting.removeIf(waiter -> waiter.lsn < durableLsn && woken.add(waiter.signal));
      Waiter next = waiting.peekFirst();
      if (next != null) {
        woken.add(next.signal);
      }
    } finally {
      lock.unlock();
    }
    // Raised without the lock: a thread that wakes takes it to leave.
    woken.forEach(Signal::raise);
  }

  /** Wakes all, since none will be served any more. */
  void wakeAll() {
    List<Signal> woken = new ArrayList<>();
    lock.lock();
    try {
      waiting.forEach(waiter -> woken.add(waiter.signal));
    } finally {
      lock.unlock();
    }
    woken.forEach(Signal::raise);
  }
}
