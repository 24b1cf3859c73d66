package dev.varve.scheduler.service;

import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.scheduler.scheduling.FairScheduler;
import java.util.ArrayList;
import java.util.List;

/**
 * How a node's maintenance runs. All of it is about performance; nothing shapes files.
 *
 * @param mergeThreads how many merges write at the same moment, 2 by default, from 1 to 64; more of
 *     them use more cores and take them from writers and readers. With one, a core idles while a
 *     writer waits for the one merge that runs, and while that merge waits for its disk
 * @param batchBytes how much a task writes before the scheduler may choose another, 1 MiB by
 *     default, at least 4,096; a larger batch costs fewer switches and makes pauses coarser. A slow
 *     I/O budget makes batches smaller.
 * @param scheduler which merges run, by default all of them, at the same rate
 */
public record MaintenanceOptions(int mergeThreads, long batchBytes, MergeScheduler scheduler) {
  /** The most merges that write at the same moment. */
  public static final int MOST_MERGE_THREADS = 64;

  private static final long SMALLEST_BATCH_BYTES = 4096;

  /** Two merge threads, batches of 1 MiB, every merge at the same rate. */
  public static final MaintenanceOptions DEFAULTS =
      new MaintenanceOptions(2, 1L << 20, new FairScheduler());

  /** Reports all problems at once. */
  public MaintenanceOptions {
    List<String> problems = new ArrayList<>();
    if (mergeThreads < 1 || mergeThreads > MOST_MERGE_THREADS) {
      problems.add("mergeThreads " + mergeThreads + " is not between 1 and " + MOST_MERGE_THREADS);
    }
    if (batchBytes < SMALLEST_BATCH_BYTES) {
      problems.add("batchBytes " + batchBytes + " is below " + SMALLEST_BATCH_BYTES);
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException("maintenance options: " + String.join("; ", problems));
    }
  }

  /** The same with another scheduler. */
  public MaintenanceOptions withScheduler(MergeScheduler other) {
    return new MaintenanceOptions(mergeThreads, batchBytes, other);
  }

  /** The same with another number of merge threads. */
  public MaintenanceOptions withMergeThreads(int other) {
    return new MaintenanceOptions(other, batchBytes, scheduler);
  }

  /** The same with other batches. */
  public MaintenanceOptions withBatchBytes(long other) {
    return new MaintenanceOptions(mergeThreads, other, scheduler);
  }
}
