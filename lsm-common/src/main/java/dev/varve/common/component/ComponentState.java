package dev.varve.common.component;

/**
 * The life of a component. A component changes state only by {@link #after}, and only as this table
 * says; everything else is a bug and throws.
 *
 * <pre>
 *  state     event         next
 *  WRITABLE  SEAL          SEALED     no new writer enters; writers inside finish (no-steal)
 *  SEALED    FLUSH_BEGINS  FLUSHING   its last writer has left
 *  FLUSHING  FLUSH_FAILS   SEALED     what was written is removed; the flush is tried again
 *  FLUSHING  FLUSH_ENDS    RETIRED    its disk component is published in its place
 *  ACTIVE    MERGE_BEGINS  MERGING    a disk component that a merge reads
 *  MERGING   MERGE_FAILS   ACTIVE     what was written is removed; inputs stay
 *  MERGING   MOVE_ENDS     ACTIVE     it is at the next level, as it is
 *  MERGING   MERGE_ENDS    RETIRED    the result is published in its place
 * </pre>
 *
 * A memory component begins WRITABLE, a disk component ACTIVE. RETIRED is the end: snapshots may
 * still read the component, and its file is deleted when the last one lets go.
 */
public enum ComponentState {
  /** A memory component that takes writers. */
  WRITABLE,
  /** A memory component that takes no new writer. */
  SEALED,
  /** A memory component whose entries are being written to disk. */
  FLUSHING,
  /** A disk component that no merge reads. */
  ACTIVE,
  /** A disk component that a waiting or running merge reads or moves. */
  MERGING,
  /** A component that another one has replaced. */
  RETIRED;

  /** What can happen to a component. */
  public enum Event {
    /** The memory component is full, or is wanted on disk. */
    SEAL,
    /** A flush starts to read it. */
    FLUSH_BEGINS,
    /** The flush gave up. */
    FLUSH_FAILS,
    /** The flush published its result. */
    FLUSH_ENDS,
    /** A merge has chosen it. */
    MERGE_BEGINS,
    /** The merge gave up. */
    MERGE_FAILS,
    /** The component was handed down to the next level. */
    MOVE_ENDS,
    /** The merge published its result. */
    MERGE_ENDS
  }

  /**
   * The state that follows.
   *
   * @throws IllegalStateException when the table does not have this pair
   */
  public ComponentState after(Event event) {
    return switch (event) {
      case SEAL -> from(WRITABLE, event, SEALED);
      case FLUSH_BEGINS -> from(SEALED, event, FLUSHING);
      case FLUSH_FAILS -> from(FLUSHING, event, SEALED);
      case FLUSH_ENDS -> from(FLUSHING, event, RETIRED);
      case MERGE_BEGINS -> from(ACTIVE, event, MERGING);
      case MERGE_FAILS -> from(MERGING, event, ACTIVE);
      case MOVE_ENDS -> from(MERGING, event, ACTIVE);
      case MERGE_ENDS -> from(MERGING, event, RETIRED);
    };
  }

  private ComponentState from(ComponentState required, Event event, ComponentState next) {
    if (this != required) {
      throw new IllegalStateException("a component that is " + this + " cannot " + event);
    }
    return next;
  }
}
