package dev.varve.hyracks.node;

import org.jspecify.annotations.Nullable;

/**
 * A job of the cluster failed for a reason that is not the storage engine's: a lost connection, an
 * operator's bug, a cancellation. What the engine threw inside a job comes out of the cluster as
 * the {@code StorageException} that it was.
 */
public final class JobFailedException extends Exception {
  private static final long serialVersionUID = 1L;

  /** Says what failed, and keeps what Hyracks threw. */
  public JobFailedException(String message, @Nullable Throwable cause) {
    super(message, cause);
  }
}
