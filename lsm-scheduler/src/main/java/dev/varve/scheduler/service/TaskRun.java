package dev.varve.scheduler.service;

import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.maintenance.MergeProgress;

/**
 * A submitted task with its account. The task itself belongs to the worker that has taken it; the
 * account is guarded by the {@link TaskBoard}'s lock.
 */
final class TaskRun {
  private static final long NOT_STARTED = Long.MIN_VALUE;

  private final long number;
  private final MaintenanceTask task;
  private final MaintenanceTask.Kind kind;
  private final String description;
  private final long inputBytes;
  private final long submittedNanos;
  private final long allWrittenBefore;
  private long startedNanos = NOT_STARTED;
  private long remainingInputBytes;
  private long writtenBytes;
  private boolean taken;

  /**
   * A task that arrives.
   *
   * @param nowNanos time of its arrival
   * @param allWrittenBefore what all merges of the service have written before
   */
  TaskRun(long number, MaintenanceTask task, long nowNanos, long allWrittenBefore) {
    this.number = number;
    this.task = task;
    this.kind = task.kind();
    this.description = task.describe();
    this.inputBytes = task.remainingInputBytes();
    this.remainingInputBytes = inputBytes;
    this.submittedNanos = nowNanos;
    this.allWrittenBefore = allWrittenBefore;
  }

  MaintenanceTask task() {
    return task;
  }

  MaintenanceTask.Kind kind() {
    return kind;
  }

  boolean taken() {
    return taken;
  }

  boolean started() {
    return startedNanos != NOT_STARTED;
  }

  long number() {
    return number;
  }

  /** A worker takes the task for a step. */
  void take(long nowNanos) {
    assert !taken : description;
    taken = true;
    if (!started()) {
      startedNanos = nowNanos;
    }
  }

  /** Accounts for a step. */
  void stepped(long written, long remaining) {
    assert taken : description;
    writtenBytes += written;
    remainingInputBytes = remaining;
  }

  /** The worker lets another one, or itself, take the task again. */
  void giveBack() {
    assert taken : description;
    taken = false;
  }

  MergeProgress progress(long allWrittenBytes) {
    assert allWrittenBytes >= allWrittenBefore : description;
    return new MergeProgress(
        number, inputBytes, remainingInputBytes, writtenBytes, allWrittenBytes - allWrittenBefore);
  }

  TaskReport report(long nowNanos) {
    long started = started() ? startedNanos : nowNanos;
    return new TaskReport(
        number,
        kind,
        description,
        inputBytes,
        remainingInputBytes,
        writtenBytes,
        started - submittedNanos,
        nowNanos - started);
  }
}
