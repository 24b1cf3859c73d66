package dev.varve.scheduler.service;

import dev.varve.common.maintenance.MaintenanceTask.Kind;

/**
 * A flush or merge, as it stands or as it ended.
 *
 * @param number counts the tasks of the service from 1, in the order of their submission
 * @param kind flush or merge
 * @param state whether it goes on now
 * @param description index and components
 * @param index which index it works on
 * @param inputBytes bytes of input when it was submitted
 * @param remainingInputBytes bytes of input still to be read
 * @param writtenBytes bytes written so far
 * @param queuedNanos how long it waited for its first step
 * @param runningNanos time since the beginning of its first step, pauses included
 */
public record TaskReport(
    long number,
    Kind kind,
    State state,
    String description,
    String index,
    long inputBytes,
    long remainingInputBytes,
    long writtenBytes,
    long queuedNanos,
    long runningNanos) {
  /** Whether a task goes on. */
  public enum State {
    /** It has not begun: others go first. */
    WAITING,
    /** It has its part of the disk, or is next. */
    RUNNING,
    /** The scheduler leaves it out for others; what it has written stays. */
    PAUSED,
    /** It begins when other merges have freed the space that it may need. */
    NO_SPACE
  }

  /** Whether its first step has begun. */
  public boolean begun() {
    return runningNanos > 0 || writtenBytes > 0;
  }

  /** How much of the input is read, from 0 to 1. */
  public double progress() {
    return inputBytes == 0 ? 0 : 1 - Math.min(1, (double) remainingInputBytes / inputBytes);
  }
}
