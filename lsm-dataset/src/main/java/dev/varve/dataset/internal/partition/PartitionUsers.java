package dev.varve.dataset.internal.partition;

import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;

/**
 * Counts who is in a partition, so that its indexes are closed only when nobody uses them, and
 * writers can be kept out for a while. One word holds both counts and the state of the users.
 * Thread-safe.
 */
final class PartitionUsers {
  private static final long CLOSED = 1L << 62;
  private static final long PAUSED = 1L << 61;
  private static final long WATCHED = 1L << 60;
  private static final long READ_ONLY = 1L << 59;
  private static final long FLAGS = CLOSED | PAUSED | WATCHED | READ_ONLY;
  private static final long READER = 1;
  private static final long WRITER = 1L << 30;
  private static final long READERS = WRITER - 1;

  private final AtomicLong state = new AtomicLong(CLOSED);
  private final Signal changed;

  /** A closed users. */
  PartitionUsers(TaskExecutor executor) {
    this.changed = executor.newSignal();
  }

  /** Lets a reader in; false when the partition is closed. */
  boolean enterRead() {
    return enter(CLOSED, READER);
  }

  /** Lets a writer in; false when the partition is closed or read-only, or writers are kept out. */
  boolean enterWrite() {
    return enter(CLOSED | PAUSED | READ_ONLY, WRITER);
  }

  private boolean enter(long refused, long one) {
    while (true) {
      long seen = state.get();
      if ((seen & refused) != 0) {
        return false;
      }
      if (state.compareAndSet(seen, seen + one)) {
        return true;
      }
    }
  }

  /** A reader leaves. */
  void leaveRead() {
    leave(READER);
  }

  /** A writer leaves. */
  void leaveWrite() {
    leave(WRITER);
  }

  private void leave(long one) {
    long now = state.addAndGet(-one);
    assert (now & ~FLAGS) >= 0 : "left more often than entered";
    if ((now & (PAUSED | WATCHED)) != 0) {
      changed.raise();
    }
  }

  /** Whether the partition is closed. */
  boolean closed() {
    return (state.get() & CLOSED) != 0;
  }

  /** Opens a closed partition for readers; writers are let in by {@link #allowWrites}. */
  void open() {
    boolean opened = state.compareAndSet(CLOSED, READ_ONLY);
    assert opened : "the partition is open already";
  }

  /** Whether only readers are let in. */
  boolean readOnly() {
    return (state.get() & READ_ONLY) != 0;
  }

  /** Lets writers in, too, where the partition is open. */
  void allowWrites() {
    clearFlag(READ_ONLY);
  }

  /**
   * Keeps writers out, while readers come and go, until {@link #allowWrites}; false when a writer
   * is in, or writers are kept out for a while already.
   */
  boolean tryRefuseWrites() {
    while (true) {
      long seen = state.get();
      if ((seen & ~(READ_ONLY | WATCHED) & ~READERS) != 0) {
        return false;
      }
      if (state.compareAndSet(seen, seen | READ_ONLY)) {
        return true;
      }
    }
  }

  /** Closes the partition if nobody is in. */
  boolean tryClose() {
    return state.compareAndSet(0, CLOSED) || state.compareAndSet(READ_ONLY, CLOSED);
  }

  /** Closes the partition once nobody is in; false when the time ran out. */
  boolean close(long timeoutNanos) {
    if (tryClose()) {
      return true;
    }
    setFlag(WATCHED);
    try {
      changed.await(() -> (state.get() & ~WATCHED & ~READ_ONLY) == 0, timeoutNanos);
      return state.compareAndSet(WATCHED, CLOSED)
          || state.compareAndSet(WATCHED | READ_ONLY, CLOSED);
    } finally {
      clearFlag(WATCHED);
    }
  }

  /** Closes the partition for good, whoever is in: they leave, and nobody enters. */
  void shut() {
    setFlag(WATCHED);
    setFlag(CLOSED);
    changed.raise();
  }

  /** How many readers are in. */
  int readers() {
    return (int) (state.get() & READERS);
  }

  /** How many writers are in. */
  int writers() {
    return (int) ((state.get() & ~FLAGS) / WRITER);
  }

  /** Waits until a condition on who is in holds, with a door that was {@linkplain #shut shut}. */
  Signal.Outcome awaitLeft(BooleanSupplier condition, long timeoutNanos) {
    return changed.await(condition, timeoutNanos);
  }

  /** Closes the users, which keeps writers out already, once nobody is in. */
  boolean closePaused(long timeoutNanos) {
    changed.await(() -> closed() || (state.get() & ~FLAGS) == 0, timeoutNanos);
    return state.compareAndSet(PAUSED, CLOSED) || state.compareAndSet(PAUSED | READ_ONLY, CLOSED);
  }

  /**
   * Keeps writers out and waits for those inside; waits before that while another keeps them out.
   *
   * @return false, and writers may enter, when the time ran out or the partition was {@linkplain
   *     #shut shut} meanwhile
   */
  boolean pause(long timeoutNanos) {
    AtomicBoolean mine = new AtomicBoolean();
    changed.await(() -> closed() || (setFlag(PAUSED) && !mine.getAndSet(true)), timeoutNanos);
    if (!mine.get()) {
      return false;
    }
    changed.await(() -> closed() || writers() == 0, timeoutNanos);
    if (writers() > 0) {
      resume();
      return false;
    }
    return true;
  }

  /** Lets writers in again. */
  void resume() {
    clearFlag(PAUSED);
    changed.raise();
  }

  /** Waits until writers are no longer kept out. */
  Signal.Outcome awaitResumed(BooleanSupplier orElse, long timeoutNanos) {
    return changed.await(() -> (state.get() & PAUSED) == 0 || orElse.getAsBoolean(), timeoutNanos);
  }

  /** Whether writers are kept out. */
  boolean paused() {
    return (state.get() & PAUSED) != 0;
  }

  private boolean setFlag(long flag) {
    while (true) {
      long seen = state.get();
      if ((seen & flag) != 0) {
        return false;
      }
      if (state.compareAndSet(seen, seen | flag)) {
        return true;
      }
    }
  }

  private void clearFlag(long flag) {
    while (true) {
      long seen = state.get();
      if (state.compareAndSet(seen, seen & ~flag)) {
        return;
      }
    }
  }
}
