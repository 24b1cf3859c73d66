package dev.varve.simulator;

/**
 * A device and what a thread gets out of it. ADOC's four (Table 1) differ in more than bandwidth: a
 * thread that merges cannot use a fast one by itself, and a disk with a head loses time between
 * streams. The paper prints the bandwidths; all else is this model's, so that its claims have
 * something to be held against.
 *
 * @param name for reports
 * @param bytesPerSecond what it moves with one stream, reads and writes together
 * @param mergeThreadBytesPerSecond what one merge reads and writes at most
 * @param flushThreadBytesPerSecond what one flush writes at most
 * @param threadLoss what every further stream costs each thread, in parts of the time alone:
 *     processors, caches and locks are shared, too
 * @param streamLoss what every further stream costs the device, in the same way: a disk's head
 * @param requestSeconds what a read of one page takes
 */
public record FlowDevice(
    String name,
    long bytesPerSecond,
    double mergeThreadBytesPerSecond,
    double flushThreadBytesPerSecond,
    double threadLoss,
    double streamLoss,
    double requestSeconds) {
  private static final long MEGABYTE = 1_000_000;

  /** Intel Optane DC persistent memory: 2300 MB/s, moved by the processor itself. */
  public static final FlowDevice PM = of("PM", 2300, new Threads(300, 250, 0.06), 0, 2e-6);

  /** Samsung 970 PRO: 2700 MB/s. */
  public static final FlowDevice NVME = of("NVMe SSD", 2700, new Threads(240, 220, 0.04), 0, 80e-6);

  /** Intel DC S4500: 490 MB/s. */
  public static final FlowDevice SSD =
      of("SATA SSD", 490, new Threads(160, 200, 0.03), 0.01, 150e-6);

  /** Seagate ST1000DM010: 210 MB/s. */
  public static final FlowDevice HDD = of("SATA HDD", 210, new Threads(120, 150, 0.03), 0.05, 8e-3);

  /** Checks the rates. */
  public FlowDevice {
    if (bytesPerSecond < 1
        || !(mergeThreadBytesPerSecond > 0)
        || !(flushThreadBytesPerSecond > 0)
        || !(threadLoss >= 0)
        || !(streamLoss >= 0)
        || !(requestSeconds >= 0)) {
      throw new IllegalArgumentException(
          ("device %s: %d bytes/s, %f by a merge, %f by a flush; %f and %f lost by a stream;"
                  + " %f s a request")
              .formatted(
                  name,
                  bytesPerSecond,
                  mergeThreadBytesPerSecond,
                  flushThreadBytesPerSecond,
                  threadLoss,
                  streamLoss,
                  requestSeconds));
    }
  }

  private static FlowDevice of(
      String name, long device, Threads threads, double streamLoss, double requestSeconds) {
    return new FlowDevice(
        name,
        device * MEGABYTE,
        threads.merge * MEGABYTE,
        threads.flush * MEGABYTE,
        threads.loss,
        streamLoss,
        requestSeconds);
  }

  /** Megabytes per second. */
  private record Threads(double merge, double flush, double loss) {}

  /** What so many streams get together. */
  double bytesPerSecond(int streams) {
    return bytesPerSecond / (1 + streamLoss * Math.max(0, streams - 1));
  }

  /** What a thread gets at most beside so many streams, itself included. */
  double threadBytesPerSecond(FlowJob.Kind kind, int streams) {
    double alone =
        kind == FlowJob.Kind.FLUSH ? flushThreadBytesPerSecond : mergeThreadBytesPerSecond;
    return alone / (1 + threadLoss * Math.max(0, streams - 1));
  }
}
