package dev.varve.hyracks.node;

/**
 * How many nodes a cluster has and how many partitions each holds of every dataset. It decides
 * where a record lives, so it is written beside the data when the cluster is first started, and
 * never changes. Immutable.
 *
 * @param nodes number of nodes
 * @param partitionsPerNode partitions of every dataset on each node
 */
public record ClusterShape(int nodes, int partitionsPerNode) {
  /** Most nodes of an embedded cluster. */
  public static final int MAX_NODES = 64;

  /** Most partitions on a node. */
  public static final int MAX_PARTITIONS_PER_NODE = 64;

  /** Reports all problems at once. */
  public ClusterShape {
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

  /** {@code 2 nodes with 3 partitions each}. */
  String describe() {
    return nodes
        + (nodes == 1 ? " node" : " nodes")
        + " with "
        + partitionsPerNode
        + " partitions each";
  }
}
