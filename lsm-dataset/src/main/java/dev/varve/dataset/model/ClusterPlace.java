package dev.varve.dataset.model;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import java.util.Optional;

/**
 * Which node of a cluster an engine is: its datasets hold the records whose primary keys hash to
 * this node, and no others. The node is chosen by another hash than the partition within it, so
 * that the two choices are independent; where partitions have moved since, a table says which node
 * has them. Part of the format: a record is found again only where it was put. Key-value stores are
 * not divided, so this says nothing of them. Immutable.
 *
 * @param node number of the node, from 0; one that is not below {@code nodes} is outside of the
 *     cluster, and holds nothing
 * @param nodes number of nodes of the cluster
 * @param moved where partitions are if some have moved; of datasets with another number of them on
 *     each node it says nothing
 */
public record ClusterPlace(int node, int nodes, Optional<PartitionTable> moved) {
  /** The only node: every record is its own. */
  public static final ClusterPlace ALONE = new ClusterPlace(0, 1);

  private static final long OFFSET = 0xCBF29CE484222325L;
  private static final long PRIME = 0x100000001B3L;

  /** Reports all problems at once. */
  public ClusterPlace {
    if (node < 0 || nodes < 1) {
      throw new IllegalArgumentException("node " + node + " of " + nodes + " nodes");
    }
    assert moved.isEmpty() || moved.get().nodes() == nodes : moved;
  }

  /** A node of a cluster none of whose partitions has moved. */
  public ClusterPlace(int node, int nodes) {
    this(node, nodes, Optional.empty());
  }

  /** A node of a cluster with such a table. */
  public static ClusterPlace of(int node, PartitionTable table) {
    return new ClusterPlace(
        node, table.nodes(), table.isFirst() ? Optional.empty() : Optional.of(table));
  }

  /**
   * Which node has which partition of a dataset.
   *
   * @param partitions of the dataset on each node
   */
  public PartitionTable table(int partitions) {
    return isMoved(partitions) ? moved.get() : PartitionTable.of(nodes, partitions);
  }

  /**
   * Whether records with an encoded primary key belong to this node.
   *
   * @param partitions of their dataset on each node
   */
  public boolean holds(Slice primaryKey, int partitions) {
    return nodeOf(primaryKey, partitions) == node;
  }

  /** The node that holds an encoded primary key of a dataset with so many partitions on each. */
  public int nodeOf(Slice primaryKey, int partitions) {
    if (isMoved(partitions)) {
      PartitionTable table = moved.get();
      return table.nodeOf(table.partition(primaryKey));
    }
    return node(primaryKey, nodes);
  }

  /** The partition of an encoded primary key on the node that holds it. */
  public int partitionOf(Slice primaryKey, int partitions) {
    return isMoved(partitions)
        ? partitionOf(primaryKey, 0, partitions)
        : Routing.partition(primaryKey, partitions);
  }

  /** The same for a key whose {@link KeyHash} is known. */
  public int partitionOf(Slice primaryKey, long keyHash, int partitions) {
    if (isMoved(partitions)) {
      PartitionTable table = moved.get();
      return table.localOf(table.partition(primaryKey));
    }
    return Routing.partition(keyHash, partitions);
  }

  private boolean isMoved(int partitions) {
    return moved.isPresent() && moved.get().partitionsPerNode() == partitions;
  }

  /** The node, from 0 to {@code nodes - 1}, that holds an encoded primary key. */
  public static int node(Slice primaryKey, int nodes) {
    // FNV-1a: another function than the engine's, not another range of its bits.
    long hash = OFFSET;
    for (int i = 0; i < primaryKey.length(); i++) {
      hash = (hash ^ (primaryKey.bytes()[primaryKey.offset() + i] & 0xFF)) * PRIME;
    }
    // Its last byte reaches only few bits; the finalizer of MurmurHash3 spreads them over all.
    hash = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
    hash ^= hash >>> 33;
    return (int) (((hash >>> 33) * nodes) >>> 31);
  }

  @Override
  public String toString() {
    return "node " + node + " of " + nodes;
  }
}
