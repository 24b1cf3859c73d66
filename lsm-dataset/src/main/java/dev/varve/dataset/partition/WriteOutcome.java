package dev.varve.dataset.partition;

/** What an upsert or delete met. */
public enum WriteOutcome {
  /** No record had the key. */
  ABSENT,
  /** A record had the key; it was replaced or deleted. */
  PRESENT
}
