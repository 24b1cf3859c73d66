package dev.varve.dataset;

import dev.varve.common.env.BoundedFileSystem;
import dev.varve.common.env.Device;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndexContext;
import dev.varve.common.index.WriteAheadLog;
import dev.varve.common.maintenance.MaintenanceQueue;
import dev.varve.common.page.PageCache;
import dev.varve.dataset.EngineStats.RecoverySummary;
import dev.varve.dataset.internal.catalog.Catalog;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.partition.ExpiredRecords;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.NodeHealth;
import dev.varve.dataset.internal.partition.OpenTransactions;
import dev.varve.dataset.internal.partition.Snapshots;
import dev.varve.dataset.internal.value.LoggedValues;
import dev.varve.dataset.internal.value.UnforcedValues;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.scheduler.admission.NodeAdmission;
import dev.varve.scheduler.budget.DeviceBudgets;
import dev.varve.scheduler.budget.DeviceSpaces;
import dev.varve.scheduler.budget.DiskSpace;
import dev.varve.scheduler.budget.DiskSpaces;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.service.MaintenanceContext;
import dev.varve.scheduler.service.MaintenanceService;
import dev.varve.transaction.TransactionTable;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.checkpoint.CheckpointFile;
import dev.varve.transaction.lock.LockTable;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogLoss;
import dev.varve.transaction.log.TransactionLog;
import dev.varve.transaction.recovery.Recovery;
import dev.varve.transaction.recovery.RecoveryPlan;
import dev.varve.transaction.recovery.RecoveryReport;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Opens an engine: lock, catalog, log, recovery, workers, in this order; a failure closes what was
 * opened, in reverse. Nothing on disk is changed before everything that catalog, manifests,
 * checkpoint and log name was found, opened and checked. Used once.
 */
final class EngineOpening {
  /** Something that was opened. */
  @FunctionalInterface
  private interface Opened {
    void close() throws StorageException;
  }

  private final ProcessHeap.Share heap;
  private EngineOptions options;
  private final BoundedFileSystem bounded;
  private EngineSeams seams;
  private final Deque<Opened> opened = new ArrayDeque<>();

  @SuppressWarnings("MustBeClosedChecker") // closed by the engine, or by run
  EngineOpening(EngineOptions options, EngineSeams seams) throws LimitException {
    FailurePaths.load();
    this.heap = seams.limits().heap().join(options, seams.limits());
    opened.push(heap::close);
    this.options = heap.fit().options();
    this.bounded = heap.fit().bound(seams.files());
    this.seams = seams.withFiles(bounded);
  }

  EngineParts run() throws StorageException {
    try {
      return open();
    } catch (StorageException | RuntimeException | Error e) {
      while (!opened.isEmpty()) {
        try {
          opened.pop().close();
        } catch (StorageException | RuntimeException second) {
          e.addSuppressed(second);
        }
      }
      throw e;
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // the parts are closed by the engine, or by run
  private EngineParts open() throws StorageException {
    StoreLocks lock = new StoreLocks();
    opened.push(lock::close);
    StoreDirectory directory = lockDirectories(lock);
    FileSystem files = seams.files();
    Catalog catalog = openCatalog(directory);
    long begin = seams.clock().nanoTime();
    Quarantine quarantine = new Quarantine(files, seams.clock(), directory.all());
    LogContext logContext = logContext(directory, catalog, quarantine);
    RecoveryPlan plan = check(logContext, new StoreCheck(files, directory, catalog), quarantine);
    TransactionLog log = openLog(logContext, plan);
    Signal progress = seams.executor().newSignal();
    NodeHealth health = new NodeHealth(log);
    NodeAdmission admission = newAdmission(progress, log, health);
    MaintenanceEvents events = new MaintenanceEvents(admission, health);
    EngineParts.DeviceShare device = joinDevices(directory.dataDirectories());
    MaintenanceService maintenance = startMaintenance(events, device);
    Mutex mutex = new Mutex(seams.executor());
    ActiveDatasets active =
        new ActiveDatasets(heap.fit().activeDatasetBytes(), bounded, health, mutex);
    events.connect(active);
    WatchedQueue queue = new WatchedQueue(maintenance);
    UnforcedValues unforced = forcedBefore(log);
    LsmIndexContext indexes =
        indexContext(catalog, quarantine, new LogOfIndexes(log, unforced, active), queue);
    NodeContext node =
        new NodeContext(
            catalog,
            newChanges(log, plan),
            indexes,
            environment(directory, unforced, device.budget()),
            progress,
            health,
            admission,
            options);
    Checkpointer keeper =
        new Checkpointer(
            node, active, new CheckpointFile(logContext), options.log().retentionBytes());
    WaitReports reports =
        new WaitReports(options.directory(), node, maintenance, device.budget(), active);
    StallWatcher watcher = startWatcher(reports, node, queue, device.budget());
    List<ManagedDataset> datasets = describeDatasets(catalog, directory, node, active);
    RecoverySummary recovery =
        recover(logContext, plan, new Recovering(node, datasets, active, keeper), begin);
    SpaceReclaimer space = new SpaceReclaimer(active, node);
    TaskExecutor.Handle keeperHandle = start(new Housekeeper(keeper, space), keeper, events);
    NodeTuner tuner = newTuner(node, maintenance, device.budget(), active);
    reports.connect(tuner);
    List<TaskExecutor.Handle> others = others(node, active, queue, keeperHandle);
    return new EngineParts(
        options,
        seams,
        new EngineParts.Files(directory, lock, quarantine),
        node,
        heap,
        active,
        new EngineParts.Workers(
            maintenance,
            device,
            queue,
            watcher,
            reports,
            keeper,
            startWarmer(node, maintenance, device.budget(), active),
            tuner,
            loops(tuner, others)),
        recovery,
        datasets);
  }

  private NodeContext.Environment environment(
      StoreDirectory directory, UnforcedValues unforced, IoBudget budget) {
    return new NodeContext.Environment(
        seams.clock(), directory.temporary(), seams.policies(), unforced, budget);
  }

  private EngineParts.DeviceShare joinDevices(List<Path> data) throws StorageException {
    return new EngineParts.DeviceShare(joinDevice(data), joinSpaces(data));
  }

  private static UnforcedValues forcedBefore(TransactionLog log) {
    UnforcedValues unforced = new UnforcedValues();
    log.forceFirst(unforced::force);
    return unforced;
  }

  private List<TaskExecutor.Handle> others(
      NodeContext node, ActiveDatasets active, WatchedQueue queue, TaskExecutor.Handle keeper) {
    return List.of(
        node.expired(), startReclaimer(active, queue), keeper, fetcher(node.indexes().cache()));
  }

  private TaskExecutor.Handle startReclaimer(ActiveDatasets active, WatchedQueue queue) {
    ValueReclaimer reclaimer = new ValueReclaimer(active, seams.clock(), queue::wake);
    opened.push(reclaimer::end);
    TaskExecutor.Handle handle = seams.executor().start(reclaimer);
    opened.push(handle::close);
    return handle;
  }

  private NodeContext.Changes newChanges(TransactionLog log, RecoveryPlan plan) {
    ExpiredRecords expired = new ExpiredRecords(seams.executor());
    opened.push(expired::close);
    return new NodeContext.Changes(
        log,
        new LockTable(seams.executor()),
        new TransactionTable(log, plan.nextTransaction()),
        new OpenTransactions(
            seams.clock(),
            TimeUnit.MILLISECONDS.toNanos(options.sessions().transactionTimeoutMillis())),
        new Snapshots(seams.clock(), options.memory().snapshotBytes()),
        expired);
  }

  private NodeAdmission newAdmission(Signal progress, TransactionLog log, NodeHealth health) {
    return new NodeAdmission(
        new NodeAdmission.Node(seams.clock(), progress, log::endLsn, health::requireWritable),
        new NodeAdmission.Limits(
            options.memory().sealAtFraction(),
            options.log().retentionBytes(),
            options.sessions().stallTimeoutNanos()),
        heap.fit().newPool(),
        NodeKnobs.gate(options));
  }

  /** Reads the log and looks at everything else, and only then takes away what does not count. */
  private RecoveryPlan check(LogContext log, StoreCheck check, Quarantine quarantine)
      throws StorageException {
    LoggedValues values = check.loggedValues();
    RecoveryPlan plan =
        Recovery.analyse(
            log,
            options.opening().acceptLogLoss() ? LogLoss.ACCEPT : LogLoss.REFUSE,
            values.isEmpty() ? null : update -> values.isThere(update.index(), update.value()));
    check.check(plan.checkpoint());
    values.force(seams.files());
    check.clear(quarantine);
    return plan;
  }

  private LogContext logContext(StoreDirectory directory, Catalog catalog, Quarantine quarantine) {
    return new LogContext(
        seams.files(), seams.executor(), directory.log(), catalog.storeId(), quarantine);
  }

  @SuppressWarnings("MustBeClosedChecker") // see open
  private TransactionLog openLog(LogContext context, RecoveryPlan plan) throws StorageException {
    TransactionLog log = Recovery.openLog(context, options.log(), plan);
    opened.push(log::close);
    if (plan.end().dropped() != null) {
      // What the log drops goes to the quarantine, into which one thread at a time moves.
      log.awaitOpen();
    }
    return log;
  }

  private TaskExecutor.Handle start(
      Housekeeper housekeeper, Checkpointer keeper, MaintenanceEvents events) {
    TaskExecutor.Handle handle = seams.executor().start(housekeeper);
    opened.push(handle::close);
    events.connect(keeper, handle);
    return handle;
  }

  private CacheWarmer startWarmer(
      NodeContext node, MaintenanceService maintenance, IoBudget budget, ActiveDatasets active) {
    CacheWarmer warmer =
        new CacheWarmer(
            node, maintenance, budget, new HotPages(seams.files(), options.directory()));
    if (!options.opening().coldCache()) {
      warmer.start(seams, active);
      opened.push(warmer::close);
    }
    return warmer;
  }

  private TaskExecutor.Handle fetcher(PageCache cache) {
    TaskExecutor.Handle fetcher = cache.fetchBy(seams.executor());
    opened.push(fetcher::close);
    return fetcher;
  }

  private NodeTuner newTuner(
      NodeContext node, MaintenanceService maintenance, IoBudget budget, ActiveDatasets active) {
    return new NodeTuner(
        node,
        new FlowMeter(node, maintenance, active),
        new NodeKnobs(
            new NodeKnobs.Parts(maintenance, budget, active),
            options,
            seams.limits().processors()));
  }

  /** The tuner is stepped only if it may change something. */
  private List<TaskExecutor.Handle> loops(NodeTuner tuner, List<TaskExecutor.Handle> others) {
    if (!tuner.mayChange()) {
      return others;
    }
    TaskExecutor.Handle handle = seams.executor().start(tuner);
    opened.push(handle::close);
    List<TaskExecutor.Handle> all = new ArrayList<>(List.of(handle));
    all.addAll(others);
    return all;
  }

  private LsmIndexContext indexContext(
      Catalog catalog, Quarantine quarantine, WriteAheadLog log, MaintenanceQueue queue) {
    return new LsmIndexContext(
        seams.files(),
        heap.fit().newCache(seams.limits()),
        queue,
        seams.executor(),
        log,
        catalog.storeId(),
        quarantine);
  }

  private StoreDirectory lockDirectories(StoreLocks locks) throws StorageException {
    FileSystem files = seams.files();
    if (!files.exists(options.directory())) {
      if (options.opening().mustExist()) {
        throw new ConflictException(
            ConflictException.Reason.NO_STORE,
            options.directory() + " is not there, and the options say that it must exist");
      }
      files.createDirectories(options.directory());
    }
    locks.add(files, options.directory());
    StoreRoots roots = StoreRoots.find(files, options.directory(), options.placement());
    boolean isNew = !files.exists(new StoreDirectory(roots).catalog());
    if (!isNew || !options.opening().mustExist()) {
      lockRoots(roots, locks, isNew);
    }
    // From here on nothing is changed without a look at whether the directories are still ours.
    seams = seams.withFiles(new OwnedFiles(files, locks, seams.clock()));
    return new StoreDirectory(
        new StoreRoots(seams.files(), options.directory(), roots.placement()));
  }

  private static void lockRoots(StoreRoots roots, StoreLocks locks, boolean isNew)
      throws StorageException {
    if (isNew) {
      roots.make();
    }
    for (Path root : roots.placement().all()) {
      locks.add(roots.files(), root);
    }
    if (isNew) {
      roots.requireFree();
    }
  }

  /**
   * One budget for every engine of this process that writes to the device under one: of an engine
   * with several, it is that of the first, for what it writes to all of them.
   */
  @SuppressWarnings("MustBeClosedChecker") // see open
  private IoBudget joinDevice(List<Path> directories) throws StorageException {
    long bytesPerSecond = options.maintenance().ioBytesPerSecond();
    if (bytesPerSecond == 0) {
      return IoBudget.unlimited();
    }
    Device device = seams.files().device(directories.get(0));
    IoBudget budget = DeviceBudgets.ofProcess().join(device, bytesPerSecond);
    opened.push(budget::close);
    return budget;
  }

  /** One account of its space for every engine of this process that merges on a device. */
  @SuppressWarnings("MustBeClosedChecker") // see open
  private DiskSpaces joinSpaces(List<Path> directories) throws StorageException {
    FileSystem files = seams.files();
    List<Map.Entry<Path, DiskSpace>> spaces = new ArrayList<>();
    for (Path directory : directories) {
      // What the process remembers until the engine is closed refers to nothing of the engine.
      DiskSpace space =
          DeviceSpaces.ofProcess()
              .join(files.device(directory), () -> files.usableBytes(directory));
      opened.push(space::close);
      spaces.add(Map.entry(directory, space));
    }
    return new DiskSpaces(spaces);
  }

  @SuppressWarnings("MustBeClosedChecker") // see open
  private MaintenanceService startMaintenance(
      MaintenanceEvents events, EngineParts.DeviceShare device) {
    MaintenanceService maintenance =
        MaintenanceService.start(
            options.maintenance(),
            new MaintenanceContext(
                seams.clock(), seams.executor(), device.budget(), events, device.spaces()));
    opened.push(maintenance::close);
    return maintenance;
  }

  /** Starts the watchdog; from now on it is woken when a task is submitted or a writer waits. */
  private StallWatcher startWatcher(
      WaitReports reports, NodeContext node, WatchedQueue queue, IoBudget budget)
      throws StorageException {
    reports.deleteFile(); // of an engine that was not closed
    StallWatcher watcher = new StallWatcher(reports, node, budget);
    TaskExecutor.Handle handle = seams.executor().start(watcher);
    queue.watch(handle);
    opened.push(queue::close);
    node.admission().stalls().onWait(handle::wake);
    node.openTransactions().watch(handle);
    return watcher;
  }

  private Catalog openCatalog(StoreDirectory directory) throws StorageException {
    Catalog catalog = directory.openOrCreate(seams.random().nextLong(), options);
    try {
      options = options.forStore(catalog.pageBytes());
      return catalog;
    } catch (IllegalArgumentException contradiction) {
      throw new ConflictException(
          ConflictException.Reason.OPTIONS_MISMATCH,
          options.directory()
              + " was written with pageBytes "
              + catalog.pageBytes()
              + ": "
              + contradiction.getMessage());
    }
  }

  /** Knows every dataset of the catalog. */
  private static List<ManagedDataset> describeDatasets(
      Catalog catalog, StoreDirectory directory, NodeContext node, ActiveDatasets active) {
    List<ManagedDataset> datasets = new ArrayList<>();
    for (DatasetDescriptor descriptor : catalog.datasets()) {
      ManagedDataset dataset = new ManagedDataset(descriptor, directory, node, active);
      datasets.add(dataset);
      active.know(dataset);
    }
    return datasets;
  }

  /** What recovery works on. */
  private record Recovering(
      NodeContext node,
      List<ManagedDataset> datasets,
      ActiveDatasets active,
      Checkpointer keeper) {}

  /**
   * Redoes what the indexes lack, and starts a new life of the log. What was redone is flushed
   * while the engine is in use: as before the crash, it is in memory and in the log.
   */
  private RecoverySummary recover(
      LogContext context, RecoveryPlan plan, Recovering recovering, long begin)
      throws StorageException {
    for (ManagedDataset dataset : recovering.datasets()) {
      dataset.expectFlushes(plan.checkpoint().newestFlushes());
    }
    ActiveDatasets active = recovering.active();
    opened.push(() -> active.list().forEach(ManagedDataset::abandon));
    RecoveryReport report =
        Recovery.redo(context, plan, new Redo(recovering.node(), recovering.datasets(), active));
    recovering.node().log().awaitOpen();
    for (ManagedDataset dataset : active.list()) {
      dataset.settleRedo();
      if (plan.end().dropped() != null) {
        // The checkpoint has to pass what is lost, or the next opening would refuse it again.
        dataset.flush();
      }
    }
    recovering.keeper().checkpoint(Checkpoint.Kind.RUNNING, recovering.keeper().mark());
    active.letIn();
    return new RecoverySummary(
        plan.checkpoint().lowWaterMark(),
        plan.end().lsn(),
        plan.counts().committed(),
        report.redone(),
        plan.end().dropped() == null ? "" : plan.end().dropped().toString(),
        seams.clock().nanoTime() - begin);
  }
}
