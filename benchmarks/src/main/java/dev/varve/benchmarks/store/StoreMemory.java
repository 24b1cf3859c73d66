package dev.varve.benchmarks.store;

/**
 * Bytes that a store may use.
 *
 * @param cacheBytes memory for what is read
 * @param writeBytes memory for what is written, two memory components of half of it each where the
 *     store has such
 */
public record StoreMemory(long cacheBytes, long writeBytes) {
  /** All of it. */
  public long totalBytes() {
    return cacheBytes + writeBytes;
  }

  /** The same memory for writes beside another cache. */
  public StoreMemory withCacheBytes(long bytes) {
    return new StoreMemory(bytes, writeBytes);
  }
}
