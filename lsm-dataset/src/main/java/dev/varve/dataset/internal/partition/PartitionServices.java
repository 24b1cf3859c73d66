package dev.varve.dataset.internal.partition;

import dev.varve.common.env.Clock;
import dev.varve.common.env.Signal;
import dev.varve.common.index.LsmIndexContext;
import dev.varve.dataset.internal.catalog.Catalog;
import dev.varve.scheduler.admission.NodeAdmission;
import dev.varve.transaction.TransactionTable;
import dev.varve.transaction.lock.LockTable;
import dev.varve.transaction.log.TransactionLog;

/**
 * What all partitions of an engine share.
 *
 * @param catalog which datasets there are
 * @param log the node's log
 * @param locks locks on primary keys
 * @param transactions the transactions over the log
 * @param openTransactions those over several records that have not ended
 * @param indexes what the LSM indexes of the node share
 * @param clock time
 * @param progress raised whenever a flush or merge ends, or fails, or the gate is set anew
 * @param health whether the engine is open and its log is well
 * @param admission what the writers of all datasets have in common where they are let in
 * @param settings the engine's options, as far as partitions need them
 */
public record PartitionServices(
    Catalog catalog,
    TransactionLog log,
    LockTable locks,
    TransactionTable transactions,
    OpenTransactions openTransactions,
    LsmIndexContext indexes,
    Clock clock,
    Signal progress,
    NodeHealth health,
    NodeAdmission admission,
    PartitionSettings settings) {}
