package dev.varve.hyracks.node;

import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.PartitionTable;

/**
 * How many nodes a cluster has, how many partitions of every dataset a node has room for, and which
 * node has which partition. It decides where a record lives, so it is written beside the data when
 * the cluster is first started; only a rebalancing changes it. Immutable.
 *
 * @param table which node has which partition
 */
public record ClusterShape(PartitionTable table) {
  /** Most nodes of an embedded cluster. */
  public static final int MAX_NODES = 64;

  /** Most partitions on a node. */
  public static final int MAX_PARTITIONS_PER_NODE = 64;

  /** Reports all problems at once. */
  public ClusterShape {
    require(table.nodes(), table.partitionsPerNode());
  }

  /**
   * The shape of a new cluster.
   *
   * @param nodes number of nodes
   * @param partitionsPerNode partitions of every dataset on each node
   */
  public ClusterShape(int nodes, int partitionsPerNode) {
    this(newTable(nodes, partitionsPerNode));
  }

  private static PartitionTable newTable(int nodes, int partitionsPerNode) {
    require(nodes, partitionsPerNode);
    return PartitionTable.of(nodes, partitionsPerNode);
  }

  private static void require(int nodes, int partitionsPerNode) {
    String problems = "";
    if (nodes < 1 || nodes > MAX_NODES) {
      problems += "nodes " + nodes + " is not between 1 and " + MAX_NODES + "; ";
    }
    if (partitionsPerNode < 1 || partitionsPerNode > MAX_PARTITIONS_PER_NODE) {
      problems +=
          "partitionsPerNode "
              + partitionsPerNode
              + " is not between 1 and "
              + MAX_PARTITIONS_PER_NODE
              + "; ";
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(problems.substring(0, problems.length() - 2));
    }
  }

  /** This one if it has these numbers, else that of a new cluster. */
  public ClusterShape orNew(int nodes, int partitionsPerNode) {
    return nodes == nodes() && partitionsPerNode == partitionsPerNode()
        ? this
        : new ClusterShape(nodes, partitionsPerNode);
  }

  /** Number of nodes. */
  public int nodes() {
    return table.nodes();
  }

  /** How many partitions of every dataset a node has room for: all that it has in a new cluster. */
  public int partitionsPerNode() {
    return table.partitionsPerNode();
  }

  /** Where a node's engine is in the cluster; one beyond the last holds nothing. */
  public ClusterPlace place(int node) {
    return ClusterPlace.of(node, table);
  }

  /** {@code 2 nodes with 3 partitions each}, or {@code 3 nodes with 6 partitions}. */
  String describe() {
    String nodes = nodes() + (nodes() == 1 ? " node" : " nodes");
    return table.isFirst()
        ? nodes + " with " + partitionsPerNode() + " partitions each"
        : nodes + " with " + table.partitions() + " partitions";
  }
}
