package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Slice;
import dev.varve.dataset.record.Routing;
import java.io.Serializable;

/**
 * Where in a cluster a primary key lives. The node is chosen by bits of the key's hash that the
 * engine's own routing doesn't use, so that the two choices are independent; the partition within
 * the node is the engine's. Part of the format: a record is found again only where it was put.
 * Immutable.
 *
 * @param nodes number of nodes
 * @param partitionsPerNode number of partitions of every dataset on each node
 */
public record ClusterRouting(int nodes, int partitionsPerNode) implements Serializable {
  private static final long serialVersionUID = 1L;

  private static final long OFFSET = 0xCBF29CE484222325L;
  private static final long PRIME = 0x100000001B3L;

  /** Number of partitions of a dataset in the whole cluster. */
  public int partitions() {
    return nodes * partitionsPerNode;
  }

  /** The partition, numbered through the cluster, that holds an encoded primary key. */
  public int partition(Slice primaryKey) {
    return node(primaryKey) * partitionsPerNode + Routing.partition(primaryKey, partitionsPerNode);
  }

  /** The node that holds a partition. */
  public int nodeOf(int partition) {
    return partition / partitionsPerNode;
  }

  /** The number of a partition within its node. */
  public int localOf(int partition) {
    return partition % partitionsPerNode;
  }

  private int node(Slice key) {
    // FNV-1a: another function than the engine's, not another range of its bits.
    long hash = OFFSET;
    for (int i = 0; i < key.length(); i++) {
      hash = (hash ^ (key.bytes()[key.offset() + i] & 0xFF)) * PRIME;
    }
    // Its last byte reaches only few bits; the finalizer of MurmurHash3 spreads them over all.
    hash = (hash ^ (hash >>> 33)) * 0xFF51AFD7ED558CCDL;
    hash = (hash ^ (hash >>> 33)) * 0xC4CEB9FE1A85EC53L;
    hash ^= hash >>> 33;
    return (int) (((hash >>> 33) * nodes) >>> 31);
  }
}
