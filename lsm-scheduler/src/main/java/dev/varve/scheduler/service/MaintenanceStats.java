package dev.varve.scheduler.service;

import java.util.List;

/**
 * What a maintenance service has done and is doing.
 *
 * @param flushes what happened to flushes
 * @param merges what happened to merges
 * @param tasks all that have not ended, in the order of their submission
 * @param threads how many threads there are, and what they had to do
 */
public record MaintenanceStats(
    Counts flushes, Counts merges, List<TaskReport> tasks, Threads threads) {
  /** Copies the list. */
  public MaintenanceStats {
    tasks = List.copyOf(tasks);
  }

  /** Tasks that have begun and not ended, paused ones included. */
  public List<TaskReport> running() {
    return tasks.stream().filter(TaskReport::begun).toList();
  }

  /**
   * Threads of a service. Times are sums over all threads since it was started.
   *
   * @param merge how many merges write at the same moment
   * @param flush how many flushes do
   * @param mergeNanos time in which merge threads had a merge, pauses for the budget included
   * @param flushNanos time in which flush threads had a flush
   * @param mergeReadBytes input that merges have read
   * @param sealToFlushedNanos time from the submission of a flush, which is its component's seal
   *     unless a writer or an older flush was in the way, to its end; of those that finished
   */
  public record Threads(
      int merge,
      int flush,
      long mergeNanos,
      long flushNanos,
      long mergeReadBytes,
      long sealToFlushedNanos) {}

  /**
   * Counters of one kind of task.
   *
   * @param finished tasks that published their result
   * @param failed tasks that ended with an exception
   * @param cancelled tasks given up when the service closed
   * @param writtenBytes bytes written, by tasks of any fate
   * @param waiting tasks that have not begun
   * @param longestQueuedNanos the longest that a task waited for its first step
   * @param budgetNanos time that workers paused for the I/O budget
   */
  public record Counts(
      long finished,
      long failed,
      long cancelled,
      long writtenBytes,
      int waiting,
      long longestQueuedNanos,
      long budgetNanos) {}
}
