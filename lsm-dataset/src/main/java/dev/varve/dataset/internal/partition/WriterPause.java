package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;

/**
 * Being in a partition as a reader, with writers kept out. A transaction or session of the thread
 * must not have changes under way there. Closing lets writers in again, and leaves.
 */
final class WriterPause implements AutoCloseable {
  private final PartitionLifecycle lifecycle;
  private final PartitionIndexes indexes;

  /**
   * Waits for the writers that are in.
   *
   * @throws ConflictException with {@code STALLED} when they stay
   */
  @MustBeClosed
  WriterPause(PartitionLifecycle lifecycle) throws StorageException {
    this.lifecycle = lifecycle;
    lifecycle.enterRead();
    boolean alone = false;
    try {
      alone = lifecycle.users().pause(lifecycle.node().stallTimeoutNanos());
    } finally {
      if (!alone) {
        lifecycle.users().leaveRead();
      }
    }
    if (!alone) {
      throw ConflictException.afterWait(
          ConflictException.Reason.STALLED,
          "writers, a bulk load or a verification stay in "
              + lifecycle.descriptor().describe()
              + ": "
              + lifecycle.inUse().stream().map(LeftOpen::description).toList());
    }
    // Whoever was waited for may have added or dropped an index.
    this.indexes = lifecycle.entered();
  }

  /** The indexes that are there while writers are kept out. */
  PartitionIndexes indexes() {
    return indexes;
  }

  @Override
  public void close() {
    lifecycle.users().resume();
    lifecycle.users().leaveRead();
  }
}
