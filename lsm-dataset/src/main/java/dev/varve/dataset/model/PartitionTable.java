package dev.varve.dataset.model;

import dev.varve.common.bytes.Slice;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Which node of a cluster holds which partition of its datasets. How many partitions there are in
 * the whole cluster is said when it is made, and a key belongs to the same one for ever; which node
 * has a partition, and as which of its own, changes when nodes are added. Part of the format: a
 * record is found again only where it was put. Immutable.
 *
 * @param partitionsPerNode how many partitions a node has room for: its datasets have as many, of
 *     which those that hold nothing of the cluster stay empty
 * @param homes by partition, the node times {@code partitionsPerNode} plus the partition's number
 *     on that node
 */
public record PartitionTable(int partitionsPerNode, List<Integer> homes) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Copies the list; reports what can't be. */
  public PartitionTable {
    homes = List.copyOf(homes);
    if (partitionsPerNode < 1
        || homes.isEmpty()
        || homes.size() % partitionsPerNode != 0
        || homes.stream().anyMatch(home -> home < 0)
        || new HashSet<>(homes).size() < homes.size()) {
      throw new IllegalArgumentException(
          "partitions at " + homes + " with " + partitionsPerNode + " on each node");
    }
  }

  /** The table of a new cluster: each node has its partitions in their order. */
  public static PartitionTable of(int nodes, int partitionsPerNode) {
    return new PartitionTable(
        partitionsPerNode, IntStream.range(0, nodes * partitionsPerNode).boxed().toList());
  }

  /** Number of partitions of a dataset in the whole cluster. */
  public int partitions() {
    return homes.size();
  }

  /** Number of nodes: the last of them holds a partition. */
  public int nodes() {
    return 1 + homes.stream().mapToInt(home -> home / partitionsPerNode).max().orElseThrow();
  }

  /** The partition, numbered through the cluster, that holds an encoded primary key. */
  public int partition(Slice primaryKey) {
    int nodesAtFirst = homes.size() / partitionsPerNode;
    return ClusterPlace.node(primaryKey, nodesAtFirst) * partitionsPerNode
        + Routing.partition(primaryKey, partitionsPerNode);
  }

  /** The node that holds a partition. */
  public int nodeOf(int partition) {
    return homes.get(partition) / partitionsPerNode;
  }

  /** The number of a partition within its node. */
  public int localOf(int partition) {
    return homes.get(partition) % partitionsPerNode;
  }

  /** Whether no partition has moved since the cluster was made. */
  public boolean isFirst() {
    return IntStream.range(0, homes.size()).allMatch(each -> homes.get(each) == each);
  }

  /**
   * The table with more nodes, among which partitions are shared out evenly: each new one takes
   * from those that have most, and none moves between the others.
   *
   * @param nodes how many there are then, at most one for each partition
   */
  public PartitionTable spread(int nodes) {
    int before = nodes();
    if (nodes < before || nodes > homes.size()) {
      throw new IllegalArgumentException(
          homes.size() + " partitions of " + before + " nodes on " + nodes);
    }
    List<Integer> spread = new ArrayList<>(homes);
    for (int node = before; node < nodes; node++) {
      for (int local = 0; local < homes.size() / nodes; local++) {
        spread.set(lastOfFullest(spread), node * partitionsPerNode + local);
      }
    }
    PartitionTable table = new PartitionTable(partitionsPerNode, spread);
    assert table.nodes() == nodes : table;
    return table;
  }

  /** The last partition of the first of the nodes that have most. */
  private int lastOfFullest(List<Integer> at) {
    TreeMap<Integer, List<Integer>> byNode = new TreeMap<>();
    for (int partition = 0; partition < at.size(); partition++) {
      byNode
          .computeIfAbsent(at.get(partition) / partitionsPerNode, node -> new ArrayList<>())
          .add(partition);
    }
    List<Integer> fullest = List.of();
    for (List<Integer> each : byNode.values()) {
      fullest = each.size() > fullest.size() ? each : fullest;
    }
    return fullest.get(fullest.size() - 1);
  }
}
