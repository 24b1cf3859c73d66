package dev.varve.scheduler.service;

import java.util.List;
import java.util.Map;

/**
 * What a maintenance service has done and is doing.
 *
 * @param flushes what happened to flushes
 * @param merges what happened to merges
 * @param tasks all that have not ended, in the order of their submission
 * @param threads how many threads there are, and what they had to do
 * @param flushTimes by index, as tasks name it, how long its flushes took; of a bounded number of
 *     indexes, those that were flushed first left out
 */
public record MaintenanceStats(
    Counts flushes,
    Counts merges,
    List<TaskReport> tasks,
    Threads threads,
    Map<String, FlushTimes> flushTimes) {
  /** Copies list and map. */
  public MaintenanceStats {
    tasks = List.copyOf(tasks);
    flushTimes = Map.copyOf(flushTimes);
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
   * How long flushes took.
   *
   * @param flushes how many ended
   * @param nanos from the submission of each, which is its component's seal unless a writer or an
   *     older flush was in the way, to its end, added up
   */
  public record FlushTimes(long flushes, long nanos) {
    /** No flush. */
    public static final FlushTimes NONE = new FlushTimes(0, 0);

    FlushTimes plus(FlushTimes others) {
      return new FlushTimes(flushes + others.flushes, nanos + others.nanos);
    }

    /** The mean; 0 when there was none. */
    public double meanSeconds() {
      return flushes == 0 ? 0 : nanos / 1e9 / flushes;
    }
  }

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
