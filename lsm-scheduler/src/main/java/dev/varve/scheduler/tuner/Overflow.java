package dev.varve.scheduler.tuner;

/**
 * A part of the node that grows faster than it is emptied (ADOC, section 4.1). When several
 * overflow in a window, the first of them in this order is dealt with (section 5).
 */
public enum Overflow {
  /** Level-0 merges do not keep up with flushes: L0O. */
  LEVEL_ZERO,
  /** Merges of deeper levels do not keep up with what becomes redundant: RDO. */
  REDUNDANCY,
  /** Flushes do not keep up with writers: MMO. */
  MEMORY
}
