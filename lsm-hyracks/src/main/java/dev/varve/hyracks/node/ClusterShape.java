package dev.varve.hyracks.node;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.adapter.NodeFile;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
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
    Path path = directory.resolve(FILE);
    Optional<byte[]> document = new NodeFile(files, path).read();
    if (document.isEmpty()) {
      return Optional.empty();
    }
    try {
      return Optional.of(parse(path, document.get()));
    } catch (JsonProcessingException | IllegalArgumentException malformed) {
      throw new CorruptionException(path.toString(), -1, String.valueOf(malformed.getMessage()));
    } catch (IOException impossible) {
      throw new IllegalStateException("reading from memory failed", impossible);
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
      String document =
          "{\"kind\":\"varve-cluster\",\"format\":%d,\"nodes\":%d,\"partitionsPerNode\":%d}"
              .formatted(FORMAT, nodes, partitionsPerNode);
      files.createDirectories(directory);
      new NodeFile(files, directory.resolve(FILE)).write(document.getBytes(StandardCharsets.UTF_8));
    } else if (!kept.equals(this)) {
      throw new ConflictException(
          ConflictException.Reason.OPTIONS_MISMATCH,
          "%s holds a cluster of %d nodes with %d partitions each, not of %d with %d"
              .formatted(directory, kept.nodes, kept.partitionsPerNode, nodes, partitionsPerNode));
    }
  }

  private static ClusterShape parse(Path path, byte[] document)
      throws IOException, FormatVersionException {
    int nodes = 0;
    int partitionsPerNode = 0;
    try (JsonParser json = new JsonFactory().createParser(document)) {
      json.nextToken();
      while (json.nextToken() == JsonToken.FIELD_NAME) {
        String name = json.currentName();
        json.nextToken();
        switch (name) {
          case "format" -> {
            if (json.getIntValue() > FORMAT) {
              throw new FormatVersionException(path.toString(), json.getIntValue(), FORMAT);
            }
          }
          case "nodes" -> nodes = json.getIntValue();
          case "partitionsPerNode" -> partitionsPerNode = json.getIntValue();
          default -> json.skipChildren();
        }
      }
    }
    return new ClusterShape(nodes, partitionsPerNode);
  }
}
