package dev.varve.hyracks.node;

import dev.varve.btree.KeyRange;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.PartitionTable;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.hyracks.adapter.NodeStorage;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What lies in a cluster's directory, and whether a cluster of some shape may be started over it.
 * Nothing is guessed: a shape is what {@code cluster.json} says or all nodes' records agree on, and
 * a node is where its own record, or the identity of its store in {@code cluster.json}, puts it.
 * Where both are missing, as in directories from before there were records, each record in the
 * stores must be where the shape has it. Everything is checked before anything is written.
 *
 * <p>Use: {@link #read}, {@link #require}, open the stores that are there, {@link #requireStores},
 * make the others, {@link #keep}. Confined to one thread.
 */
final class ClusterDirectory {
  /** Working files of the controllers. */
  static final String CONTROLLERS = "hyracks";

  private static final Pattern NODE = Pattern.compile("node-(0|[1-9][0-9]{0,4})");
  private static final int NAMED_ENTRIES = 5;

  private final FileSystem files;
  private final Path directory;
  private final Optional<ClusterRecord> cluster;

  /** The nodes' directories that are there, by number, with their records. */
  private final Map<Integer, Optional<NodeRecord>> nodes = new TreeMap<>();

  /** Names of other entries, a few of them. */
  private final List<String> others = new ArrayList<>();

  private ClusterDirectory(FileSystem files, Path directory) throws StorageException {
    this.files = files;
    this.directory = directory;
    this.cluster = ClusterRecord.read(files, directory);
    if (!files.exists(directory)) {
      return;
    }
    for (Path entry : files.list(directory)) {
      String name = String.valueOf(entry.getFileName());
      Matcher node = NODE.matcher(name);
      if (node.matches()) {
        nodes.put(Integer.parseInt(node.group(1)), NodeRecord.read(files, entry));
      } else if (!name.startsWith(ClusterRecord.FILE) && !name.equals(CONTROLLERS)) {
        others.add(name);
      }
    }
  }

  /** Reads the documents of a directory, which need not be there; changes nothing. */
  static ClusterDirectory read(FileSystem files, Path directory) throws StorageException {
    return new ClusterDirectory(files, directory);
  }

  /** Directory of a node. */
  Path node(int number) {
    return directory.resolve(EmbeddedCluster.nodeName(number));
  }

  /** Whether a node's store is there. */
  boolean hasStore(int number) throws StorageException {
    return files.exists(node(number).resolve("store").resolve("store"));
  }

  /**
   * The shape of the cluster here, as its document or all records of its nodes say; empty when
   * nothing says one.
   *
   * @throws CorruptionException when they contradict each other
   */
  Optional<ClusterShape> shape() throws CorruptionException {
    NodeRecord first = null;
    for (Map.Entry<Integer, Optional<NodeRecord>> entry : nodes.entrySet()) {
      NodeRecord record = entry.getValue().orElse(null);
      if (record == null) {
        continue;
      }
      if (record.node() != entry.getKey()) {
        throw damaged(
            node(entry.getKey()).resolve(NodeRecord.FILE),
            "belongs to " + record.describe() + "; move the directory back to where it was");
      }
      if (first != null
          && (first.cluster() != record.cluster() || !before(first).equals(before(record)))) {
        throw damaged(
            node(entry.getKey()).resolve(NodeRecord.FILE),
            "says %s, but that of node-%d says %s; put back the directory that belongs here"
                .formatted(record.describe(), first.node(), first.describe()));
      }
      first = record;
    }
    if (cluster.isEmpty()) {
      return Optional.ofNullable(first).map(NodeRecord::shape);
    }
    ClusterRecord written = cluster.get();
    if (first != null
        && (!before(first).equals(written.shape())
            || written.cluster().orElse(first.cluster()) != first.cluster())) {
      throw damaged(
          directory.resolve(ClusterRecord.FILE),
          "says %s, but the record of node-%d says %s; put back the file that belongs here, or"
                  .formatted(written.shape().describe(), first.node(), first.describe())
              + " remove it, and it is written again from the nodes' records");
    }
    return Optional.of(written.shape());
  }

  /** The shape that a node's record says, or had before a rebalancing that has begun. */
  private ClusterShape before(NodeRecord record) {
    boolean after =
        cluster.flatMap(ClusterRecord::target).filter(record.shape()::equals).isPresent();
    return after ? cluster.get().shape() : record.shape();
  }

  /**
   * What the cluster's document says.
   *
   * @throws ConflictException with {@code NO_STORE} when no cluster was started here
   */
  ClusterRecord required() throws StorageException {
    if (cluster.isEmpty() || cluster.get().cluster().isEmpty()) {
      throw new ConflictException(
          ConflictException.Reason.NO_STORE,
          "%s holds no cluster that was started, but %s".formatted(directory, found()));
    }
    return cluster.get();
  }

  /**
   * Opens a node's storage while the cluster is rebalanced.
   *
   * @throws CorruptionException when it is missing, or another's
   */
  NodeStorage open(int number, NodeApplication application) throws StorageException {
    List<Long> stores = required().stores();
    if (number < stores.size() && !hasStore(number)) {
      throw missing(number);
    }
    NodeStorage opened = application.open();
    if (number < stores.size() && opened.engine().storeId() != stores.get(number)) {
      throw damaged(node(number), "holds another store than the node's; put its own back");
    }
    return opened;
  }

  /**
   * Refuses a cluster that is being rebalanced.
   *
   * @throws ConflictException with {@code OPTIONS_MISMATCH}
   */
  void requireSettled() throws ConflictException {
    Optional<ClusterShape> begun = cluster.flatMap(ClusterRecord::target);
    if (begun.isPresent()) {
      throw new ConflictException(
          ConflictException.Reason.OPTIONS_MISMATCH,
          ("%s is being rebalanced to %s, which has not ended: 'varve cluster rebalance' goes on, or,"
                  + " with the number of nodes that it had, takes it back while it copies")
              .formatted(directory, begun.get().describe()));
    }
  }

  /**
   * Checks by the documents that a cluster of a shape may be started here.
   *
   * @throws ConflictException with {@code OPTIONS_MISMATCH} when a cluster of another shape is
   *     here, or one that is being rebalanced, with {@code FOREIGN_FILES} when something is here
   *     that is no cluster
   * @throws CorruptionException when documents contradict each other, or a node is missing
   */
  void require(ClusterShape wanted) throws StorageException {
    requireSettled();
    Optional<ClusterShape> here = shape();
    if (here.isPresent() && !here.get().equals(wanted)) {
      throw new ConflictException(
          ConflictException.Reason.OPTIONS_MISMATCH,
          "%s holds a cluster of %s, not of %s"
              .formatted(directory, here.get().describe(), wanted.describe()));
    }
    if (cluster.isEmpty() && nodes.isEmpty() && !others.isEmpty()) {
      throw new ConflictException(
          ConflictException.Reason.FOREIGN_FILES,
          "%s holds no cluster, but %s; a cluster is made in a directory that is empty or absent"
              .formatted(directory, found()));
    }
    for (Map.Entry<Integer, Optional<NodeRecord>> node : nodes.entrySet()) {
      int number = node.getKey();
      // What a rebalancing that was taken back leaves has no record, and the cluster's says so.
      boolean left = cluster.isPresent() && node.getValue().isEmpty();
      if (number >= wanted.nodes() && !left) {
        throw damaged(
            node(number),
            "has no place in a cluster of %s; found are %s. Start a cluster of the shape it had,"
                    .formatted(wanted.describe(), found())
                + " or move the directory away");
      }
    }
    if (cluster.isPresent() && cluster.get().cluster().isPresent()) {
      for (int number = 0; number < wanted.nodes(); number++) {
        if (!hasStore(number)) {
          throw missing(number);
        }
      }
    }
  }

  /**
   * Checks that the stores that were here are those of this cluster, and that none is missing.
   *
   * @param engines the engines that were here, by the number of their node
   * @throws CorruptionException when a store belongs elsewhere, or one is missing
   * @throws ConflictException with {@code OPTIONS_MISMATCH} when datasets have another number of
   *     partitions than the cluster, or when no document is left and records are not where a
   *     cluster of this shape has them
   */
  void requireStores(ClusterShape wanted, Map<Integer, StorageEngine> engines)
      throws StorageException {
    Map<Long, Integer> stores = new HashMap<>();
    for (Map.Entry<Integer, StorageEngine> entry : engines.entrySet()) {
      int number = entry.getKey();
      long store = entry.getValue().storeId();
      Integer twin = stores.put(store, number);
      if (twin != null) {
        throw damaged(
            node(number), "holds a copy of the store of node-" + twin + "; put its own store back");
      }
      OptionalLong written = writtenStore(number);
      if (written.isPresent() && written.getAsLong() != store) {
        throw damaged(
            node(number),
            "holds store %s, but its record says %s; put its own store back"
                .formatted(ClusterRecord.text(store), ClusterRecord.text(written.getAsLong())));
      }
      requirePartitions(wanted, number, entry.getValue());
    }
    boolean holding = engines.values().stream().anyMatch(engine -> !engine.names().isEmpty());
    for (int number = 0; number < wanted.nodes(); number++) {
      boolean recorded = writtenStore(number).isPresent();
      if (!engines.containsKey(number) && (recorded || holding)) {
        throw missing(number);
      }
      if (engines.containsKey(number) && cluster.isEmpty() && !recorded && holding) {
        requireRouting(wanted, number, engines.get(number));
      }
    }
  }

  /** Where no document is left, the records themselves prove the shape: each must be at home. */
  private void requireRouting(ClusterShape wanted, int number, StorageEngine engine)
      throws StorageException {
    PartitionTable routing = wanted.table();
    for (String name : datasets(engine)) {
      for (int partition = 0; partition < partitions(engine, name); partition++) {
        try (RecordCursor records =
            engine.dataset(name).partition(partition).scan(KeyRange.all())) {
          while (records.next()) {
            int home = routing.nodeOf(routing.partition(records.key()));
            if (home != number) {
              throw new ConflictException(
                  ConflictException.Reason.OPTIONS_MISMATCH,
                  "%s is missing, and this is no cluster of %s: a record of '%s' on node-%d is"
                          .formatted(
                              directory.resolve(ClusterRecord.FILE),
                              wanted.describe(),
                              name,
                              number)
                      + " on node-%d there. Found are %s. Put the file back, or start the shape it had"
                          .formatted(home, found()));
            }
          }
        }
      }
    }
  }

  private void requirePartitions(ClusterShape wanted, int number, StorageEngine engine)
      throws StorageException {
    for (String name : datasets(engine)) {
      int partitions = partitions(engine, name);
      if (partitions != wanted.partitionsPerNode() && partitions > 0) {
        throw new ConflictException(
            ConflictException.Reason.OPTIONS_MISMATCH,
            "dataset '%s' of %s has %d partitions, where a cluster of %s has %d; %s"
                .formatted(
                    name,
                    node(number),
                    partitions,
                    wanted.describe(),
                    wanted.partitionsPerNode(),
                    "start a cluster of the shape it was filled by"));
      }
    }
  }

  /** Stores whose records a cluster has placed; those of Hyracks' indexes its jobs have. */
  private static List<String> datasets(StorageEngine engine) {
    return engine.names().stream().filter(name -> !NodeStorage.isIndexOfHyracks(name)).toList();
  }

  /** Partitions of a dataset; 0 of a key-value store. */
  private static int partitions(StorageEngine engine, String name) throws StorageException {
    try {
      return engine.dataset(name).options().partitions();
    } catch (RequestException keyValueStore) {
      assert keyValueStore.reason() == RequestException.Reason.UNKNOWN_DATASET : keyValueStore;
      return 0;
    }
  }

  /**
   * Writes, durably, what documents are missing or of an older format: first the nodes', then the
   * cluster's, which so stands only where all nodes' do.
   *
   * @param stores identities of the nodes' stores, in the order of the nodes
   * @param newIdentity what the cluster is called if it has no identity yet
   */
  void keep(ClusterShape shape, List<Long> stores, long newIdentity) throws StorageException {
    long identity =
        cluster
            .flatMap(written -> written.cluster().stream().boxed().findFirst())
            .or(
                () ->
                    nodes.values().stream()
                        .flatMap(Optional::stream)
                        .map(NodeRecord::cluster)
                        .findFirst())
            .orElse(newIdentity);
    ClusterRecord whole = new ClusterRecord(shape, OptionalLong.of(identity), stores);
    for (int number = 0; number < shape.nodes(); number++) {
      if (!nodes.getOrDefault(number, Optional.empty()).equals(Optional.of(whole.node(number)))) {
        whole.node(number).write(files, node(number));
      }
    }
    if (!cluster.equals(Optional.of(whole))) {
      whole.write(files, directory);
    }
  }

  /** The identity that documents say the store of a node has. */
  private OptionalLong writtenStore(int number) {
    Optional<NodeRecord> record = nodes.getOrDefault(number, Optional.empty());
    if (record.isPresent()) {
      return OptionalLong.of(record.get().store());
    }
    return cluster.isPresent() && cluster.get().cluster().isPresent()
        ? OptionalLong.of(cluster.get().stores().get(number))
        : OptionalLong.empty();
  }

  private CorruptionException missing(int number) throws StorageException {
    return damaged(
        node(number),
        "the store of this node is missing; found are %s. Put it back".formatted(found()));
  }

  /** What is here, for people: the nodes with their records, and a few other names. */
  String found() throws StorageException {
    List<String> all = new ArrayList<>();
    cluster.ifPresent(
        written -> all.add(ClusterRecord.FILE + " (" + written.shape().describe() + ")"));
    for (Map.Entry<Integer, Optional<NodeRecord>> entry : nodes.entrySet()) {
      String said = entry.getValue().map(NodeRecord::describe).orElse("without " + NodeRecord.FILE);
      all.add(
          "%s (%s%s)"
              .formatted(
                  EmbeddedCluster.nodeName(entry.getKey()),
                  said,
                  hasStore(entry.getKey()) ? "" : ", without a store"));
    }
    all.addAll(others.subList(0, Math.min(others.size(), NAMED_ENTRIES)));
    if (others.size() > NAMED_ENTRIES) {
      all.add((others.size() - NAMED_ENTRIES) + " others");
    }
    return all.isEmpty() ? "nothing" : String.join(", ", all);
  }

  private static CorruptionException damaged(Path file, String problem) {
    return new CorruptionException(file.toString(), -1, problem);
  }
}
