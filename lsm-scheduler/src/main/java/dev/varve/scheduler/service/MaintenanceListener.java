package dev.varve.scheduler.service;

import dev.varve.common.error.StorageException;

/**
 * Is told how flushes and merges end, on the worker that ran them and before the service counts
 * them as ended. It returns soon, may submit tasks and must not close the service.
 */
public interface MaintenanceListener {
  /** A task that may go on published its result. */
  default void published() {}

  /** A task published its result. */
  void finished(TaskReport task);

  /**
   * A task could not go on; it cleaned up, and its inputs are as they were. After a {@code
   * DiskException} the service goes on with other tasks, and it is up to the listener when to
   * submit the work again; after anything else {@link #poisoned} follows.
   */
  void failed(TaskReport task, StorageException cause);

  /**
   * The service has stopped for good: something happened after which it would be wrong to go on
   * writing. What waited is cancelled; told once, with the first cause.
   */
  void poisoned(Throwable cause);
}
