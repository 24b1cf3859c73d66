package dev.varve.hyracks.operator;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.DatasetStats;
import dev.varve.dataset.EngineStats;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.PartitionStats;
import java.util.ArrayList;
import java.util.List;

/**
 * What the engine of a node has done since it was opened. Immutable.
 *
 * @param log its log
 * @param written what flushes and merges wrote
 * @param stalls waits of writers, by cause
 */
public record NodeFigures(Log log, Written written, List<Stall> stalls) {
  /**
   * Its log.
   *
   * @param bytes where it ends
   * @param forces times it was forced
   * @param recoveryNanos what recovery took when the engine was opened, in nanoseconds
   */
  public record Log(long bytes, long forces, long recoveryNanos) {}

  /**
   * What flushes and merges wrote, in all indexes that are open.
   *
   * @param flushedBytes bytes of flushes
   * @param mergedBytes bytes of merges
   * @param flushes number of flushes
   * @param merges number of merges
   * @param components disk components now
   */
  public record Written(
      long flushedBytes, long mergedBytes, long flushes, long merges, long components) {
    private static final Written NOTHING = new Written(0, 0, 0, 0, 0);

    private Written plus(IndexStats index) {
      return new Written(
          flushedBytes + index.flushedBytes(),
          mergedBytes + index.mergedBytes(),
          flushes + index.flushes(),
          merges + index.merges(),
          components + index.components().size());
    }
  }

  /**
   * Waits of writers with one cause.
   *
   * @param cause why they waited
   * @param count how often
   * @param totalNanos how long together, in nanoseconds
   * @param longestNanos how long at most, in nanoseconds
   */
  public record Stall(String cause, long count, long totalNanos, long longestNanos) {}

  /** Copies the list. */
  public NodeFigures {
    stalls = List.copyOf(stalls);
    assert stalls.stream().allMatch(stall -> stall.count > 0) : stalls;
  }

  /** The figures of an engine. */
  public static NodeFigures of(StorageEngine engine) throws StorageException {
    EngineStats stats = engine.stats();
    Written written = Written.NOTHING;
    for (DatasetStats dataset : stats.datasets()) {
      for (PartitionStats partition : dataset.partitions()) {
        for (IndexStats index : partition.indexes()) {
          written = written.plus(index);
        }
      }
    }
    List<Stall> stalls = new ArrayList<>();
    for (EngineStats.StallSummary stall : stats.stalls()) {
      if (stall.count() > 0) {
        stalls.add(
            new Stall(stall.cause(), stall.count(), stall.totalNanos(), stall.longestNanos()));
      }
    }
    Log log = new Log(stats.log().endLsn(), stats.log().forces(), stats.recovery().nanos());
    return new NodeFigures(log, written, stalls);
  }

  /** The second field of a tuple of a job's result. */
  Slice encode() {
    KeyEncoder values = new KeyEncoder();
    values.addLong(log.bytes).addLong(log.forces).addLong(log.recoveryNanos);
    values.addLong(written.flushedBytes).addLong(written.mergedBytes);
    values.addLong(written.flushes).addLong(written.merges).addLong(written.components);
    for (Stall stall : stalls) {
      values.addString(stall.cause).addLong(stall.count);
      values.addLong(stall.totalNanos).addLong(stall.longestNanos);
    }
    return values.toSlice();
  }

  /** Reads the second field of such a tuple. */
  public static NodeFigures read(Slice field) {
    KeyDecoder values = new KeyDecoder().reset(field);
    Log log = new Log(values.readLong(), values.readLong(), values.readLong());
    Written written =
        new Written(
            values.readLong(),
            values.readLong(),
            values.readLong(),
            values.readLong(),
            values.readLong());
    List<Stall> stalls = new ArrayList<>();
    while (values.hasNext()) {
      stalls.add(
          new Stall(values.readString(), values.readLong(), values.readLong(), values.readLong()));
    }
    return new NodeFigures(log, written, stalls);
  }
}
