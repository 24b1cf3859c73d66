package dev.varve.common.maintenance;

/** Where indexes hand in their flushes and merges; the node's service takes them from there. */
@FunctionalInterface
public interface MaintenanceQueue {
  /**
   * Hands a task in; it is stepped later, flushes before merges. A queue that takes no more work
   * cancels the task before it returns.
   */
  void submit(MaintenanceTask task);
}
