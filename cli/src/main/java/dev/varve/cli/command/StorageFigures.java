package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.DatasetStats;
import dev.varve.dataset.EngineStats;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import java.util.Map;
import java.util.TreeMap;

/**
 * What the engines of a cluster have done since they were opened, added up. Confined to its owner.
 */
final class StorageFigures {
  private final Map<String, IngestSummary.Stall> stalls = new TreeMap<>();
  private long logBytes;
  private long logForces;
  private long flushedBytes;
  private long mergedBytes;
  private long flushes;
  private long merges;
  private long components;
  private double recoverySeconds;

  private StorageFigures() {}

  static StorageFigures of(Cluster cluster) throws StorageException, JobFailedException {
    StorageFigures figures = new StorageFigures();
    cluster.stats().values().forEach(figures::add);
    return figures;
  }

  private void add(EngineStats node) {
    logBytes += node.log().endLsn();
    logForces += node.log().forces();
    recoverySeconds += node.recovery().nanos() / 1e9;
    for (EngineStats.StallSummary stall : node.stalls()) {
      if (stall.count() > 0) {
        stalls.merge(
            stall.cause(),
            new IngestSummary.Stall(
                stall.count(), stall.totalNanos() / 1e9, stall.longestNanos() / 1e9),
            IngestSummary.Stall::plus);
      }
    }
    for (DatasetStats dataset : node.datasets()) {
      for (PartitionStats partition : dataset.partitions()) {
        partition.indexes().forEach(this::add);
      }
    }
  }

  private void add(IndexStats index) {
    flushedBytes += index.flushedBytes();
    mergedBytes += index.mergedBytes();
    flushes += index.flushes();
    merges += index.merges();
    components += index.components().size();
  }

  long components() {
    return components;
  }

  long stallCount() {
    return stalls.values().stream().mapToLong(IngestSummary.Stall::count).sum();
  }

  double recoverySeconds() {
    return recoverySeconds;
  }

  /**
   * What came on top of earlier figures of the same engines; stalls are those since the opening.
   */
  IngestSummary.Storage since(StorageFigures earlier) {
    IngestSummary.Written written =
        new IngestSummary.Written(
            logBytes - earlier.logBytes,
            flushedBytes - earlier.flushedBytes,
            mergedBytes - earlier.mergedBytes);
    return new IngestSummary.Storage(
        written,
        logForces - earlier.logForces,
        flushes - earlier.flushes,
        merges - earlier.merges,
        components,
        stalls);
  }
}
