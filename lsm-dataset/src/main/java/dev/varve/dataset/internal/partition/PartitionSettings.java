package dev.varve.dataset.internal.partition;

import dev.varve.common.merge.MergePolicy;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.function.UnaryOperator;

/**
 * How partitions work.
 *
 * @param options those of the engine, with the page size of its store
 * @param temporary directory for files that no crash needs to leave
 * @param policies what an index's merge policy becomes before the index uses it
 */
public record PartitionSettings(
    EngineOptions options, Path temporary, UnaryOperator<MergePolicy> policies) {
  Durability durability() {
    return options.sessions().durability();
  }

  /** Longest wait for a lock. */
  public long lockTimeoutNanos() {
    return options.sessions().lockTimeoutNanos();
  }

  long stallTimeoutNanos() {
    return options.sessions().stallTimeoutNanos();
  }

  /** How long the log may become since a dataset was sealed last. */
  public long logRetentionBytes() {
    return options.log().retentionBytes();
  }

  RecordLimits limits() {
    return options.recordLimits();
  }

  ClusterPlace place() {
    return options.opening().place();
  }
}
