package dev.varve.common.index;

/**
 * What operations take of the heap in the memory components of an index, or of several. What a
 * component holds when it is empty is not part of it: no flush would ever free that.
 *
 * @param writableBytes in components that take writers
 * @param sealedBytes in components whose flush has not ended
 * @param sealedComponents how many of those there are
 */
public record MemoryUse(long writableBytes, long sealedBytes, int sealedComponents) {
  /** Nothing is written. */
  public static final MemoryUse NONE = new MemoryUse(0, 0, 0);

  /** Both together. */
  public MemoryUse plus(MemoryUse other) {
    return new MemoryUse(
        writableBytes + other.writableBytes,
        sealedBytes + other.sealedBytes,
        sealedComponents + other.sealedComponents);
  }

  /** Whether something is sealed whose flush has not ended. */
  public boolean flushPending() {
    return sealedComponents > 0;
  }

  /** Bytes in all components. */
  public long bytes() {
    return writableBytes + sealedBytes;
  }
}
