package dev.varve.scheduler.admission;

import dev.varve.scheduler.tuner.StallClass;
import java.util.Optional;

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
  /** More bytes wait for merges than the write controller allows. */
  PENDING_BYTES,
  /** Nothing is full: the write controller slows writes down by the components of level 0. */
  LEVEL_ZERO_PACE,
  /** Nothing is full: the write controller slows writes down by what waits for merges. */
  PENDING_BYTES_PACE,
  /** Nothing is full: the gate slows writes down, or caps their rate. */
  PACE;

  /** Whether writers wait for time to pass, and not for a flush or merge. */
  public boolean paces() {
    return switch (this) {
      case LEVEL_ZERO_PACE, PENDING_BYTES_PACE, PACE -> true;
      default -> false;
    };
  }

  /** In which of ADOC's classes it is; empty for a gate that the paper does not have. */
  public Optional<StallClass> stallClass() {
    return switch (this) {
      case DISK_SPACE, MEMORY_FULL, MEMORY_BUDGET, LOG_SPACE -> Optional.of(StallClass.MEMORY);
      case COMPONENT_LIMIT, LEVEL_ZERO_PACE -> Optional.of(StallClass.LEVEL_ZERO);
      case PENDING_BYTES, PENDING_BYTES_PACE -> Optional.of(StallClass.PENDING_BYTES);
      case PACE -> Optional.empty();
    };
  }
}
