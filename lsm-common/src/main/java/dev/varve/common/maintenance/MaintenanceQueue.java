package dev.varve.common.maintenance;

/** Where indexes hand in their flushes and merges; the node's service takes them from there. */
@FunctionalInterface
public interface MaintenanceQueue {
  /**
   * Hands a task in; it is stepped later, flushes before merges. A queue that takes no more work
   * cancels the task before it returns.
   */
  void submit(MaintenanceTask task);

  /**
   * A task has published what it made, and what that sets off is handed in; the task may have more
   * to do, as to delete what it replaced. Who waits for room may look for it.
   */
  default void published() {}
}
