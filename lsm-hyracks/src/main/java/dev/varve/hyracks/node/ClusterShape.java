package dev.varve.hyracks.node;

import com.fasterxml.jackson.databind.JsonNode;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.adapter.NodeFile;
import java.nio.file.Path;
import java.util.Optional;

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

  private static final String FILE = "cluster.json";
  private static final int FORMAT = 1;

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

  /** Reads the shape of the cluster in a directory; empty when there is none. */
  static Optional<ClusterShape> read(FileSystem files, Path directory) throws StorageException {
    NodeFile file = new NodeFile(files, directory.resolve(FILE));
    JsonNode document = file.read(FORMAT).orElse(null);
    if (document == null) {
      return Optional.empty();
    }
    try {
      return Optional.of(
          new ClusterShape(
              document.path("nodes").asInt(), document.path("partitionsPerNode").asInt()));
    } catch (IllegalArgumentException malformed) {
      throw file.corrupt(String.valueOf(malformed.getMessage()));
    }
  }

  /**
   * Writes the shape into a directory where there is none yet.
   *
   * @throws ConflictException with {@code OPTIONS_MISMATCH} when the cluster there has another one
   */
  void keep(FileSystem files, Path directory) throws StorageException {
    ClusterShape kept = read(files, directory).orElse(null);
    if (kept == null) {
      files.createDirectories(directory);
      new NodeFile(files, directory.resolve(FILE))
          .write(
              NodeFile.newDocument("varve-cluster", FORMAT)
                  .put("nodes", nodes)
                  .put("partitionsPerNode", partitionsPerNode));
    } else if (!kept.equals(this)) {
      throw new ConflictException(
          ConflictException.Reason.OPTIONS_MISMATCH,
          "%s holds a cluster of %d nodes with %d partitions each, not of %d with %d"
              .formatted(directory, kept.nodes, kept.partitionsPerNode, nodes, partitionsPerNode));
    }
  }
}
