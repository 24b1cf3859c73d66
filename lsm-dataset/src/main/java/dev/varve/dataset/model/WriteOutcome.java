package dev.varve.dataset.model;

/** What an upsert or delete met. */
public enum WriteOutcome {
  /** No record had the key. */
  ABSENT,
  /** A record had the key; it was replaced or deleted. */
  PRESENT,
  /**
   * Nobody looked: no secondary index needed to know. In a dataset without secondary indexes, or
   * whose indexes are kept lazily, upserts and deletes outside of transactions look nothing up.
   */
  UNKNOWN
}
