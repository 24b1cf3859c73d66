package dev.varve.common.format;

/** What an optimistic read of one key, which neither waits nor pins, finds. */
public enum Lookup {
  /** The key is there. */
  FOUND,
  /** The key is not there. */
  ABSENT,
  /** The page is not in memory or was replaced meanwhile: the reader tries again with pins. */
  RETRY
}
