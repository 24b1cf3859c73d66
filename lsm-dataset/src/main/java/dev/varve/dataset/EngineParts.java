package dev.varve.dataset;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.TaskExecutor;
import dev.varve.dataset.EngineStats.RecoverySummary;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.scheduler.budget.DiskSpaces;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.service.MaintenanceService;
import java.util.List;

/**
 * What an open engine is made of.
 *
 * @param options its options
 * @param seams its doors to the outside
 * @param files what it has of the file system
 * @param node what its partitions share
 * @param heap what it takes of the process's heap
 * @param active which datasets are active
 * @param workers what works for it
 * @param recovery what opening had to do
 * @param datasets what the catalog named when it was opened
 */
record EngineParts(
    EngineOptions options,
    EngineSeams seams,
    Files files,
    NodeContext node,
    ProcessHeap.Share heap,
    ActiveDatasets active,
    Workers workers,
    RecoverySummary recovery,
    List<ManagedDataset> datasets) {
  /**
   * What an engine has of the file system.
   *
   * @param directory where its files lie
   * @param lock on all of its directories, held while it is open
   * @param quarantine where files are that do not count
   */
  record Files(StoreDirectory directory, FileSystem.DirectoryLock lock, Quarantine quarantine) {}

  /**
   * What works for an engine.
   *
   * @param maintenance runs flushes and merges
   * @param device its part of the devices
   * @param queue where indexes hand in their tasks; owns the watchdog's thread
   * @param watcher the watchdog
   * @param reports looks at who waits for what
   * @param keeper keeps the log short
   * @param warmer fills the cache
   * @param tuner sets threads, memory components and the budget while the engine runs
   * @param loops threads of the tuner, of the deletion of ended records, of the keeper and of those
   *     who read pages ahead, in the order in which they end
   */
  record Workers(
      MaintenanceService maintenance,
      DeviceShare device,
      WatchedQueue queue,
      StallWatcher watcher,
      WaitReports reports,
      Checkpointer keeper,
      CacheWarmer warmer,
      NodeTuner tuner,
      List<TaskExecutor.Handle> loops) {}

  /**
   * An engine's part of the devices that its files lie on.
   *
   * @param budget what flushes and merges may write
   * @param spaces where merges reserve space
   */
  record DeviceShare(IoBudget budget, DiskSpaces spaces) {}

  /** For those who open, close or drop a dataset. */
  Mutex mutex() {
    return active.mutex();
  }
}
