package dev.varve.cli.command;

import dev.varve.common.error.StorageException;
import dev.varve.hyracks.node.Cluster;
import dev.varve.hyracks.node.JobFailedException;
import dev.varve.hyracks.operator.NodeFigures;
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
    cluster.figures().forEach(figures::add);
    return figures;
  }

  private void add(NodeFigures node) {
    logBytes += node.log().bytes();
    logForces += node.log().forces();
    recoverySeconds += node.log().recoveryNanos() / 1e9;
    for (NodeFigures.Stall stall : node.stalls()) {
      stalls.merge(
          stall.cause(),
          new IngestSummary.Stall(
              stall.count(), stall.totalNanos() / 1e9, stall.longestNanos() / 1e9),
          IngestSummary.Stall::plus);
    }
    NodeFigures.Written written = node.written();
    flushedBytes += written.flushedBytes();
    mergedBytes += written.mergedBytes();
    flushes += written.flushes();
    merges += written.merges();
    components += written.components();
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
