package dev.varve.scheduler.scheduling;

import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.maintenance.MergeScheduler;
import java.util.LinkedHashMap;
import java.util.Map;

/** Merges under a scheduler, batch by batch; what is written counts as time. */
final class MergeRun {
  private final MergeScheduler scheduler;
  private final long batchBytes;
  private final BandwidthShares shares = new BandwidthShares();
  private final Map<Long, Merge> merges = new LinkedHashMap<>();
  private long arrived;
  private long written;

  private static final class Merge {
    final long inputBytes;
    final long arrivedAt;
    long writtenBytes;

    Merge(long inputBytes, long arrivedAt) {
      this.inputBytes = inputBytes;
      this.arrivedAt = arrivedAt;
    }
  }

  /** A merge that has ended: its input, and what all merges wrote while it was there. */
  record Ended(long inputBytes, long allWrittenBytes) {}

  MergeRun(MergeScheduler scheduler, long batchBytes) {
    this.scheduler = scheduler;
    this.batchBytes = batchBytes;
  }

  void arrive(long inputBytes) {
    merges.put(++arrived, new Merge(inputBytes, written));
  }

  int open() {
    return merges.size();
  }

  /** Everything that has been written. */
  long written() {
    return written;
  }

  /** Writes a batch; returns the merge that ended with it, or null. */
  Ended step() {
    long number =
        shares
            .next(
                scheduler.allocate(
                    merges.entrySet().stream()
                        .map(entry -> progress(entry.getKey(), entry.getValue()))
                        .toList()),
                any -> true)
            .orElseThrow();
    Merge merge = merges.get(number);
    if (merge == null) {
      throw new AssertionError("merge " + number + " has ended");
    }
    long bytes = Math.min(batchBytes, merge.inputBytes - merge.writtenBytes);
    merge.writtenBytes += bytes;
    written += bytes;
    shares.written(number, bytes);
    if (merge.writtenBytes < merge.inputBytes) {
      return null;
    }
    merges.remove(number);
    shares.ended(number);
    return new Ended(merge.inputBytes, written - merge.arrivedAt);
  }

  private MergeProgress progress(long number, Merge merge) {
    return new MergeProgress(
        number,
        merge.inputBytes,
        merge.inputBytes - merge.writtenBytes,
        merge.writtenBytes,
        written - merge.arrivedAt,
        1);
  }
}
