package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.OverlayFileSystem;
import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.common.page.PageCacheStats;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.EngineRequest;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.SessionOptions;
import dev.varve.scheduler.admission.WriteGate;
import dev.varve.transaction.log.LogStats;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * One process's storage: datasets under one directory, one log, one buffer cache. What flushes and
 * merges may write is shared with the other engines of this process on the same device. Opening
 * recovers. After a failed write or force of the log every later write throws the first cause until
 * the engine is closed and opened again. Thread-safe; every call after {@link #close} throws {@link
 * IllegalStateException}.
 */
public final class StorageEngine implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(StorageEngine.class);

  private final EngineParts parts;
  private final NodeContext node;

  /** By name. */
  private final Map<String, Store> stores = new ConcurrentSkipListMap<>();

  private final StoreChanges changes;
  private final EngineClosing closing;
  private final Mutex closingMutex;
  private final RequestDesk desk;
  private TaskExecutor.@Nullable Handle deskHandle;

  /** What a secondary reads. */
  private @Nullable SecondaryImage image;

  private StorageEngine(EngineParts parts) {
    this.parts = parts;
    this.node = parts.node();
    this.changes = new StoreChanges(parts);
    this.closing = new EngineClosing(parts);
    this.closingMutex = new Mutex(parts.seams().executor());
    this.desk =
        new RequestDesk(parts.options().directory(), parts.seams().files(), this::doAsAsked);
    parts.datasets().stream().map(Store::of).forEach(store -> stores.put(store.name(), store));
  }

  /** Opens the engine in a directory with default options, creating it when absent. */
  @MustBeClosed
  public static StorageEngine open(Path directory) throws StorageException {
    return open(EngineOptions.of(directory));
  }

  /**
   * Opens the engine on the real file system, clock and threads.
   *
   * @throws ConflictException with {@code DIRECTORY_IN_USE}, or {@code OPTIONS_MISMATCH} when the
   *     files were written with other options
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the caller closes it
  public static StorageEngine open(EngineOptions options) throws StorageException {
    StorageEngine engine = open(options, EngineSeams.ofSystem(new LocalFileSystem()));
    engine.answerRequests();
    return engine;
  }

  /** Opens the engine over other seams. */
  @MustBeClosed
  public static StorageEngine open(EngineOptions options, EngineSeams seams)
      throws StorageException {
    StorageEngine engine = new StorageEngine(new EngineOpening(options, seams).run());
    engine.managed().forEach(dataset -> dataset.indexes().resume());
    return engine;
  }

  /**
   * Opens the engine of a directory to read it: nothing on disk is changed, now or later. What
   * recovery brings back, and whatever else an opened engine writes, stays in memory, beside the
   * options' sizes; merges wait. Writes are refused with a {@link RequestException}.
   *
   * @throws ConflictException with {@code DIRECTORY_IN_USE} while another engine has it open, or
   *     {@code NO_STORE}
   */
  @MustBeClosed
  public static StorageEngine openReadOnly(EngineOptions options, EngineSeams seams)
      throws StorageException {
    EngineOptions there = options.withOpening(options.opening().withMustExist().withColdCache());
    EngineSeams memory =
        seams.withFiles(new OverlayFileSystem(seams.files())).withPolicies(RestingPolicy::new);
    StorageEngine engine = new StorageEngine(new EngineOpening(there, memory).run());
    engine.node.health().refuseWrites();
    return engine;
  }

  /**
   * Opens a secondary: reads what the engine of another directory has forced, whether a process has
   * it open or none. That engine is neither asked nor locked, and no byte of its directory changes.
   * Otherwise as {@link #openReadOnly}; what the secondary reads stays as it is until {@link
   * #refresh}.
   *
   * @param options their directory is the secondary's own, for images of the primary: components by
   *     hard links where it is on the same device, by copies elsewhere. Several secondaries may
   *     share one. Space of a component that the primary has deleted returns when the last
   *     secondary that reads it is closed
   * @param primary directory of the engine that writes
   * @throws ConflictException with {@code NO_STORE}; {@code STALLED} when the primary changes its
   *     files faster than they are copied
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the engine
  public static StorageEngine openSecondary(EngineOptions options, Path primary, EngineSeams seams)
      throws StorageException {
    return ofImage(SecondaryImage.make(seams, options, primary), seams);
  }

  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the caller closes it
  private static StorageEngine ofImage(SecondaryImage image, EngineSeams seams)
      throws StorageException {
    try {
      StorageEngine engine = openReadOnly(image.options(), seams);
      engine.image = image;
      return engine;
    } catch (StorageException | RuntimeException failure) {
      image.closeAfter(failure);
      throw failure;
    }
  }

  /**
   * Opens the secondary of what the primary has forced by now. This one goes on with what it has,
   * until it is closed.
   *
   * @return the newer secondary, which the caller closes; empty when the primary has nothing new
   * @throws RequestException with {@code UNSUPPORTED} when this is no secondary
   */
  @SuppressWarnings("MustBeClosedChecker") // the caller closes it
  public Optional<StorageEngine> refresh() throws StorageException {
    node.health().requireOpen();
    if (image == null) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED, "only what openSecondary has opened is refreshed");
    }
    Optional<SecondaryImage> newer = image.next();
    return newer.isEmpty() ? Optional.empty() : Optional.of(ofImage(newer.get(), image.seams()));
  }

  /** What it is made of, for tests of the whole. */
  EngineParts parts() {
    return parts;
  }

  /** Which node of a cluster it is. */
  public ClusterPlace place() {
    return parts.options().opening().place();
  }

  // ---- Datasets

  /**
   * Creates a dataset, durably.
   *
   * @throws ConflictException with {@code NAME_EXISTS}
   */
  public Dataset createDataset(DatasetOptions options) throws StorageException {
    return (Dataset) create(DatasetDescriptor.Kind.RECORDS, options);
  }

  /**
   * The dataset with the options' name; creates it when there is none. Performance options of an
   * existing dataset stay as they are in the catalog.
   *
   * @throws ConflictException with {@code OPTIONS_MISMATCH} when it has another primary key, other
   *     indexes or another number of partitions
   */
  public Dataset openDataset(DatasetOptions options) throws StorageException {
    node.health().requireOpen();
    if (!stores.containsKey(options.name())) {
      return createDataset(options);
    }
    Dataset dataset = dataset(options.name());
    dataset.requireMadeWith(options);
    return dataset;
  }

  /**
   * A dataset that exists.
   *
   * @throws RequestException with {@code UNKNOWN_DATASET}
   */
  public Dataset dataset(String name) throws StorageException {
    node.health().requireOpen();
    if (find(name) instanceof Dataset dataset) {
      return dataset;
    }
    throw unknown("dataset", name);
  }

  /**
   * Creates a key-value store, durably.
   *
   * @throws ConflictException with {@code NAME_EXISTS}
   */
  public KeyValueStore createKeyValueStore(String name, KeyValueOptions options)
      throws StorageException {
    DatasetOptions placeholder =
        DatasetOptions.of(Store.checkedName(name), "key")
            .withMemoryBytes(options.memoryBytes())
            .withMergePolicy(options.mergePolicy())
            .withFilterFalsePositiveRate(options.filterFalsePositiveRate())
            .withTimeToLive(options.timeToLive())
            .withLargeValueBytes(options.operator().isPresent() ? 0 : options.largeValueBytes());
    return (KeyValueStore) create(DatasetDescriptor.Kind.ofPairs(options.operator()), placeholder);
  }

  /**
   * The key-value store with a name; creates it when there is none. Options of an existing one stay
   * as they are in the catalog.
   *
   * @throws ConflictException with {@code OPTIONS_MISMATCH} for another time to live or operator
   * @throws RequestException with {@code UNKNOWN_DATASET} when a dataset has the name
   */
  public KeyValueStore openKeyValueStore(String name, KeyValueOptions options)
      throws StorageException {
    node.health().requireOpen();
    return stores.containsKey(name)
        ? keyValueStore(name).madeWith(options)
        : createKeyValueStore(name, options);
  }

  /**
   * A key-value store that exists.
   *
   * @throws RequestException with {@code UNKNOWN_DATASET}
   */
  public KeyValueStore keyValueStore(String name) throws StorageException {
    node.health().requireOpen();
    if (find(name) instanceof KeyValueStore store) {
      return store;
    }
    throw unknown("key-value store", name);
  }

  /**
   * A dataset or key-value store that exists.
   *
   * @throws RequestException with {@code UNKNOWN_DATASET}, and the names that there are
   */
  public Store store(String name) throws StorageException {
    node.health().requireOpen();
    Store found = find(name);
    if (found == null) {
      throw unknown("dataset or key-value store", name);
    }
    return found;
  }

  private @Nullable Store find(String name) throws RequestException {
    return stores.get(Store.checkedName(name));
  }

  /** Identity of the store, given when it was made: no other store has it, except a copy. */
  public long storeId() {
    return node.catalog().storeId();
  }

  /** Names of all datasets and key-value stores, sorted. */
  public List<String> names() {
    node.health().requireOpen();
    return List.copyOf(stores.keySet());
  }

  /** All datasets, in the order of their names. */
  List<Dataset> datasets() {
    node.health().requireOpen();
    return stores.values().stream()
        .filter(Dataset.class::isInstance)
        .map(Dataset.class::cast)
        .toList();
  }

  /**
   * Drops a dataset or key-value store, durably, once nobody uses it any more.
   *
   * @throws RequestException with {@code UNKNOWN_DATASET}
   * @throws ConflictException with {@code STALLED} when somebody goes on using it
   */
  public void drop(String name) throws StorageException {
    node.health().requireChangeable();
    parts
        .active()
        .inTurn(
            () -> {
              Store dropped = store(name);
              changes.drop(dropped.managed);
              stores.remove(name);
              dropped.dispose();
              changes.delete(dropped.managed);
            });
  }

  /**
   * Takes everything out of a dataset or key-value store, durably and at once however much it
   * holds, when nobody uses it any more. Its options and indexes stay; one that is just being built
   * is given up. What users have of it is of a store that is gone: they ask the engine for it
   * again. Snapshots that are open are given up.
   *
   * @throws RequestException with {@code UNKNOWN_DATASET}
   * @throws ConflictException with {@code STALLED} when somebody goes on using it
   */
  public void truncate(String name) throws StorageException {
    node.health().requireWritable();
    parts
        .active()
        .inTurn(
            () -> {
              Store before = store(name);
              stores.put(name, Store.of(changes.empty(before.managed)));
              before.dispose();
              changes.delete(before.managed);
            });
  }

  /**
   * Begins a transaction over any of its datasets and key-value stores, at the engine's level of
   * durability; its reads lock.
   */
  @MustBeClosed
  public EngineTransaction beginTransaction() throws StorageException {
    return beginTransaction(Isolation.LOCKED_READS);
  }

  /** Begins a transaction over any of its datasets and key-value stores. */
  @MustBeClosed
  public EngineTransaction beginTransaction(Isolation isolation) throws StorageException {
    return new EngineTransaction(node, isolation);
  }

  /** Opens a snapshot of all of its datasets and key-value stores. */
  @MustBeClosed
  public EngineSnapshot snapshot() {
    node.health().requireOpen();
    return new EngineSnapshot(node);
  }

  // ---- Scheduling

  /** From now on, merges share the disk as this scheduler says; those under way pause or go on. */
  public void setScheduler(MergeScheduler scheduler) {
    node.health().requireOpen();
    LOGGER.info("merges are scheduled by {}", scheduler.describe());
    parts.workers().maintenance().setScheduler(scheduler);
  }

  /**
   * From now on, this gate decides when writes may begin; those that wait ask it at once. A tuner
   * that paces writers has its own part in where a write controller slows down.
   */
  public void setGate(WriteGate gate) {
    node.health().requireOpen();
    WriteGate tuned = NodeKnobs.gate(parts.options(), gate);
    LOGGER.info("the write gate is {}", tuned.describe());
    node.admission().setGate(tuned);
  }

  // ---- Reports

  /** What the engine holds and has done; an inactive dataset stays so, and lists no partitions. */
  public EngineStats stats() throws StorageException {
    node.health().requireOpen();
    List<DatasetStats> datasets = new ArrayList<>();
    for (Store store : stores.values()) {
      datasets.add(Reports.statsIfActive(store.managed));
    }
    LogStats log = node.log().stats();
    PageCacheStats cache = parts.node().indexes().cache().stats();
    return new EngineStats(
        datasets,
        new EngineStats.LogSummary(
            parts.workers().keeper().lowWaterMark(),
            node.log().endLsn(),
            node.log().durableLsn(),
            log.forces(),
            log.segments(),
            parts.workers().reports().logHolder()),
        new EngineStats.CacheSummary(
            cache.hits(), cache.misses(), cache.bytes(), parts.workers().warmer().progress()),
        Reports.stalls(node.admission().stalls().report()),
        new EngineStats.SchedulingSummary(
            parts.workers().maintenance().scheduler().describe(),
            node.admission().gate().describe(),
            parts.workers().device().budget().bytesPerSecond(),
            parts.workers().watcher().broken()),
        Reports.memory(node, parts.active()),
        parts.workers().tuner().flow(),
        parts.recovery());
  }

  /** Who waits for what now: writers for flushes and merges, and those for the disk. */
  public WaitReport waits() {
    node.health().requireOpen();
    return parts
        .workers()
        .reports()
        .describe(null, parts.workers().reports().sample(), parts.workers().watcher().broken());
  }

  /** Verifies every dataset, and that no file is there that belongs to none. */
  public VerifyReport verify() throws StorageException {
    node.health().requireOpen();
    VerifyReport report = Reports.verify(managed());
    return report.with(
        parts.files().directory().orphans(node.catalog()).stream()
            .filter(orphan -> managed().stream().noneMatch(each -> each.isDropped(orphan)))
            .map(orphan -> orphan + " belongs to no index")
            .toList(),
        parts.files().quarantine().items().stream()
            .map(
                item ->
                    item.content()
                        + " is in quarantine, from "
                        + item.origin()
                        + ": "
                        + item.reason())
            .toList());
  }

  /**
   * Puts records that are in the wrong partition where they belong, as {@link NodeGroup#repair}
   * does for all nodes of a cluster. Rejected records go to the directory {@code repair-rejects} in
   * the engine's.
   */
  public RepairReport repair() throws StorageException {
    return new NodeGroup(List.of(this))
        .repair(parts.options().directory().resolve(RejectsDirectory.NAME));
  }

  /**
   * Takes a checkpoint, beside readers and writers: a store of its own, which an engine opens as
   * any other, with all that was acknowledged as durable before this was called, and of each
   * transaction all or nothing. Components are hard links where the target is on the same device,
   * and copies elsewhere; the log is copied. Killed at any moment, the target is a whole store or
   * none, and the checkpoint may be taken again into the same directory. Creating, opening and
   * dropping datasets waits meanwhile.
   *
   * @param target a directory that is not there, or is empty, outside of the engine's
   * @throws ConflictException with {@code FOREIGN_FILES} when the target is not empty; {@code
   *     STALLED} when files of indexes never stay as they are for a moment
   * @throws IllegalArgumentException when the target is in the engine's directory
   */
  public CheckpointReport checkpoint(Path target) throws StorageException {
    node.health().requireChangeable();
    return EngineCheckpoint.ofOpen(parts, target);
  }

  /**
   * Does from now on, until it is closed, what other processes ask of this engine through files in
   * its directory, by {@link RunningEngine} or {@code varve}, as after {@link
   * #open(EngineOptions)}.
   */
  public void answerRequests() {
    closingMutex.acquireUninterruptibly();
    try {
      if (deskHandle == null && !node.health().closed()) {
        deskHandle = parts.seams().executor().start(desk.opened());
      }
    } finally {
      closingMutex.release();
    }
  }

  /**
   * Waits until no flush or merge runs or is due, and the log that none of them needs any more is
   * given up.
   *
   * @return whether that came about; false when the time ran out or the caller was interrupted
   */
  public boolean awaitQuiet(long timeoutMillis) {
    node.health().requireOpen();
    long begin = node.clock().nanoTime();
    long timeout = TimeUnit.MILLISECONDS.toNanos(timeoutMillis);
    if (parts.workers().maintenance().awaitQuiet(timeout) != Signal.Outcome.DONE) {
      return false;
    }
    long left = Math.max(0, timeout - (node.clock().nanoTime() - begin));
    return node.progress().await(parts.workers().keeper()::quiet, left) == Signal.Outcome.DONE;
  }

  /**
   * Flushes, writes a checkpoint and closes everything; idempotent. An interrupt of the caller
   * changes nothing of that, and its flag stays set.
   *
   * <p>Sessions, transactions, cursors and loaders are to be closed before. Closing waits for those
   * that are still open, and for calls under way, up to {@link SessionOptions#closeTimeoutMillis}.
   * Then it aborts transactions and bulk loads, saves all that was committed, closes everything but
   * the files that cursors read, which are closed with the cursors, and says in an exception what
   * was left open: where, since when, and by which thread. Called again, it throws while a cursor
   * is still open. Only when a call of another thread that may change something has not returned by
   * then, the engine is not closed, and this is to be called again.
   *
   * @throws ConflictException with {@code LEFT_OPEN}
   */
  @Override
  public void close() throws StorageException {
    closingMutex.acquireUninterruptibly();
    try {
      desk.stop();
      stores.values().forEach(Store::dispose);
      closing.run(this::managed);
    } finally {
      // By now everything that the desk may be at throws.
      if (deskHandle != null) {
        deskHandle.close();
        deskHandle = null;
      }
      desk.release();
      closingMutex.release();
    }
    if (image != null) {
      image.close();
    }
  }

  // ---- Private

  /** Does what another process asks. */
  private void doAsAsked(EngineRequest request, RequestFiles files) throws StorageException {
    switch (request.verb()) {
      case LOOK -> EngineCheckpoint.ofOpen(parts, files.look());
      case PUT -> files.taken(store(request.store()).take(files.batch().read()));
      case CREATE -> {
        if (request.argument().isEmpty()) {
          openKeyValueStore(request.store(), KeyValueOptions.DEFAULTS);
        } else {
          openDataset(Dataset.requested(request));
        }
      }
      case COMPACT, REPAIR_INDEXES, ADD_INDEX, DROP_INDEX, DELETE_RANGE -> {
        for (String each : request.store().isEmpty() ? names() : List.of(request.store())) {
          store(each).doAsAsked(request);
        }
      }
    }
  }

  private List<ManagedDataset> managed() {
    return stores.values().stream().map(store -> store.managed).toList();
  }

  private Store create(DatasetDescriptor.Kind kind, DatasetOptions options)
      throws StorageException {
    node.health().requireWritable();
    node.admission().pool().requireFits(options.name(), options.memoryBytes());
    parts.mutex().acquire();
    try {
      node.health().requireOpen();
      Store store = Store.of(changes.create(kind, options));
      stores.put(store.name(), store);
      return store;
    } finally {
      parts.mutex().release();
    }
  }

  private RequestException unknown(String what, String name) {
    return new RequestException(
        RequestException.Reason.UNKNOWN_DATASET,
        "no "
            + what
            + " is named '"
            + name
            + "'; there are: "
            + (stores.isEmpty() ? "none" : String.join(", ", stores.keySet())));
  }
}
