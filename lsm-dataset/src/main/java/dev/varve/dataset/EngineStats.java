package dev.varve.dataset;

import dev.varve.scheduler.tuner.IndexFlow;
import dev.varve.scheduler.tuner.TunerLog;
import dev.varve.scheduler.tuner.TunerSetting;
import java.util.List;

/**
 * What an engine holds and has done since it was opened.
 *
 * @param datasets datasets and key-value stores, by name
 * @param log the log
 * @param cache the buffer cache
 * @param stalls waits of writers at the gate, by cause
 * @param scheduling what schedules merges and holds writers back
 * @param memory what datasets and snapshots take of the memory
 * @param flow what waits for flushes and merges, and what sets how they run
 * @param recovery what the last open had to do
 */
public record EngineStats(
    List<DatasetStats> datasets,
    LogSummary log,
    CacheSummary cache,
    List<StallSummary> stalls,
    SchedulingSummary scheduling,
    MemorySummary memory,
    FlowSummary flow,
    RecoverySummary recovery) {
  /** Copies the list. */
  public EngineStats {
    datasets = List.copyOf(datasets);
    stalls = List.copyOf(stalls);
  }

  /**
   * The log.
   *
   * @param lowWaterMark where recovery would begin
   * @param endLsn where the next record goes
   * @param durableLsn what is below it survives a power loss
   * @param forces times it was forced
   * @param segments segments that recovery would read
   * @param holder the open transaction that keeps the log from the low-water mark on, for how long
   *     it has been open and how much of the log that is; empty when none does
   */
  public record LogSummary(
      long lowWaterMark, long endLsn, long durableLsn, long forces, int segments, String holder) {}

  /**
   * The buffer cache.
   *
   * @param hits pins that found their page, and reads of it that needed no pin
   * @param misses pins that had to read it
   * @param residentBytes bytes of pages in it
   * @param warming what is read into it ahead of readers
   */
  public record CacheSummary(long hits, long misses, long residentBytes, WarmingSummary warming) {}

  /**
   * How far components are read into the cache, or into the system's for want of room, after their
   * dataset became active.
   *
   * @param plannedBytes bytes of pages that were there then
   * @param passedBytes bytes of these that were read, or found in the cache, or left out because
   *     their component is gone or cannot be read
   * @param note why something was left out, the last reason; empty when nothing was
   */
  public record WarmingSummary(long plannedBytes, long passedBytes, String note) {}

  /**
   * Waits at the write gate with one cause.
   *
   * @param cause what the writers waited for
   * @param count how often
   * @param totalNanos how long together
   * @param longestNanos how long at most
   */
  public record StallSummary(String cause, long count, long totalNanos, long longestNanos) {}

  /**
   * What schedules merges and holds writers back, as options write it.
   *
   * @param scheduler the merge scheduler
   * @param gate the write gate
   * @param ioBytesPerSecond the budget of flushes and merges on the device now, 0 for none
   * @param broken rules of waiting that the watchdog found broken, the last ones; empty when all is
   *     well
   */
  public record SchedulingSummary(
      String scheduler, String gate, long ioBytesPerSecond, List<String> broken) {
    /** Copies the list. */
    public SchedulingSummary {
      broken = List.copyOf(broken);
    }
  }

  /**
   * What datasets and snapshots take of the memory.
   *
   * @param activeDatasetBytes budgets of the active datasets
   * @param snapshots those that are open, the oldest first, as text
   * @param snapshotBytes versions of records that are kept for them, in memory
   * @param snapshotValueBytes files of large values that are kept for them, on disk
   */
  public record MemorySummary(
      long activeDatasetBytes,
      List<String> snapshots,
      long snapshotBytes,
      long snapshotValueBytes) {
    /** Copies the list. */
    public MemorySummary {
      snapshots = List.copyOf(snapshots);
    }
  }

  /**
   * The data flow of a node (ADOC, sections 2.3 and 4.1).
   *
   * @param indexes what waits in each open index
   * @param pendingBytes what merges have to read until every level is within its size, in all of
   *     them
   * @param obsoleteBytes what replaced and deleted versions take at most, in all of them
   * @param sealToFlushedSeconds mean time from the seal of a memory component to the end of its
   *     flush, of all flushes; 0 when there was none
   * @param flushTimes the same of each open index that was flushed
   * @param stallClasses waits of writers in the paper's classes
   * @param setting what is in force
   * @param tuner what the tuner has decided, with reasons
   */
  public record FlowSummary(
      List<IndexFlow> indexes,
      long pendingBytes,
      long obsoleteBytes,
      double sealToFlushedSeconds,
      List<FlushTime> flushTimes,
      List<StallSummary> stallClasses,
      TunerSetting setting,
      TunerLog tuner) {
    /** Copies the lists. */
    public FlowSummary {
      indexes = List.copyOf(indexes);
      flushTimes = List.copyOf(flushTimes);
      stallClasses = List.copyOf(stallClasses);
    }
  }

  /**
   * How long the flushes of an index took.
   *
   * @param index which, by the name that it has among {@link FlowSummary#indexes}
   * @param flushes how many there were
   * @param sealToFlushedSeconds mean time from the seal to the end
   */
  public record FlushTime(String index, long flushes, double sealToFlushedSeconds) {}

  /**
   * A recovery.
   *
   * @param fromLsn where it began to read
   * @param toLsn end of the log that it found
   * @param committedTransactions transactions whose commit it found
   * @param redoneOperations index operations that it applied
   * @param droppedLog what lay behind the end of the log and was dropped: writes that a crash cut
   *     short, or a loss that was accepted; empty when nothing did
   * @param nanos how long it took
   */
  public record RecoverySummary(
      long fromLsn,
      long toLsn,
      long committedTransactions,
      long redoneOperations,
      String droppedLog,
      long nanos) {}
}
