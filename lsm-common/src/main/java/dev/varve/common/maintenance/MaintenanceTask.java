package dev.varve.common.maintenance;

import dev.varve.common.error.StorageException;

/**
 * A flush or a merge as work in steps, so that a scheduler can pause it between page batches and
 * charge its bytes. Stepped by one thread at a time; the step that ends it publishes the result.
 */
public interface MaintenanceTask {
  /** What a task is, in the order in which a device serves them. */
  enum Kind {
    /** A memory component becomes a disk component. */
    FLUSH,
    /** Disk components become one. */
    MERGE
  }

  /** Flush or merge. */
  Kind kind();

  /** Index and components, for reports. */
  String describe();

  /** Bytes of input that are still to be read; what greedy scheduling orders merges by. */
  long remainingInputBytes();

  /**
   * Goes on until about {@code maxBytes} were written, or the task is done.
   *
   * @return bytes written in this step
   * @throws StorageException when the task cannot go on: what it wrote is removed, its inputs stay
   */
  long step(long maxBytes) throws StorageException;

  /** Whether the result is published and no step is left. */
  boolean done();

  /** Gives the task up: what it wrote is removed, its inputs stay. Idempotent. */
  void cancel();
}
