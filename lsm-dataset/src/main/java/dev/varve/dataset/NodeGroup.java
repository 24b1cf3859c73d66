package dev.varve.dataset;

import dev.varve.common.disk.IndexCopy;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The engines of a cluster's nodes, looked at and repaired together, or one engine by itself. What
 * node an engine is, and of how many, its options say; engines that are outside of the cluster hold
 * nothing that belongs to them. The engines stay the caller's. Thread-safe as they are.
 */
public final class NodeGroup {
  private final List<StorageEngine> engines;

  /**
   * A partition of the datasets of an engine.
   *
   * @param engine its directory
   * @param partition number of the partition
   */
  public record PartitionHome(Path engine, int partition) {}

  /**
   * What was copied.
   *
   * @param components how many, of all indexes
   * @param bytes of their files
   */
  public record CopiedFiles(int components, long bytes) {
    /** Both together. */
    public CopiedFiles plus(CopiedFiles other) {
      return new CopiedFiles(components + other.components, bytes + other.bytes);
    }
  }

  /**
   * A group of open engines.
   *
   * @throws IllegalArgumentException when two are the same node, or of clusters of another size
   */
  public NodeGroup(List<StorageEngine> engines) {
    this.engines = List.copyOf(engines);
    if (engines.stream().map(engine -> engine.place().nodes()).distinct().count() > 1
        || engines.stream().map(StorageEngine::place).distinct().count() < engines.size()) {
      throw new IllegalArgumentException(
          "engines at " + engines.stream().map(StorageEngine::place).toList());
    }
  }

  /**
   * Copies a partition of all datasets from an engine to another one, both closed in order: its
   * components as they are, without a look at their records, of which each page is checked. The
   * other one has datasets of the same names and indexes, and what is in that partition there is
   * replaced. When this throws, the copy is partial.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DIRECTORY_IN_USE}
   * @throws dev.varve.common.error.RequestException with {@code UNSUPPORTED} when an engine was not
   *     closed in order, or an index is being built
   * @throws dev.varve.common.error.CorruptionException when something of the first is damaged
   */
  public static CopiedFiles copyPartition(EngineSeams seams, PartitionHome from, PartitionHome to)
      throws StorageException {
    try (RestingStore source = RestingStore.open(seams, from.engine());
        RestingStore target = RestingStore.open(seams, to.engine())) {
      List<IndexCopy> copies = source.copyPartition(from.partition(), target, to.partition());
      return new CopiedFiles(
          copies.stream().mapToInt(IndexCopy::components).sum(),
          copies.stream().mapToLong(IndexCopy::bytes).sum());
    }
  }

  /**
   * Takes all records out of a partition of all datasets of an engine that was closed in order, by
   * deleting its components. When this throws, or the process ends before, it is called again
   * before the engine is opened.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DIRECTORY_IN_USE}
   */
  public static void emptyPartition(EngineSeams seams, PartitionHome which)
      throws StorageException {
    try (RestingStore store = RestingStore.open(seams, which.engine())) {
      store.emptyPartition(which.partition());
    }
  }

  /**
   * Takes out of a partition what a copy that was cut short may have left. A store that an engine
   * has opened since was whole then, and is left as it is.
   */
  public static void emptyPartial(EngineSeams seams, PartitionHome which) throws StorageException {
    try (RestingStore store = RestingStore.open(seams, which.engine())) {
      if (store.wasClosed()) {
        store.emptyPartition(which.partition());
      }
    }
  }

  /**
   * Finds primary keys that have records on several nodes, which {@link StorageEngine#verify} sees
   * one at a time; reads everything.
   *
   * @return a problem for each dataset that has such keys, with their number and the first
   */
  public List<String> sharedKeys() throws StorageException {
    Map<String, List<Dataset>> byName = new TreeMap<>();
    for (StorageEngine engine : engines) {
      for (Dataset dataset : engine.datasets()) {
        byName.computeIfAbsent(dataset.name(), name -> new ArrayList<>()).add(dataset);
      }
    }
    List<String> problems = new ArrayList<>();
    for (Map.Entry<String, List<Dataset>> named : byName.entrySet()) {
      sharedKeys(named.getValue()).problem(named.getKey(), "nodes").ifPresent(problems::add);
    }
    return problems;
  }

  @SuppressWarnings("MustBeClosedChecker") // closed when they were read
  private static SharedKeys sharedKeys(List<Dataset> nodes) throws StorageException {
    List<RecordCursor> cursors = new ArrayList<>();
    try {
      for (Dataset dataset : nodes) {
        cursors.add(dataset.scan(ValueRange.all()));
      }
    } catch (StorageException | RuntimeException | Error e) {
      cursors.forEach(RecordCursor::close);
      throw e;
    }
    return SharedKeys.of(cursors);
  }

  /**
   * Puts records where their primary keys belong: to another partition, or to another node. Each is
   * first made durable where it belongs, with its entries in all indexes, and then deleted where it
   * was, so that a crash at any moment loses nothing, and the next repair goes on. Where another
   * record of the key is where both belong, that one stays, for reads and writes go there; the
   * misplaced one, unless it is the same, is made durable among the rejects before it is deleted.
   * Reading may go on meanwhile, and scans may find a record twice for a moment; a record that is
   * deleted while it is moved may come back if the process dies in between.
   *
   * @param rejects the directory of rejected records, a JSON object a line; made when there is one
   */
  public RepairReport repair(Path rejects) throws StorageException {
    FileSystem files = engines.get(0).parts().seams().files();
    return new RecordRepair(engines, new RejectsDirectory(files, rejects)).run();
  }

  /**
   * Says what {@link #repair} would do, and changes nothing. Of several misplaced records of a key
   * that is nowhere where it belongs each is counted as one that would be moved there.
   */
  public RepairReport planRepair() throws StorageException {
    return new RecordRepair(engines, null).run();
  }
}
