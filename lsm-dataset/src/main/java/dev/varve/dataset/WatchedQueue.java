package dev.varve.dataset;

import dev.varve.common.env.TaskExecutor;
import dev.varve.common.maintenance.MaintenanceQueue;
import dev.varve.common.maintenance.MaintenanceTask;
import org.jspecify.annotations.Nullable;

/** Hands tasks on and wakes the watchdog, whose thread it owns. Thread-safe. */
final class WatchedQueue implements MaintenanceQueue, AutoCloseable {
  private final MaintenanceQueue queue;
  private volatile TaskExecutor.@Nullable Handle watchdog;

  WatchedQueue(MaintenanceQueue queue) {
    this.queue = queue;
  }

  /** From now on this worker is woken. */
  void watch(TaskExecutor.Handle handle) {
    watchdog = handle;
  }

  @Override
  public void submit(MaintenanceTask task) {
    queue.submit(task);
    wake();
  }

  @Override
  public void published() {
    queue.published();
  }

  /** Something else begins that may take long. */
  void wake() {
    TaskExecutor.Handle handle = watchdog;
    if (handle != null) {
      handle.wake();
    }
  }

  /** Ends the watchdog. */
  @Override
  public void close() {
    TaskExecutor.Handle handle = watchdog;
    if (handle != null) {
      handle.close();
    }
  }
}
