package dev.varve.dataset.model;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Goal: consecutive keys spread evenly over nodes and, independently, over their partitions. */
final class PartitionTableTest {
  private static final int KEYS = 100_000;

  @Test
  void spreadsConsecutiveKeysEvenlyOverAllPartitions() {
    for (PartitionTable routing :
        new PartitionTable[] {
          PartitionTable.of(1, 1),
          PartitionTable.of(2, 2),
          PartitionTable.of(3, 4),
          PartitionTable.of(8, 1),
          PartitionTable.of(5, 7)
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
    PartitionTable routing = PartitionTable.of(3, 5);
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
    PartitionTable routing = PartitionTable.of(16, 16);
    StringBuilder partitions = new StringBuilder();
    for (long id = 0; id < 12; id++) {
      partitions.append(routing.nodeOf(routing.partition(new KeyEncoder().addLong(id).toSlice())));
      partitions.append(' ');
    }
    assertEquals("7 12 11 8 1 12 0 9 0 4 15 4", partitions.toString().trim());
  }

  @Test
  void aNewNodeTakesItsPartOfThePartitionsAndNoOthersMove() {
    PartitionTable two = PartitionTable.of(2, 4);
    assertTrue(two.isFirst());
    assertEquals(new PartitionTable(4, List.of(0, 1, 2, 8, 4, 5, 6, 9)), two.spread(3));
    assertEquals(two, two.spread(2));
    PartitionTable table = two;
    for (int nodes = 3; nodes <= 8; nodes++) {
      PartitionTable before = table;
      table = table.spread(nodes);
      assertEquals(nodes, table.nodes());
      int[] counts = new int[nodes];
      for (int partition = 0; partition < table.partitions(); partition++) {
        counts[table.nodeOf(partition)]++;
        assertTrue(
            table.nodeOf(partition) == nodes - 1
                || table.homes().get(partition).equals(before.homes().get(partition)));
      }
      int most = Arrays.stream(counts).max().orElseThrow();
      int fewest = Arrays.stream(counts).min().orElseThrow();
      assertTrue(fewest >= 1 && most - fewest <= 1, table::toString);
    }
    PartitionTable full = table;
    assertThrows(IllegalArgumentException.class, () -> full.spread(9));
    assertThrows(IllegalArgumentException.class, () -> full.spread(7));
  }

  @Test
  void aKeyStaysInItsPartitionWhereverThatIs() {
    PartitionTable before = PartitionTable.of(2, 4);
    PartitionTable after = before.spread(3);
    ClusterPlace first = ClusterPlace.of(0, before);
    assertEquals(new ClusterPlace(0, 2), first);
    for (long id = 0; id < 1000; id++) {
      Slice key = new KeyEncoder().addLong(id).toSlice();
      int partition = after.partition(key);
      assertEquals(before.partition(key), partition);
      ClusterPlace place = ClusterPlace.of(2, after);
      assertEquals(after.nodeOf(partition), place.nodeOf(key, 4));
      assertEquals(after.localOf(partition), place.partitionOf(key, 4));
      assertEquals(after.nodeOf(partition) == 2, place.holds(key, 4));
      // A dataset of another shape is none of the table's.
      assertEquals(ClusterPlace.node(key, 3), place.nodeOf(key, 1));
      assertEquals(before.nodeOf(partition), first.nodeOf(key, 4));
      assertEquals(before.localOf(partition), first.partitionOf(key, 4));
    }
  }

  @Test
  void whatIsNoTableIsRefused() {
    for (List<Integer> homes :
        List.of(List.<Integer>of(), List.of(0, 1, 2), List.of(0, 0), List.of(0, -1))) {
      assertThrows(IllegalArgumentException.class, () -> new PartitionTable(2, homes));
    }
    assertThrows(IllegalArgumentException.class, () -> new PartitionTable(0, List.of(0)));
  }
}
