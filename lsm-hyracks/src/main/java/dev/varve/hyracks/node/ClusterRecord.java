package dev.varve.hyracks.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.hyracks.adapter.NodeFile;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What the file {@code cluster.json} says: the cluster's shape and identity, and the store of each
 * node. It and the nodes' own records say the same twice, so that either can be written again from
 * the other. Immutable.
 *
 * @param shape how many nodes and partitions there are, and which node has which
 * @param cluster identity of the cluster; empty in format 1, which knew the shape only
 * @param stores identities of the nodes' stores, in the order of the nodes; empty in format 1
 * @param rebalance what has begun and not ended; in format 4 only
 */
record ClusterRecord(
    ClusterShape shape, OptionalLong cluster, List<Long> stores, Optional<Rebalance> rebalance) {
  /** What is done with the partitions that move. */
  enum Step {
    /** They are copied, and count where they were. */
    COPY,
    /** All copies count, and they are deleted where they were. */
    DROP
  }

  /**
   * A rebalancing to more nodes.
   *
   * @param target the shape that the cluster has at its end
   * @param step what is done now
   * @param copied partitions whose copies are whole
   */
  record Rebalance(ClusterShape target, Step step, SortedSet<Integer> copied) {
    Rebalance {
      copied = Collections.unmodifiableSortedSet(new TreeSet<>(copied));
    }

    /** The same with one more partition that was copied. */
    Rebalance withCopied(int partition) {
      assert step == Step.COPY : this;
      SortedSet<Integer> more = new TreeSet<>(copied);
      more.add(partition);
      return new Rebalance(target, step, more);
    }

    /** The same when all copies count. */
    Rebalance owned() {
      return new Rebalance(target, Step.DROP, copied);
    }
  }

  /** Name of the file. */
  static final String FILE = "cluster.json";

  private static final String KIND = "varve-cluster";
  private static final int FORMAT = 4;

  /** What is written while all partitions are where they were first, for earlier versions. */
  private static final int FORMAT_AT_FIRST = 2;

  private static final String REBALANCE = "rebalance";
  private static final String HOMES = "homes";
  private static final String COPIED = "copied";

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
      ClusterShape shape = shape(document);
      return Optional.of(
          new ClusterRecord(
              shape,
              OptionalLong.of(identity(document.path("cluster"))),
              stores,
              rebalance(shape, document.path(REBALANCE))));
    } catch (IllegalArgumentException malformed) {
      throw file.corrupt(String.valueOf(malformed.getMessage()));
    }
  }

  private static Optional<Rebalance> rebalance(ClusterShape shape, JsonNode begun) {
    if (begun.isMissingNode()) {
      return Optional.empty();
    }
    if (!begun.has(HOMES)) {
      throw new IllegalArgumentException(
          "an earlier version has begun a rebalancing record by record; end it with that version");
    }
    return Optional.of(
        new Rebalance(
            new ClusterShape(table(shape.partitionsPerNode(), begun)),
            Step.valueOf(begun.path("step").asText()),
            new TreeSet<>(numbers(begun.path(COPIED)))));
  }

  /** The shape after the rebalancing that has begun; empty when none has. */
  Optional<ClusterShape> target() {
    return rebalance.map(Rebalance::target);
  }

  /** The same with a rebalancing that has begun. */
  ClusterRecord with(Rebalance begun) {
    return new ClusterRecord(shape, cluster, stores, Optional.of(begun));
  }

  /** Writes the record into a cluster's directory, durably. */
  void write(FileSystem files, Path directory) throws StorageException {
    boolean atFirst = rebalance.isEmpty() && shape.table().isFirst();
    ObjectNode document = NodeFile.newDocument(KIND, atFirst ? FORMAT_AT_FIRST : FORMAT);
    put(document, shape).put("cluster", text(cluster.orElseThrow()));
    ArrayNode list = document.putArray("stores");
    stores.forEach(store -> list.add(text(store)));
    rebalance.ifPresent(
        begun -> {
          ObjectNode target = document.putObject(REBALANCE);
          putNumbers(target, HOMES, begun.target().table().homes());
          target.put("step", begun.step().name());
          putNumbers(target, COPIED, begun.copied());
        });
    new NodeFile(files, directory.resolve(FILE)).write(document);
  }

  /** Puts a shape into a document of a cluster or a node. */
  static ObjectNode put(ObjectNode document, ClusterShape shape) {
    document.put("nodes", shape.nodes()).put("partitionsPerNode", shape.partitionsPerNode());
    if (!shape.table().isFirst()) {
      putNumbers(document, HOMES, shape.table().homes());
    }
    return document;
  }

  private static void putNumbers(ObjectNode document, String field, Iterable<Integer> numbers) {
    ArrayNode list = document.putArray(field);
    numbers.forEach(list::add);
  }

  /** What the node with a number says of itself when all is well. */
  NodeRecord node(int number) {
    return new NodeRecord(cluster.orElseThrow(), number, shape, stores.get(number));
  }

  /** The shape in a document of a cluster or a node. */
  static ClusterShape shape(JsonNode document) {
    int nodes = document.path("nodes").asInt();
    int partitionsPerNode = document.path("partitionsPerNode").asInt();
    ClusterShape shape =
        document.has(HOMES)
            ? new ClusterShape(table(partitionsPerNode, document))
            : new ClusterShape(nodes, partitionsPerNode);
    if (shape.nodes() != nodes) {
      throw new IllegalArgumentException(nodes + " nodes, and " + shape.describe());
    }
    return shape;
  }

  private static PartitionTable table(int partitionsPerNode, JsonNode document) {
    return new PartitionTable(partitionsPerNode, numbers(document.path(HOMES)));
  }

  private static List<Integer> numbers(JsonNode list) {
    List<Integer> numbers = new ArrayList<>();
    list.forEach(number -> numbers.add(number.asInt(-1)));
    return numbers;
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
