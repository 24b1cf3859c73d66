package dev.varve.dataset.internal.partition;

import dev.varve.common.env.Clock;
import dev.varve.common.env.Signal;
import dev.varve.common.index.LsmIndexContext;
import dev.varve.common.merge.MergePolicy;
import dev.varve.dataset.internal.catalog.Catalog;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.value.UnforcedValues;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.scheduler.admission.NodeAdmission;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.transaction.TransactionTable;
import dev.varve.transaction.lock.LockTable;
import dev.varve.transaction.log.Durability;
import dev.varve.transaction.log.TransactionLog;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * What all partitions of an engine share: the one context that each of them is given.
 *
 * @param catalog which datasets there are
 * @param changes what makes changes of records transactions
 * @param indexes what the LSM indexes of the node share
 * @param environment what else is around
 * @param progress raised whenever a flush or merge ends, or fails, or the gate is set anew
 * @param health whether the engine is open and its log is well
 * @param admission what the writers of all datasets have in common where they are let in
 * @param options the engine's, with the page size of its store
 */
public record NodeContext(
    Catalog catalog,
    Changes changes,
    LsmIndexContext indexes,
    Environment environment,
    Signal progress,
    NodeHealth health,
    NodeAdmission admission,
    EngineOptions options) {
  /**
   * What makes changes of records transactions.
   *
   * @param log the node's log
   * @param locks locks on primary keys
   * @param transactions the transactions over the log
   * @param open those over several records that have not ended
   * @param snapshots the moments that readers look at
   * @param expired deletes records that have come to their end
   */
  public record Changes(
      TransactionLog log,
      LockTable locks,
      TransactionTable transactions,
      OpenTransactions open,
      Snapshots snapshots,
      ExpiredRecords expired) {}

  /**
   * What is around an engine.
   *
   * @param clock time
   * @param temporary directory for files that no crash needs to leave
   * @param policies what an index's merge policy becomes before the index uses it
   * @param unforced large values that are not durable yet
   * @param budget what may be written to the device
   */
  public record Environment(
      Clock clock,
      Path temporary,
      UnaryOperator<MergePolicy> policies,
      UnforcedValues unforced,
      IoBudget budget) {}

  /** The node's log. */
  public TransactionLog log() {
    return changes.log();
  }

  /** Locks on primary keys. */
  public LockTable locks() {
    return changes.locks();
  }

  /** The transactions over the log. */
  public TransactionTable transactions() {
    return changes.transactions();
  }

  /** Transactions over several records that have not ended. */
  public OpenTransactions openTransactions() {
    return changes.open();
  }

  /** The moments that readers look at. */
  public Snapshots snapshots() {
    return changes.snapshots();
  }

  /** What deletes records that have come to their end. */
  public ExpiredRecords expired() {
    return changes.expired();
  }

  /** Bounds on what is put into a store. */
  public RecordLimits limitsOf(DatasetDescriptor store) {
    return Expiry.limits(store, options.recordLimits());
  }

  /** Time. */
  public Clock clock() {
    return environment.clock();
  }

  /** What an acknowledgement means where a session does not say it. */
  public Durability durability() {
    return options.sessions().durability();
  }

  /** Longest wait for a lock, in nanoseconds. */
  public long lockTimeoutNanos() {
    return options.sessions().lockTimeoutNanos();
  }

  /** Longest wait that is no stall, in nanoseconds. */
  public long stallTimeoutNanos() {
    return options.sessions().stallTimeoutNanos();
  }
}
