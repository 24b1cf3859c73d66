package dev.varve.common.maintenance;

/**
 * A merge as a scheduler sees it.
 *
 * @param number which task it is; a later task has a higher number
 * @param inputBytes bytes of input when the merge arrived
 * @param remainingInputBytes bytes of input that are still to be read
 * @param writtenBytes bytes that the merge has written so far
 * @param allWrittenBytes bytes that all merges in the scheduler's scope together, this one
 *     included, have written since this one arrived: the time that it has been there, as their
 *     bandwidth counts it
 * @param weight what the merges of its index count beside those of others, at least 1
 */
public record MergeProgress(
    long number,
    long inputBytes,
    long remainingInputBytes,
    long writtenBytes,
    long allWrittenBytes,
    int weight) {
  /** Checks the weight. */
  public MergeProgress {
    assert weight >= 1 : weight;
  }

  /** Whether the merge has written anything yet. */
  public boolean started() {
    return writtenBytes > 0;
  }
}
