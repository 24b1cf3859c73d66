package dev.varve.cli.command;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.OverlayFileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.DatasetStats;
import dev.varve.dataset.EngineInspection;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.ProcessLimits;
import dev.varve.dataset.RunningEngine;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.Store;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.ClusterShape;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The engines of a directory, opened without a cluster around them: those of a cluster's nodes, or
 * the one of a program that embeds it. Of those that another process runs, what is read is a
 * checkpoint that the process takes for it; where it does not answer, what it has forced. Confined
 * to the main thread.
 */
final class RestingEngines implements AutoCloseable {
  /** What is done with the engines. */
  enum Access {
    /** They are read, and no byte on disk changes. */
    READ,
    /** They are opened as a program opens its own: recovered on disk, merged and written. */
    CHANGE
  }

  private static final Logger LOGGER = LogManager.getLogger(RestingEngines.class);

  /** A process that has not answered for so long is taken for stopped. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** What a first opening that was killed leaves, and nobody else. */
  private static final Set<String> OF_NEW_STORE = Set.of("LOCK", "store.building");

  /** An engine that is to be opened. */
  private record Resting(Path directory, ClusterPlace place) {}

  private final FileSystem files;
  private final Access access;
  private final List<Resting> found = new ArrayList<>();
  private final List<StorageEngine> engines = new ArrayList<>();
  private final List<RunningEngine> looks = new ArrayList<>();
  private int partitions = 1;
  private boolean lent;

  private RestingEngines(FileSystem files, Access access) {
    this.files = files;
    this.access = access;
  }

  /**
   * Opens all engines of a directory: of a cluster the nodes that its document says, and those that
   * are outside of it.
   *
   * @throws RequestException with {@code UNKNOWN_DATASET} when there is none, or a node lacks its
   *     engine
   */
  @MustBeClosed
  static RestingEngines open(FileSystem files, Path directory, Access access)
      throws StorageException {
    ClusterShape shape = Cluster.shapeOf(directory).orElse(null);
    RestingEngines opened = new RestingEngines(files, access);
    try {
      if (shape != null) {
        for (int node = 0; node < shape.nodes(); node++) {
          Path engine = Cluster.engineDirectory(directory, node);
          if (!EngineInspection.holdsEngine(files, engine)) {
            throw new RequestException(
                RequestException.Reason.UNKNOWN_DATASET,
                engine + " holds no engine, but the cluster has " + shape.nodes() + " nodes");
          }
          opened.found.add(new Resting(engine, shape.place(node)));
        }
        opened.partitions = shape.partitionsPerNode();
        opened.findOutside(directory, shape);
      } else if (EngineInspection.holdsEngine(files, directory)) {
        opened.found.add(new Resting(directory, ClusterPlace.ALONE));
      } else {
        throw new RequestException(
            RequestException.Reason.UNKNOWN_DATASET,
            "%s holds neither a cluster nor an engine, but %s"
                .formatted(directory, Cluster.describe(directory)));
      }
      opened.openAll();
      return opened;
    } catch (StorageException | RuntimeException failure) {
      opened.closeAfter(failure);
      throw failure;
    }
  }

  /** The same engines for one command: closing what it got closes none of them. */
  @MustBeClosed
  RestingEngines lend() {
    RestingEngines same = new RestingEngines(files, access);
    same.engines.addAll(engines);
    same.partitions = partitions;
    same.lent = true;
    return same;
  }

  /** Opens all engines of a directory to change them; where nothing is, one is made. */
  @MustBeClosed
  static RestingEngines openOrCreate(FileSystem files, Path directory) throws StorageException {
    if (!isNew(files, directory)) {
      return open(files, directory, Access.CHANGE);
    }
    RestingEngines opened = new RestingEngines(files, Access.CHANGE);
    opened.found.add(new Resting(directory, ClusterPlace.ALONE));
    try {
      opened.openAll();
      return opened;
    } catch (StorageException | RuntimeException failure) {
      opened.closeAfter(failure);
      throw failure;
    }
  }

  /** Whether a directory is not there, or empty, or one in which a store was about to be made. */
  static boolean isNew(FileSystem files, Path directory) throws StorageException {
    return !files.exists(directory)
        || (files.isDirectory(directory)
            && files.list(directory).stream()
                .allMatch(path -> OF_NEW_STORE.contains(String.valueOf(path.getFileName()))));
  }

  private void findOutside(Path directory, ClusterShape shape) throws StorageException {
    for (int node = shape.nodes(); node < ClusterShape.MAX_NODES; node++) {
      Path engine = Cluster.engineDirectory(directory, node);
      if (EngineInspection.holdsEngine(files, engine)) {
        found.add(new Resting(engine, shape.place(node)));
      }
    }
  }

  /** Each gets an equal part of what the process has. */
  @SuppressWarnings("MustBeClosedChecker") // closed with this
  private void openAll() throws StorageException {
    ProcessLimits limits = ProcessLimits.ofProcess().dividedBy(Math.max(1, found.size()));
    for (Resting each : found) {
      engines.add(openOne(each, EngineSeams.ofSystem(files).withLimits(limits)));
    }
  }

  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the look is closed with this
  private StorageEngine openOne(Resting each, EngineSeams seams) throws StorageException {
    if (access == Access.CHANGE) {
      return StorageEngine.open(options(each.directory, each.place), seams);
    }
    try {
      return StorageEngine.openReadOnly(options(each.directory, each.place), seams);
    } catch (ConflictException running) {
      if (running.reason() != ConflictException.Reason.DIRECTORY_IN_USE) {
        throw running;
      }
      RunningEngine look = RunningEngine.look(seams, each.directory, PATIENCE);
      looks.add(look);
      if (look.answered()) {
        return StorageEngine.openReadOnly(options(look.look(), each.place), seams);
      }
      LOGGER.warn(
          "the process that has {} open does not answer: what follows is what it had forced",
          each.directory);
      EngineOptions own = options(each.directory, each.place).withDirectory(look.secondary());
      return StorageEngine.openSecondary(own, each.directory, seams);
    }
  }

  private EngineOptions options(Path directory, ClusterPlace place) throws StorageException {
    EngineOptions.Builder builder =
        EngineInspection.holdsEngine(files, directory)
            ? EngineInspection.widestOptions(new OverlayFileSystem(files), directory)
            : EngineOptions.builder(directory);
    return builder.place(place).build();
  }

  /**
   * A checkpoint of an engine that another process runs; the caller closes it.
   *
   * @param inUse why it cannot be opened here; thrown when that is not why
   */
  @MustBeClosed
  static RunningEngine look(FileSystem files, Path directory, ConflictException inUse)
      throws StorageException {
    if (inUse.reason() != ConflictException.Reason.DIRECTORY_IN_USE) {
      throw inUse;
    }
    return RunningEngine.ask(EngineSeams.ofSystem(files), directory, EngineRequest.look());
  }

  /**
   * Asks the processes that run the engines of a directory, one after the other.
   *
   * @param inUse why they cannot be opened here; thrown when that is not why
   */
  static void ask(FileSystem files, Path directory, EngineRequest request, ConflictException inUse)
      throws StorageException {
    if (inUse.reason() != ConflictException.Reason.DIRECTORY_IN_USE) {
      throw inUse;
    }
    for (Path engine : EngineDirectories.of(files, directory)) {
      try (RunningEngine asked = RunningEngine.ask(EngineSeams.ofSystem(files), engine, request)) {
        assert asked != null;
      }
    }
  }

  /** Opens the indexes of everything that is stored: statistics show only what is open. */
  void activate() throws StorageException {
    for (Store store : stores()) {
      DatasetStats opened = store.stats();
      assert opened.name().equals(store.name()) : opened;
    }
  }

  /** What all engines store, of each engine in the order of names. */
  List<Store> stores() throws StorageException {
    List<Store> stores = new ArrayList<>();
    for (StorageEngine engine : engines) {
      for (String name : engine.names()) {
        stores.add(engine.store(name));
      }
    }
    return stores;
  }

  /**
   * The dataset or key-value store with a name, of each engine that has it.
   *
   * @param name null for the only one that there is
   * @throws RequestException with {@code UNKNOWN_DATASET} when there is none, or none was named and
   *     there are several, with the names
   */
  List<Store> stores(@Nullable String name) throws StorageException {
    List<Store> all = stores();
    List<String> names = all.stream().map(Store::name).distinct().sorted().toList();
    String wanted = name == null && names.size() == 1 ? names.get(0) : name;
    List<Store> found = all.stream().filter(store -> store.name().equals(wanted)).toList();
    if (!found.isEmpty()) {
      return found;
    }
    throw new RequestException(
        RequestException.Reason.UNKNOWN_DATASET,
        (name == null
                ? "choose one with --dataset"
                : "no dataset or key-value store is named '" + name + "'")
            + "; there are: "
            + (names.isEmpty() ? "none" : String.join(", ", names)));
  }

  /**
   * The same of a dataset.
   *
   * @throws RequestException also with {@code UNSUPPORTED} for a key-value store, which has no
   *     secondary indexes
   */
  List<Dataset> datasets(@Nullable String name) throws StorageException {
    List<Dataset> datasets = new ArrayList<>();
    for (Store store : stores(name)) {
      if (store instanceof Dataset dataset) {
        datasets.add(dataset);
      } else {
        throw new RequestException(
            RequestException.Reason.UNSUPPORTED,
            "'" + store.name() + "' is a key-value store, which has no indexes");
      }
    }
    return datasets;
  }

  /** The engines of the cluster's nodes, in their order, without those that are outside of it. */
  List<StorageEngine> nodes() {
    return engines.stream()
        .filter(engine -> engine.place().node() < engine.place().nodes())
        .toList();
  }

  /** How many partitions a new dataset has on each node. */
  int partitions() {
    return partitions;
  }

  List<StorageEngine> engines() {
    return List.copyOf(engines);
  }

  private void closeAfter(Exception failure) {
    try {
      close();
    } catch (StorageException second) {
      failure.addSuppressed(second);
    }
  }

  /** Closes all of them, whichever fails, unless they are lent; idempotent. */
  @Override
  public void close() throws StorageException {
    if (lent) {
      return;
    }
    try {
      if (!engines.isEmpty()) {
        engines.remove(engines.size() - 1).close();
      } else if (!looks.isEmpty()) {
        looks.remove(looks.size() - 1).close();
      }
    } finally {
      if (!engines.isEmpty() || !looks.isEmpty()) {
        close();
      }
    }
  }
}
