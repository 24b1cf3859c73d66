package dev.varve.common.env;

import java.util.function.BooleanSupplier;

/**
 * A place to wait for a condition that others make true. The condition reads state that is safe to
 * read from any thread (volatile, atomic, or under a lock of its own) and does not wait; whoever
 * changes that state raises the signal afterwards, with or without locks held. Thread-safe.
 */
public interface Signal {
  /** How a wait ended. */
  enum Outcome {
    /** The condition held. */
    DONE,
    /** The time ran out first. */
    TIMED_OUT,
    /** The waiting thread was interrupted; its interrupt flag is set again. */
    INTERRUPTED
  }

  /** Waits without a bound on time. */
  long FOREVER = Long.MAX_VALUE;

  /** Lets every waiter look at its condition again; cheap when nobody waits. */
  void raise();

  /** Waits until the condition holds, at most {@code timeoutNanos}. */
  Outcome await(BooleanSupplier done, long timeoutNanos);

  /**
   * Waits until the condition holds, without a bound on time. An interrupt does not shorten the
   * wait; the flag is set again at its end.
   */
  default void awaitUninterruptibly(BooleanSupplier done) {
    boolean interrupted = false;
    while (await(done, FOREVER) == Outcome.INTERRUPTED) {
      interrupted |= Thread.interrupted();
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
