package dev.varve.hyracks.adapter;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineInspection;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.EngineSnapshot;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.hyracks.feed.FeedBoard;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.api.context.IHyracksJobletContext;
import org.apache.hyracks.api.context.IHyracksTaskContext;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.job.JobId;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.IResourceLifecycleManager;
import org.apache.hyracks.storage.common.LocalResource;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * The storage of one node: its engine, and its indexes as Hyracks knows them. It is the application
 * context of the node, where operators and the stateless storage manager find it. Thread-safe.
 */
public final class NodeStorage implements AutoCloseable {
  private static final String RESOURCES = "resources.json";
  private static final Logger LOGGER = LogManager.getLogger();

  private final StorageEngine engine;
  private final EngineStores stores;
  private final EngineOptions options;
  private final FileSystem files;
  private final IndexResources resources;
  private final IndexRegistry registry;
  private final FeedBoard feeds = new FeedBoard();
  private final Map<JobId, JobChanges> changes = new ConcurrentHashMap<>();

  /** What jobs read that are at work here. */
  private final Map<JobId, EngineSnapshot> snapshots = new ConcurrentHashMap<>();

  private volatile int partitions = 1;

  private NodeStorage(
      StorageEngine engine,
      EngineOptions options,
      FileSystem files,
      EngineStores stores,
      IndexResources resources) {
    this.engine = engine;
    this.stores = stores;
    this.options = options;
    this.files = files;
    this.resources = resources;
    this.registry = new IndexRegistry();
  }

  /** Says how many partitions of each dataset the node has, as its cluster's documents do. */
  public NodeStorage withPartitions(int ofEachDataset) {
    assert ofEachDataset > 0 : ofEachDataset;
    partitions = ofEachDataset;
    return this;
  }

  /** How many partitions of each dataset the node has. */
  public int partitions() {
    return partitions;
  }

  /**
   * Opens and recovers a node's storage. A store of an index that is not in the node's list is
   * kept, whatever the list says or lacks; the only ones dropped are those that the list says were
   * being dropped.
   *
   * @throws dev.varve.common.error.CorruptionException when the list of indexes is damaged,
   *     missing, another node's or not the newest; nothing was changed then
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The engine is the result's to close.
  public static NodeStorage open(EngineOptions options, EngineSeams seams) throws StorageException {
    FileSystem files = seams.files();
    Path directory = options.directory();
    StorageEngine engine = StorageEngine.open(options, seams);
    try {
      Path list = directory.resolveSibling(RESOURCES);
      EngineStores stores = new EngineStores(engine, seams, list.resolveSibling("load"));
      IndexResources resources = IndexResources.open(files, list, stores);
      NodeStorage opened = new NodeStorage(engine, options, files, stores, resources);
      opened.finishDrops();
      opened.reportUnused();
      opened.registerAll();
      engine.answerRequests();
      return opened;
    } catch (StorageException | RuntimeException failure) {
      try {
        engine.close();
      } catch (StorageException second) {
        failure.addSuppressed(second);
      }
      throw failure;
    }
  }

  /** The storage of the node that an operator runs on. */
  public static NodeStorage of(IHyracksTaskContext task) {
    return of(task.getJobletContext().getServiceContext());
  }

  /** The storage of a node. */
  public static NodeStorage of(INCServiceContext context) {
    if (context.getApplicationContext() instanceof NodeStorage node) {
      return node;
    }
    throw new IllegalStateException(
        "node " + context.getNodeId() + " runs an application that is not Varve's");
  }

  /** Whether a store of the engine stands for an index that Hyracks' operators made. */
  public static boolean isIndexOfHyracks(String storeName) {
    return EngineStores.pathOf(storeName).isPresent();
  }

  /** The engine. */
  public StorageEngine engine() {
    return engine;
  }

  /** Who waits in the engine, see {@link EngineInspection#running}. */
  public Optional<String> waits() throws StorageException {
    return EngineInspection.running(files, options.directory());
  }

  /** Bounds that the engine holds records to; readers of keys out of records keep the same. */
  public RecordLimits recordLimits() {
    return options.recordLimits();
  }

  /** Counters of the feeds that write here. */
  public FeedBoard feeds() {
    return feeds;
  }

  /**
   * Drops a dataset or key-value store. One that stands for an index of Hyracks leaves the list of
   * indexes with it.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_DATASET}
   * @throws HyracksDataException when operators use the index
   */
  public void drop(String name) throws StorageException, HyracksDataException {
    String path = EngineStores.pathOf(name).orElse(null);
    IIndex index = path == null ? null : registry.get(path);
    if (path == null || index == null) {
      engine.drop(name);
      return;
    }
    registry.unregister(path);
    resources.delete(path);
    index.destroy();
  }

  /**
   * What all operators of a job read on this node: its engine as it was when the first of them
   * asked. It is closed when the job has ended here.
   */
  @SuppressWarnings("MustBeClosedChecker") // closed with the joblet
  public EngineSnapshot snapshotFor(IHyracksTaskContext task) {
    IHyracksJobletContext job = task.getJobletContext();
    return snapshots.computeIfAbsent(
        job.getJobId(),
        id -> {
          EngineSnapshot opened = engine.snapshot();
          job.registerDeallocatable(() -> closeSnapshotOf(id));
          return opened;
        });
  }

  private void closeSnapshotOf(JobId job) {
    EngineSnapshot ended = snapshots.remove(job);
    assert ended != null : "a job ends once";
    if (ended != null) {
      ended.close();
    }
  }

  /** The changes of a job that wait for its end. */
  JobChanges changesOf(JobId job) {
    return changes.computeIfAbsent(job, unused -> new JobChanges());
  }

  /** Ends what a job has changed here. */
  void endChanges(JobId job, boolean succeeded) throws StorageException {
    JobChanges ended = changes.remove(job);
    if (ended != null) {
      ended.end(succeeded);
    }
  }

  EngineStores stores() {
    return stores;
  }

  IndexResources resources() {
    return resources;
  }

  IResourceLifecycleManager<IIndex> registry() {
    return registry;
  }

  /** Checkpoints and closes the engine; idempotent. */
  @Override
  public void close() throws StorageException {
    engine.close();
  }

  private void registerAll() {
    for (LocalResource resource : resources.all()) {
      StoreResource store = (StoreResource) resource.getResource();
      registry.add(store.getPath(), store.createInstance(this));
    }
  }

  /** Drops the stores that the list says were being dropped. */
  private void finishDrops() throws StorageException {
    for (LocalResource resource : resources.in(IndexResources.State.DROPPED)) {
      stores.drop(resource.getPath());
      try {
        resources.forget(resource.getPath());
      } catch (HyracksDataException failure) {
        throw StorageFailures.fromHyracks(failure)
            .orElseThrow(() -> new IllegalStateException(failure));
      }
    }
  }

  private void reportUnused() {
    for (String path : resources.orphans()) {
      LOGGER.warn("store {} belongs to no known index, and is kept", EngineStores.name(path));
    }
    for (LocalResource resource : resources.in(IndexResources.State.MADE)) {
      LOGGER.warn("index {} was being made when the node ended; make it again", resource.getPath());
    }
  }
}
