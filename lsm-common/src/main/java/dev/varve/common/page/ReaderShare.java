package dev.varve.common.page;

/**
 * What readers have of some components, when others are about to be written in their place or
 * beside them.
 *
 * @param bytes of the components
 * @param cachedBytes of these, bytes that readers asked for and that the buffer cache has
 * @param room whether all open files fit into the buffer cache together with what is written
 */
public record ReaderShare(long bytes, long cachedBytes, boolean room) {
  /** Of components that nobody looked at, since there is no room. */
  public static final ReaderShare WITHOUT_ROOM = new ReaderShare(0, 0, false);

  /** The part of components, as a divisor, of which it matters that readers have it. */
  private static final int PART = 4;

  /** Whether readers have so much that they want what is written next. */
  boolean wanted() {
    return bytes > 0 && cachedBytes >= bytes / PART;
  }
}
