package dev.varve.dataset.internal.partition;

import dev.varve.common.error.DiskException;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.transaction.log.TransactionLog;
import org.jspecify.annotations.Nullable;

/**
 * Whether the engine is open and its log is well. Thread-safe.
 *
 * <p>After a failure of the log every later write throws the first cause; reads go on, except of
 * records whose commit is of unknown outcome, which stay locked.
 */
public final class NodeHealth {
  private final TransactionLog log;
  private volatile boolean closed;
  private volatile boolean readOnly;
  private volatile @Nullable Throwable poison;

  /** A commit is in the log that is not in memory; null while there is none. */
  private volatile @Nullable StorageException lostCommit;

  /** The health of an engine over a log. */
  public NodeHealth(TransactionLog log) {
    this.log = log;
  }

  /** The engine closes: every later call throws {@link IllegalStateException}. */
  public void close() {
    closed = true;
  }

  /** The engine was opened to be read: every later write is refused. */
  public void refuseWrites() {
    readOnly = true;
  }

  /** Maintenance has stopped for good: every later write throws the cause. */
  public void poison(Throwable cause) {
    poison = cause;
  }

  /**
   * A commit is in the log, and its operation did not get into memory: every later write throws,
   * and so does who would wait for it, until recovery has brought it back.
   */
  void commitLost(Throwable cause) {
    StorageException lost =
        new DiskException("memory component", "apply a committed operation", cause);
    lostCommit = lost;
    poison = lost;
  }

  /** Whether the engine was closed. */
  public boolean closed() {
    return closed;
  }

  /** Whether the log takes records and maintenance runs. */
  public boolean well() {
    return log.failure() == null && poison == null;
  }

  /** Throws when the engine was closed. */
  public void requireOpen() {
    if (closed) {
      throw new IllegalStateException("the engine is closed");
    }
  }

  /** Throws when the engine was closed, is there to be read only, or its log has failed. */
  public void requireWritable() throws StorageException {
    requireChangeable();
    requireWell();
  }

  /** Throws when the engine was closed, or is there to be read only. */
  public void requireChangeable() throws StorageException {
    requireOpen();
    if (readOnly) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "the engine was opened to be read only; open it with StorageEngine.open to change it");
    }
  }

  /** Throws the cause when the log has failed or maintenance has stopped, closed or not. */
  public void requireWell() throws StorageException {
    StorageException failure = log.failure();
    if (failure != null) {
      throw failure;
    }
    Throwable cause = poison;
    if (cause instanceof StorageException storage) {
      throw storage;
    }
    if (cause != null) {
      throw new IllegalStateException("maintenance has stopped; reopen the engine", cause);
    }
  }

  /**
   * Throws when the log has failed, or a commit was lost on its way into memory, to whoever would
   * wait for a commit that never comes.
   */
  void requireOutcomes() throws OutcomeUnknownException {
    @Nullable StorageException failure = log.failure();
    if (failure == null) {
      failure = lostCommit;
    }
    if (failure != null) {
      throw new OutcomeUnknownException(failure);
    }
  }
}
