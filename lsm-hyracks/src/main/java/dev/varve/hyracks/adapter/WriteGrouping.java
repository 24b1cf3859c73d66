package dev.varve.hyracks.adapter;

/**
 * What is acknowledged together of the changes that stock operators make in a job with {@link
 * JobWrites}; travels inside the job.
 */
public enum WriteGrouping {
  /** The tuples of a frame, by one force of the log; what a failed job had done stays. */
  FRAME,
  /** All tuples that the job writes to an index by one task, by one transaction, or none. */
  JOB
}
