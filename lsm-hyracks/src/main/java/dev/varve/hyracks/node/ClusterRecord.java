package dev.varve.hyracks.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.adapter.NodeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the file {@code cluster.json} says: the cluster's shape and identity, and the store of each
 * node. It and the nodes' own records say the same twice, so that either can be written again from
 * the other. Immutable.
 *
 * @param shape how many nodes and partitions there are
 * @param cluster identity of the cluster; empty in format 1, which knew the shape only
 * @param stores identities of the nodes' stores, in the order of the nodes; empty in format 1
 * @param rebalance what has begun and not ended; in format 3 only
 */
record ClusterRecord(
    ClusterShape shape, OptionalLong cluster, List<Long> stores, Optional<Rebalance> rebalance) {
  /**
   * A rebalancing to more nodes.
   *
   * @param nodes how many there will be
   * @param records how many records each dataset had when it began
   */
  record Rebalance(int nodes, SortedMap<String, Long> records) {
    Rebalance {
      records = Collections.unmodifiableSortedMap(new TreeMap<>(records));
    }
  }

  /** Name of the file. */
  static final String FILE = "cluster.json";

  private static final String KIND = "varve-cluster";
  private static final int FORMAT = 3;

  /** What is written while nothing is rebalanced, so that earlier versions read it. */
  private static final int FORMAT_AT_REST = 2;

  private static final String REBALANCE = "rebalance";

  /** One in which nothing is rebalanced. */
  ClusterRecord(ClusterShape shape, OptionalLong cluster, List<Long> stores) {
    this(shape, cluster, stores, Optional.empty());
  }

  ClusterRecord {
    assert rebalance.isEmpty() || cluster.isPresent() : rebalance;
    stores = List.copyOf(stores);
    if (stores.size() != (cluster.isPresent() ? shape.nodes() : 0)) {
      throw new IllegalArgumentException(stores.size() + " stores of " + shape.describe());
    }
  }

  /** Reads the record of a cluster's directory; empty when there is none. */
  static Optional<ClusterRecord> read(FileSystem files, Path directory) throws StorageException {
    NodeFile file = new NodeFile(files, directory.resolve(FILE));
    JsonNode document = file.read(KIND, FORMAT).orElse(null);
    if (document == null) {
      return Optional.empty();
    }
    try {
      if (document.path("format").asInt() == 1) {
        return Optional.of(new ClusterRecord(shape(document), OptionalLong.empty(), List.of()));
      }
      List<Long> stores = new ArrayList<>();
      document.path("stores").forEach(store -> stores.add(identity(store)));
      return Optional.of(
          new ClusterRecord(
              shape(document),
              OptionalLong.of(identity(document.path("cluster"))),
              stores,
              rebalance(document.path(REBALANCE))));
    } catch (IllegalArgumentException malformed) {
      throw file.corrupt(String.valueOf(malformed.getMessage()));
    }
  }

  private static Optional<Rebalance> rebalance(JsonNode begun) {
    if (begun.isMissingNode()) {
      return Optional.empty();
    }
    SortedMap<String, Long> records = new TreeMap<>();
    JsonNode counts = begun.path("records");
    counts.fieldNames().forEachRemaining(name -> records.put(name, counts.path(name).asLong()));
    return Optional.of(new Rebalance(begun.path("nodes").asInt(), records));
  }

  /** The shape after the rebalancing that has begun; empty when none has. */
  Optional<ClusterShape> target() {
    return rebalance.map(begun -> new ClusterShape(begun.nodes(), shape.partitionsPerNode()));
  }

  /** The same with a rebalancing that begins. */
  ClusterRecord toward(int nodes, SortedMap<String, Long> records) {
    return new ClusterRecord(shape, cluster, stores, Optional.of(new Rebalance(nodes, records)));
  }

  /** Writes the record into a cluster's directory, durably. */
  void write(FileSystem files, Path directory) throws StorageException {
    ObjectNode document =
        NodeFile.newDocument(KIND, rebalance.isPresent() ? FORMAT : FORMAT_AT_REST)
            .put("nodes", shape.nodes())
            .put("partitionsPerNode", shape.partitionsPerNode())
            .put("cluster", text(cluster.orElseThrow()));
    ArrayNode list = document.putArray("stores");
    stores.forEach(store -> list.add(text(store)));
    rebalance.ifPresent(
        begun -> {
          ObjectNode counts =
              document.putObject(REBALANCE).put("nodes", begun.nodes()).putObject("records");
          begun.records().forEach(counts::put);
        });
    new NodeFile(files, directory.resolve(FILE)).write(document);
  }

  /** What the node with a number says of itself when all is well. */
  NodeRecord node(int number) {
    return new NodeRecord(cluster.orElseThrow(), number, shape, stores.get(number));
  }

  /** The shape in a document of a cluster or a node. */
  static ClusterShape shape(JsonNode document) {
    return new ClusterShape(
        document.path("nodes").asInt(), document.path("partitionsPerNode").asInt());
  }

  /** An identity as documents have it: JSON's numbers are too short for some readers. */
  static String text(long identity) {
    return HexFormat.of().toHexDigits(identity);
  }

  /** The identity in a field of a document. */
  static long identity(JsonNode field) {
    return Long.parseUnsignedLong(field.asText(), 16);
  }
}
