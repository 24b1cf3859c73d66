package dev.varve.benchmarks.store;

import java.util.ArrayList;
import java.util.List;

/**
 * The heap of the JVM that a store runs in, and nothing else: collector, pages and young generation
 * are the JVM's defaults, for every store alike. Peak memory is compared, so each store gets what
 * it keeps on the heap by its own options, a quarter more for the collector, and the same allowance
 * for everything else.
 */
public final class ChildHeap {
  /** For the harness, and for what a store allocates on the way. */
  static final long ALLOWANCE_BYTES = 256L << 20;

  /** What a collector needs beside what lives, as a share of that. */
  private static final double COLLECTOR_SHARE = 0.25;

  private ChildHeap() {}

  /**
   * The arguments for a store that keeps {@code storeBytes} on the heap.
   *
   * @param doors that its library needs opened
   */
  public static List<String> arguments(long storeBytes, String... doors) {
    assert storeBytes >= 0;
    List<String> arguments = new ArrayList<>();
    long bytes = storeBytes + (long) (COLLECTOR_SHARE * storeBytes) + ALLOWANCE_BYTES;
    arguments.add("-Xmx" + (bytes >> 20) + "m");
    arguments.addAll(List.of(doors));
    return List.copyOf(arguments);
  }
}
