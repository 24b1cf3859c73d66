package dev.varve.benchmarks.store;

import java.util.ArrayList;
import java.util.List;

/**
 * The heap of the JVM that a store runs in. Peak memory is compared, so each store gets what it
 * keeps on the heap by its own options, and the same allowance for everything else.
 */
public final class ChildHeap {
  /** For the harness, and for what a store allocates on the way. */
  static final long ALLOWANCE_BYTES = 256L << 20;

  /** What a heap begins with that holds a store. */
  private static final long INITIAL_BYTES = 384L << 20;

  private ChildHeap() {}

  /** The arguments for a store that keeps {@code storeBytes} on the heap. */
  public static List<String> arguments(long storeBytes, String... further) {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Xmx" + ((storeBytes + ALLOWANCE_BYTES) >> 20) + "m");
    // What a store keeps on the heap is read at random: with small pages each read waits for the
    // page table, too.
    arguments.add("-XX:+UseTransparentHugePages");
    if (storeBytes > 0) {
      // The system clears each page of a heap when it is first touched, which took a sixth of a
      // loading writer's time: a server's heap is touched before it serves anybody.
      arguments.add("-Xms" + (Math.min(INITIAL_BYTES, storeBytes + ALLOWANCE_BYTES) >> 20) + "m");
      arguments.add("-XX:+AlwaysPreTouch");
    }
    arguments.addAll(List.of(further));
    return List.copyOf(arguments);
  }
}
