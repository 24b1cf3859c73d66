package dev.varve.dataset.model;

import dev.varve.common.bytes.Slice;

/**
 * Which node of a cluster an engine is: its datasets hold the records whose primary keys hash to
 * this node, and no others. The node is chosen by another hash than the partition within it, so
 * that the two choices are independent. Part of the format: a record is found again only where it
 * was put. Key-value stores are not divided, so this says nothing of them. Immutable.
 *
 * @param node number of the node, from 0; one that is not below {@code nodes} is outside of the
 *     cluster, and holds nothing
 * @param nodes number of nodes of the cluster
 */
public record ClusterPlace(int node, int nodes) {
  /** The only node: every record is its own. */
  public static final ClusterPlace ALONE = new ClusterPlace(0, 1);

  private static final long OFFSET = 0xCBF29CE484222325L;
  private static final long PRIME = 0x100000001B3L;

  /** Reports all problems at once. */
  public ClusterPlace {
    if (node < 0 || nodes < 1) {
      throw new IllegalArgumentException("node " + node + " of " + nodes + " nodes");
    }
  }

  /** Whether records with an encoded primary key belong to this node. */
  public boolean holds(Slice primaryKey) {
    return node(primaryKey, nodes) == node;
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
