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
 * @param node its number
 * @param log its log
 * @param written what flushes and merges wrote
 * @param memory what its datasets have in memory, by name
 * @param stalls waits of writers, by cause
 */
public record NodeFigures(
    int node, Log log, Written written, List<Memory> memory, List<Stall> stalls) {
  /**
   * Its log.
   *
   * @param lowWaterMark where recovery would begin
   * @param bytes where it ends
   * @param durable what is below it survives a power loss
   * @param segments segments that recovery would read
   * @param forces times it was forced
   * @param recoveryNanos what recovery took when the engine was opened, in nanoseconds
   */
  public record Log(
      long lowWaterMark,
      long bytes,
      long durable,
      long segments,
      long forces,
      long recoveryNanos) {}

  /**
   * What a dataset or key-value store has in memory.
   *
   * @param dataset its name
   * @param usedBytes of its memory components
   * @param budgetBytes what these may take
   */
  public record Memory(String dataset, long usedBytes, long budgetBytes) {}

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

  /** Copies the lists. */
  public NodeFigures {
    memory = List.copyOf(memory);
    stalls = List.copyOf(stalls);
    assert stalls.stream().allMatch(stall -> stall.count > 0) : stalls;
  }

  /** The figures of an engine. */
  public static NodeFigures of(StorageEngine engine) throws StorageException {
    EngineStats stats = engine.stats();
    Written written = Written.NOTHING;
    List<Memory> memory = new ArrayList<>();
    for (DatasetStats dataset : stats.datasets()) {
      memory.add(
          new Memory(dataset.name(), dataset.memoryUsedBytes(), dataset.memoryBudgetBytes()));
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
    Log log =
        new Log(
            stats.log().lowWaterMark(),
            stats.log().endLsn(),
            stats.log().durableLsn(),
            stats.log().segments(),
            stats.log().forces(),
            stats.recovery().nanos());
    return new NodeFigures(engine.place().node(), log, written, memory, stalls);
  }

  /** The second field of a tuple of a job's result. */
  Slice encode() {
    KeyEncoder values = new KeyEncoder();
    values.addLong(node).addLong(log.lowWaterMark).addLong(log.bytes).addLong(log.durable);
    values.addLong(log.segments).addLong(log.forces).addLong(log.recoveryNanos);
    values.addLong(written.flushedBytes).addLong(written.mergedBytes);
    values.addLong(written.flushes).addLong(written.merges).addLong(written.components);
    values.addLong(memory.size());
    for (Memory each : memory) {
      values.addString(each.dataset).addLong(each.usedBytes).addLong(each.budgetBytes);
    }
    for (Stall stall : stalls) {
      values.addString(stall.cause).addLong(stall.count);
      values.addLong(stall.totalNanos).addLong(stall.longestNanos);
    }
    return values.toSlice();
  }

  /** Reads the second field of such a tuple. */
  public static NodeFigures read(Slice field) {
    KeyDecoder values = new KeyDecoder().reset(field);
    int node = (int) values.readLong();
    Log log =
        new Log(
            values.readLong(),
            values.readLong(),
            values.readLong(),
            values.readLong(),
            values.readLong(),
            values.readLong());
    Written written =
        new Written(
            values.readLong(),
            values.readLong(),
            values.readLong(),
            values.readLong(),
            values.readLong());
    List<Memory> memory = new ArrayList<>();
    for (long left = values.readLong(); left > 0; left--) {
      memory.add(new Memory(values.readString(), values.readLong(), values.readLong()));
    }
    List<Stall> stalls = new ArrayList<>();
    while (values.hasNext()) {
      stalls.add(
          new Stall(values.readString(), values.readLong(), values.readLong(), values.readLong()));
    }
    return new NodeFigures(node, log, written, memory, stalls);
  }
}
