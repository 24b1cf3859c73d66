package dev.varve.scheduler.service;

import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;

/**
 * A submitted task with its account. The task itself belongs to the worker that has taken it; the
 * account is guarded by the {@link TaskBoard}'s lock.
 */
final class TaskRun {
  private static final long NOT_STARTED = Long.MIN_VALUE;

  /** Whether a merge may find the space that it needs. */
  enum Space {
    /** It is worth looking. */
    UNKNOWN,
    /** There was too little, and nothing has changed since. */
    LACKING
  }

  /**
   * What merges have written up to a moment.
   *
   * @param node all merges of the service
   * @param index those of the task's index
   */
  record Written(long node, long index) {}

  private final long number;
  private final MaintenanceTask task;
  private final MaintenanceTask.Kind kind;
  private final MaintenanceTask.Depth depth;
  private final String description;
  private final String index;
  private final long inputBytes;
  private final long submittedNanos;
  private final Written before;
  private long startedNanos = NOT_STARTED;
  private long remainingInputBytes;
  private long writtenBytes;
  private boolean taken;
  private boolean reserved;
  private boolean lacksSpace;

  /**
   * A task that arrives.
   *
   * @param nowNanos time of its arrival
   * @param before what other merges have written before
   */
  TaskRun(long number, MaintenanceTask task, long nowNanos, Written before) {
    this.number = number;
    this.task = task;
    this.kind = task.kind();
    this.depth = task.depth();
    this.description = task.describe();
    this.index = task.index();
    this.inputBytes = task.remainingInputBytes();
    this.remainingInputBytes = inputBytes;
    this.submittedNanos = nowNanos;
    this.before = before;
  }

  MaintenanceTask task() {
    return task;
  }

  /** Which index it works on. */
  String index() {
    return index;
  }

  MaintenanceTask.Kind kind() {
    return kind;
  }

  /** How deep a merge is. */
  MaintenanceTask.Depth depth() {
    return depth;
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

  /** Whether the disk space that its result may need is its own. */
  boolean reserved() {
    return reserved;
  }

  void reserve() {
    reserved = true;
  }

  /** Whether it waits until other merges have freed space. */
  boolean lacksSpace() {
    return lacksSpace;
  }

  void setLacksSpace(Space space) {
    lacksSpace = space == Space.LACKING;
  }

  /** When it arrived. */
  long submittedNanos() {
    return submittedNanos;
  }

  long remainingInputBytes() {
    return remainingInputBytes;
  }

  long inputBytes() {
    return inputBytes;
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

  /** The merge as a scheduler of a scope sees it. */
  MergeProgress progress(MergeScheduler.Scope scope, Written now) {
    long all =
        switch (scope) {
          case NODE -> now.node() - before.node();
          case INDEX -> now.index() - before.index();
        };
    assert all >= 0 : description;
    return new MergeProgress(
        number, inputBytes, remainingInputBytes, writtenBytes, all, task.weight());
  }

  TaskReport report(TaskReport.State state, long nowNanos) {
    long started = started() ? startedNanos : nowNanos;
    return new TaskReport(
        number,
        kind,
        state,
        description,
        index,
        inputBytes,
        remainingInputBytes,
        writtenBytes,
        started - submittedNanos,
        nowNanos - started);
  }
}
