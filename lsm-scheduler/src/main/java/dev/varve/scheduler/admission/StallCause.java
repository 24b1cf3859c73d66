package dev.varve.scheduler.admission;

/**
 * Why writers have to wait. When several hold at once, the first of them in this order is the one
 * that is reported.
 */
public enum StallCause {
  /** A flush failed, and until one succeeds no memory comes free. */
  DISK_SPACE,
  /** Every memory component of an index is full and waits for its flush, or all together are. */
  MEMORY_FULL,
  /** The memory that all datasets share is full: flushes have to free some, of any dataset. */
  MEMORY_BUDGET,
  /** An index has as many disk components as its limit allows: merges have to catch up. */
  COMPONENT_LIMIT,
  /** The log is at its limit: flushes have to let its low-water mark advance. */
  LOG_SPACE,
  /** Nothing is full: the gate slows writes down, or caps their rate. */
  PACE
}
