package dev.varve.scheduler.tuner;

/**
 * Where RocksDB slows writers down and stops them.
 *
 * @param level0Slow at how many components of level 0 writers slow down
 * @param level0Stop at how many they stop
 * @param pendingSlowBytes at how many pending bytes they slow down
 * @param pendingStopBytes at how many they stop
 * @param delayedBytesPerSecond the rate at which a slow-down begins, and the most it ever lets
 *     through
 */
public record WriteLimits(
    int level0Slow,
    int level0Stop,
    long pendingSlowBytes,
    long pendingStopBytes,
    long delayedBytesPerSecond) {
  private static final long GIB = 1L << 30;
  private static final long MIB = 1L << 20;

  /** RocksDB's defaults: 20 and 36, 64 and 256 GB, 16 MB/s. */
  public static final WriteLimits ROCKSDB = new WriteLimits(20, 36, 64 * GIB, 256 * GIB, 16 * MIB);

  /**
   * ADOC's (section 2.3): 128 GB, and the rate of {@code db_bench}, which the paper measures with.
   */
  public static final WriteLimits ADOC = new WriteLimits(20, 36, 64 * GIB, 128 * GIB, 8 * MIB);

  /** Checks the order. */
  public WriteLimits {
    if (level0Slow < 1
        || level0Stop < level0Slow
        || pendingSlowBytes < 1
        || pendingStopBytes < pendingSlowBytes
        || delayedBytesPerSecond < 1) {
      throw new IllegalArgumentException(
          "writers slow down at %d components and stop at %d, at %d and %d bytes, to %d bytes/s"
              .formatted(
                  level0Slow,
                  level0Stop,
                  pendingSlowBytes,
                  pendingStopBytes,
                  delayedBytesPerSecond));
    }
  }

  /** The same where level 0 holds nobody back. */
  public WriteLimits withoutLevel0() {
    return new WriteLimits(
        Integer.MAX_VALUE,
        Integer.MAX_VALUE,
        pendingSlowBytes,
        pendingStopBytes,
        delayedBytesPerSecond);
  }

  /**
   * The same for an index that may have no more components than this: where that is fewer than
   * writers would stop at, they stop there, and slow down at the same part of it. Without limits of
   * level 0 there are none still.
   *
   * @param componentLimit at least 1
   */
  public WriteLimits within(int componentLimit) {
    if (componentLimit >= level0Stop || level0Stop == Integer.MAX_VALUE) {
      return this;
    }
    int slow = (int) Math.ceil((double) level0Slow * componentLimit / level0Stop);
    return new WriteLimits(
        Math.max(1, slow),
        componentLimit,
        pendingSlowBytes,
        pendingStopBytes,
        delayedBytesPerSecond);
  }

  /** The same where writers go on as fast as they can until they stop. */
  public WriteLimits stopOnly() {
    return new WriteLimits(
        level0Stop, level0Stop, pendingStopBytes, pendingStopBytes, delayedBytesPerSecond);
  }

  /** The same for a node that has a part of the data and the bandwidth. */
  public WriteLimits scaledBy(double part) {
    return new WriteLimits(
        level0Slow,
        level0Stop,
        Math.max(1, Math.round(pendingSlowBytes * part)),
        Math.max(1, Math.round(pendingStopBytes * part)),
        Math.max(1, Math.round(delayedBytesPerSecond * part)));
  }
}
