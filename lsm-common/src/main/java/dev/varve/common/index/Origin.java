package dev.varve.common.index;

/**
 * Where the newest state of a key was found. What was found on disk is committed (no-steal); what
 * was found in memory may be another transaction's, and counts only if that one is not running.
 */
public enum Origin {
  /** No component has the key. */
  NOWHERE,
  /** A memory component has it. */
  MEMORY,
  /** A disk component has it. */
  DISK
}
