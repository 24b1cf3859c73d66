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

  private ChildHeap() {}

  /** The arguments for a store that keeps {@code storeBytes} on the heap. */
  public static List<String> arguments(long storeBytes, String... further) {
    List<String> arguments = new ArrayList<>();
    arguments.add("-Xmx" + ((storeBytes + ALLOWANCE_BYTES) >> 20) + "m");
    // What a store keeps on the heap is read at random: with small pages each read waits for the
    // page table, too.
    arguments.add("-XX:+UseTransparentHugePages");
    arguments.addAll(List.of(further));
    return List.copyOf(arguments);
  }
}
