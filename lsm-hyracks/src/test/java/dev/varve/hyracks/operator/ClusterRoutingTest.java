package dev.varve.hyracks.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.dataset.model.Routing;
import org.junit.jupiter.api.Test;

/** Goal: consecutive keys spread evenly over nodes and, independently, over their partitions. */
final class ClusterRoutingTest {
  private static final int KEYS = 100_000;

  @Test
  void spreadsConsecutiveKeysEvenlyOverAllPartitions() {
    for (ClusterRouting routing :
        new ClusterRouting[] {
          new ClusterRouting(1, 1),
          new ClusterRouting(2, 2),
          new ClusterRouting(3, 4),
          new ClusterRouting(8, 1),
          new ClusterRouting(5, 7)
        }) {
      int[] counts = new int[routing.partitions()];
      KeyEncoder key = new KeyEncoder();
      for (long id = 0; id < KEYS; id++) {
        counts[routing.partition(key.reset().addLong(id).toSlice())]++;
      }
      double expected = (double) KEYS / counts.length;
      for (int count : counts) {
        // Six standard deviations of a fair choice.
        assertTrue(
            Math.abs(count - expected) < 6 * Math.sqrt(expected),
            routing + ": " + count + " of " + expected);
      }
    }
  }

  @Test
  void agreesWithTheEngineOnThePartitionWithinTheNode() {
    ClusterRouting routing = new ClusterRouting(3, 5);
    KeyEncoder encoder = new KeyEncoder();
    for (long id = 0; id < 1000; id++) {
      Slice key = encoder.reset().addLong(id).addString("suffix").toSlice();
      int partition = routing.partition(key);
      assertEquals(Routing.partition(key, 5), routing.localOf(partition));
      assertEquals(partition, 5 * routing.nodeOf(partition) + routing.localOf(partition));
    }
  }

  /** A change of this function loses every record that was stored before. */
  @Test
  void neverChanges() {
    ClusterRouting routing = new ClusterRouting(16, 16);
    StringBuilder partitions = new StringBuilder();
    for (long id = 0; id < 12; id++) {
      partitions.append(routing.nodeOf(routing.partition(new KeyEncoder().addLong(id).toSlice())));
      partitions.append(' ');
    }
    assertEquals("7 12 11 8 1 12 0 9 0 4 15 4", partitions.toString().trim());
  }
}
