package dev.varve.common.maintenance;

/**
 * A merge as a scheduler sees it.
 *
 * @param number which task it is; a later task has a higher number
 * @param inputBytes bytes of input when the merge arrived
 * @param remainingInputBytes bytes of input that are still to be read
 * @param writtenBytes bytes written so far
 */
public record MergeProgress(
    long number, long inputBytes, long remainingInputBytes, long writtenBytes) {
  /** Whether the merge has written anything yet. */
  public boolean started() {
    return writtenBytes > 0;
  }
}
