package dev.varve.scheduler.tuner;

/**
 * Between what a tuner may choose, and from where on something overflows. Everything in bytes
 * scales with the node: a tenth of the data goes with a tenth of each.
 *
 * @param mostThreads merge and flush threads together, at least 2
 * @param memoryStepBytes how much a memory component grows at a time, and the least it has
 * @param mostMemoryBytes the most it has, at least a step
 * @param deviceBytesPerSecond what the device does; rivals of ADOC have to be told
 * @param level0Slow with more components than this, level 0 overflows
 * @param pendingSlowBytes with more pending bytes than this, redundancy overflows
 */
public record TunerLimits(
    int mostThreads,
    long memoryStepBytes,
    long mostMemoryBytes,
    long deviceBytesPerSecond,
    int level0Slow,
    long pendingSlowBytes) {
  private static final long MIB = 1L << 20;

  /** Checks the order. */
  public TunerLimits {
    if (mostThreads < 2
        || memoryStepBytes < 1
        || mostMemoryBytes < memoryStepBytes
        || deviceBytesPerSecond < 1
        || level0Slow < 1
        || pendingSlowBytes < 1) {
      throw new IllegalArgumentException(
          ("%d threads, memory components from %d to %d bytes, %d bytes per second; overflow above"
                  + " %d components, %d bytes")
              .formatted(
                  mostThreads,
                  memoryStepBytes,
                  mostMemoryBytes,
                  deviceBytesPerSecond,
                  level0Slow,
                  pendingSlowBytes));
    }
  }

  /**
   * As ADOC prints them: steps of 64 MB up to 512 MB, overflow at 20 components and at 64 GB; the
   * paper looks at no more than 20 threads.
   */
  public static TunerLimits paper(long deviceBytesPerSecond) {
    return new TunerLimits(20, 64 * MIB, 512 * MIB, deviceBytesPerSecond, 20, 64 * 1024 * MIB);
  }

  /** The same where level 0 and redundancy overflow when writers are slowed down. */
  public TunerLimits overflowingAt(WriteLimits limits) {
    return new TunerLimits(
        mostThreads,
        memoryStepBytes,
        mostMemoryBytes,
        deviceBytesPerSecond,
        limits.level0Slow(),
        limits.pendingSlowBytes());
  }

  /** The same for a node that has a part of the data, the memory and the bandwidth. */
  public TunerLimits scaledBy(double part) {
    return new TunerLimits(
        mostThreads,
        scaled(memoryStepBytes, part),
        scaled(mostMemoryBytes, part),
        scaled(deviceBytesPerSecond, part),
        level0Slow,
        scaled(pendingSlowBytes, part));
  }

  private static long scaled(long bytes, double part) {
    return Math.max(1, Math.round(bytes * part));
  }

  /** A setting within these bounds. */
  TunerSetting bounded(TunerSetting setting) {
    TunerSetting threads =
        setting.threads() > mostThreads ? setting.withThreads(mostThreads) : setting;
    return threads.withMemoryBytes(
        Math.max(memoryStepBytes, Math.min(mostMemoryBytes, setting.memoryBytes())));
  }
}
