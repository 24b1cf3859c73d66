package dev.varve.dataset.model;

/**
 * What a transaction sees of what others change while it is open. Its writes are the same: under
 * locks, held to its end.
 */
public enum Isolation {
  /**
   * Reads by key lock what they read, scans and searches see what is committed when they read it. A
   * transaction that reads only by key is serializable.
   */
  LOCKED_READS,
  /**
   * All reads are as of the moment at which the transaction began, with its own changes, and lock
   * nothing; a change of what another has changed since is refused with {@code WRITE_CONFLICT}, so
   * that the first to commit wins. Two transactions may each change what the other has only read.
   */
  SNAPSHOT
}
