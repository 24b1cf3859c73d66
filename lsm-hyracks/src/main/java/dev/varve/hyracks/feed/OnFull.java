package dev.varve.hyracks.feed;

/** What a feed does when its source gives more than the dataset takes. */
public enum OnFull {
  /** The source waits. */
  THROTTLE,
  /**
   * Records wait in files of the node where the source is, in their order, as far as {@link
   * #MOST_SPILLED_BYTES}; then the source waits.
   */
  SPILL,
  /** Records for which there is no room are left out, and counted. */
  DISCARD;

  /** So many bytes of records wait in files at most, of each source. */
  public static final long MOST_SPILLED_BYTES = 4L << 30;
}
