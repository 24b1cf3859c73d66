package dev.varve.common.format;

/** What a look that neither waits nor keeps anything in memory makes out. */
public enum Sight {
  /** The key is there. */
  FOUND,
  /** The key is not there. */
  ABSENT,
  /** A proper look is needed. */
  UNKNOWN
}
