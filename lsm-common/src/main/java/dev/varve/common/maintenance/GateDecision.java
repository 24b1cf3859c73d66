package dev.varve.common.maintenance;

/** What a write gate says. */
public sealed interface GateDecision {
  /** Writes may begin. */
  record Open() implements GateDecision {}

  /**
   * Writes may begin, but no faster than this.
   *
   * @param bytesPerSecond how much all writers together may write, at least 1
   * @param holder who or what is in the way, with its numbers, for people
   */
  record Paced(long bytesPerSecond, String holder) implements GateDecision {}

  /**
   * Writes wait, before they hold a lock or log space.
   *
   * @param cause what they wait for
   * @param holder who or what is in the way, with its numbers, for people
   */
  record Closed(StallCause cause, String holder) implements GateDecision {}
}
