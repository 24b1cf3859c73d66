package dev.varve.hyracks.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.adapter.NodeFile;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a node belongs, in the file {@code node.json} of its directory: without it a directory that
 * was moved, copied or left behind could be taken for another's. Immutable.
 *
 * @param cluster identity of the cluster
 * @param node number of the node in it
 * @param shape the cluster's, which says where partitions are
 * @param store identity of the node's store
 */
record NodeRecord(long cluster, int node, ClusterShape shape, long store) {
  /** Name of the file. */
  static final String FILE = "node.json";

  private static final String KIND = "varve-node";
  private static final int FORMAT = 2;

  /** What is written while all partitions are where they were first, for earlier versions. */
  private static final int FORMAT_AT_FIRST = 1;

  NodeRecord {
    if (node < 0 || node >= shape.nodes()) {
      throw new IllegalArgumentException("node " + node + " of a cluster of " + shape.describe());
    }
  }

  /** Reads the record of a node's directory; empty when there is none. */
  static Optional<NodeRecord> read(FileSystem files, Path nodeDirectory) throws StorageException {
    NodeFile file = new NodeFile(files, nodeDirectory.resolve(FILE));
    JsonNode document = file.read(KIND, FORMAT).orElse(null);
    if (document == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new NodeRecord(
              ClusterRecord.identity(document.path("cluster")),
              document.path("node").asInt(-1),
              ClusterRecord.shape(document),
              ClusterRecord.identity(document.path("store"))));
    } catch (IllegalArgumentException malformed) {
      throw file.corrupt(String.valueOf(malformed.getMessage()));
    }
  }

  /** Writes the record into a node's directory, durably. */
  void write(FileSystem files, Path nodeDirectory) throws StorageException {
    ObjectNode document =
        NodeFile.newDocument(KIND, shape.table().isFirst() ? FORMAT_AT_FIRST : FORMAT)
            .put("cluster", ClusterRecord.text(cluster))
            .put("node", node);
    ClusterRecord.put(document, shape).put("store", ClusterRecord.text(store));
    new NodeFile(files, nodeDirectory.resolve(FILE)).write(document);
  }

  /** {@code node 1 of a cluster of 2 nodes with 3 partitions each}. */
  String describe() {
    return "node %d of cluster %s of %s"
        .formatted(node, ClusterRecord.text(cluster), shape.describe());
  }
}
