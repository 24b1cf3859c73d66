package dev.varve.dataset.engine;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.page.PageCache;
import dev.varve.dataset.engine.EngineStats.RecoverySummary;
import dev.varve.dataset.partition.PartitionServices;
import dev.varve.scheduler.budget.DiskSpace;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.service.MaintenanceService;
import java.util.List;

/**
 * What an open engine is made of.
 *
 * @param options its options
 * @param seams its doors to the outside
 * @param directory where its files lie
 * @param lock held while it is open
 * @param quarantine where files are that do not count
 * @param services what its partitions share
 * @param cache its buffer cache
 * @param maintenance runs flushes and merges
 * @param budget what they may write
 * @param space where merges reserve it
 * @param active which datasets are active
 * @param turn for who opens, closes or drops a dataset
 * @param keeper keeps the log short
 * @param keeperHandle the keeper's thread
 * @param watcher the watchdog
 * @param queue where indexes hand in their tasks; owns the watchdog's thread
 * @param reports looks at who waits for what
 * @param recovery what opening had to do
 * @param datasets what the catalog named when it was opened
 */
record EngineParts(
    EngineOptions options,
    EngineSeams seams,
    StoreDirectory directory,
    FileSystem.DirectoryLock lock,
    Quarantine quarantine,
    PartitionServices services,
    PageCache cache,
    MaintenanceService maintenance,
    IoBudget budget,
    DiskSpace space,
    ActiveDatasets active,
    Turn turn,
    LogKeeper keeper,
    TaskExecutor.Handle keeperHandle,
    StallWatcher watcher,
    WatchedQueue queue,
    WaitReports reports,
    RecoverySummary recovery,
    List<ManagedDataset> datasets) {}
