package dev.varve.common.index;

import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.maintenance.MaintenanceQueue;
import dev.varve.common.page.PageCache;

/**
 * What the indexes of one node share.
 *
 * @param files where components live
 * @param cache the node's buffer cache
 * @param queue who steps flushes and merges
 * @param executor makes the signals that callers of flush and compact wait on
 * @param log the node's log
 * @param storeId identity of the node's storage, stamped into every file
 * @param quarantine where files go that do not count
 */
public record LsmIndexContext(
    FileSystem files,
    PageCache cache,
    MaintenanceQueue queue,
    TaskExecutor executor,
    WriteAheadLog log,
    long storeId,
    Quarantine quarantine) {}
