package dev.varve.common.page;

/**
 * What readers have of some components, when others are about to be written in their place or
 * beside them.
 *
 * @param bytes of the components
 * @param cachedBytes of these, bytes that readers asked for and that the buffer cache has, or are
 *     {@linkplain #expectedOf taken to want}
 * @param cacheBytes that the buffer cache may have, of anything
 * @param room which cache has room for what is written
 */
public record ReaderShare(long bytes, long cachedBytes, long cacheBytes, Room room) {
  /** Of components that nobody looked at, since there is no room. */
  public static final ReaderShare WITHOUT_ROOM = new ReaderShare(0, 0, 0, Room.NONE);

  /** Where what is written may stay in memory. */
  public enum Room {
    /** All open files fit into the buffer cache together with it. */
    BUFFER_CACHE,
    /** It does not fit in there, and the system has memory for it. */
    SYSTEM_CACHE,
    /** The system has not, either, or does not say. */
    NONE
  }

  /** The part of components, or of the cache, as a divisor, of which it matters to readers. */
  private static final int PART = 4;

  /**
   * What readers are taken to have of so many bytes that are written in place of the components,
   * until they have had time to ask for them: half as large a part, so that who reads no more is
   * forgotten after a few merges.
   */
  public long expectedOf(long newBytes) {
    return bytes == 0 ? 0 : (long) (newBytes * (cachedBytes / (2.0 * bytes)));
  }

  /**
   * Whether readers have so much that they want what is written next: a good part of the
   * components, or as much as the cache can have of components that are far larger.
   */
  boolean wanted() {
    return bytes > 0 && cachedBytes > 0 && cachedBytes >= Math.min(bytes, cacheBytes) / PART;
  }
}
