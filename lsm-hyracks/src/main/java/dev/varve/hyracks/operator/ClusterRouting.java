package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Slice;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.Routing;
import java.io.Serializable;

/**
 * Where in a cluster a primary key lives: the node as {@link ClusterPlace} says, the partition
 * within it as {@link Routing} does. Part of the format: a record is found again only where it was
 * put. Immutable.
 *
 * @param nodes number of nodes
 * @param partitionsPerNode number of partitions of every dataset on each node
 */
public record ClusterRouting(int nodes, int partitionsPerNode) implements Serializable {
  private static final long serialVersionUID = 1L;

  /** Number of partitions of a dataset in the whole cluster. */
  public int partitions() {
    return nodes * partitionsPerNode;
  }

  /** The partition, numbered through the cluster, that holds an encoded primary key. */
  public int partition(Slice primaryKey) {
    return ClusterPlace.node(primaryKey, nodes) * partitionsPerNode
        + Routing.partition(primaryKey, partitionsPerNode);
  }

  /** The node that holds a partition. */
  public int nodeOf(int partition) {
    return partition / partitionsPerNode;
  }

  /** The number of a partition within its node. */
  public int localOf(int partition) {
    return partition % partitionsPerNode;
  }
}
