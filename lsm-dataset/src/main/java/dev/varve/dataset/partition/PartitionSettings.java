package dev.varve.dataset.partition;

import dev.varve.common.merge.MergePolicy;
import dev.varve.dataset.record.ClusterPlace;
import dev.varve.dataset.record.RecordLimits;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * Options of an engine that its partitions need.
 *
 * @param durability what an acknowledged write survives, unless a session says otherwise
 * @param pageBytes page size of component files
 * @param lockTimeoutNanos longest wait for a lock
 * @param stallTimeoutNanos longest wait at the gate
 * @param logRetentionBytes how long the log may become since a dataset was sealed last
 * @param sealAtFraction at which part of a dataset's memory its indexes are sealed
 * @param forceEveryBytes how much of a component is written between two forces, 0 for one at its
 *     end
 * @param directMergeBytes input of a merge that writes past the system's cache, 0 for none
 * @param leakTracking whether the stack is kept of each opening of a cursor, session, transaction
 *     or bulk load
 * @param limits bounds on records and keys
 * @param place which node of a cluster the engine is
 * @param temporary directory for files that no crash needs to leave
 * @param policies what an index's merge policy becomes before the index uses it
 */
public record PartitionSettings(
    Durability durability,
    int pageBytes,
    long lockTimeoutNanos,
    long stallTimeoutNanos,
    long logRetentionBytes,
    double sealAtFraction,
    long forceEveryBytes,
    long directMergeBytes,
    boolean leakTracking,
    RecordLimits limits,
    ClusterPlace place,
    Path temporary,
    UnaryOperator<MergePolicy> policies) {
  /** Whether the file of a component is forced only when it is complete. */
  boolean forcesAtEnd() {
    return forceEveryBytes == 0;
  }

  /** Whether there are merges that write past the system's cache. */
  boolean mergesDirectly() {
    return directMergeBytes != 0;
  }
}
