package dev.varve.scheduler.service;

import dev.varve.common.error.OptionProblems;
import dev.varve.common.maintenance.MergeScheduler;
import dev.varve.scheduler.admission.WriteGate;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.scheduling.FairScheduler;
import dev.varve.scheduler.tuner.Tuner;
import dev.varve.scheduler.tuner.TunerText;
import java.util.Map;

/**
 * How a node's maintenance runs. Nothing shapes files.
 *
 * @param mergeThreads how many merges write at the same moment, 2 by default, from 1 to 64; more of
 *     them keep up with more writers on more cores, and take cores from writers and readers. With
 *     one, a core idles while a writer waits for the one merge that runs, and while that merge
 *     waits for its disk; performance
 * @param batchBytes how much a task writes before the scheduler may choose another, 1 MiB by
 *     default, at least 4,096; a larger batch costs fewer switches and makes pauses coarser. A slow
 *     I/O budget makes batches smaller; performance
 * @param ioBytesPerSecond budget of flushes, merges and large values that are written again
 *     together, 0 for none; engines of this process on the same device share the lowest of theirs;
 *     performance
 * @param scheduler which merges run, by default all of them, at the same rate; performance
 * @param writeGate whether writers are stopped, slowed down or capped before memory or disk
 *     components are at their limits; behaviour
 * @param tuner what changes threads, memory components and the I/O budget while the node runs, by
 *     default nothing; performance
 */
public record MaintenanceOptions(
    int mergeThreads,
    long batchBytes,
    long ioBytesPerSecond,
    MergeScheduler scheduler,
    WriteGate writeGate,
    Tuner tuner) {
  /** How many merges or flushes write at the same moment at most. */
  public static final int MOST_THREADS = 64;

  private static final long SMALLEST_BATCH_BYTES = 4096;

  /** Two merge threads, batches of 1 MiB, no budget, every merge at the same rate. */
  public static final MaintenanceOptions DEFAULTS =
      new MaintenanceOptions(2, 1L << 20, 0, new FairScheduler(), WriteGates.STOP, TunerText.FIXED);

  /** Reports all problems at once. */
  public MaintenanceOptions {
    OptionProblems problems = new OptionProblems("maintenance options");
    problems.between("mergeThreads", mergeThreads, 1, MOST_THREADS);
    problems.atLeast("batchBytes", batchBytes, SMALLEST_BATCH_BYTES);
    problems.atLeast("ioBytesPerSecond", ioBytesPerSecond, 0);
    if (tuner.needsRate() && ioBytesPerSecond == 0) {
      problems.add(
          "tuner "
              + tuner.describe()
              + " needs ioBytesPerSecond: it divides the rate that flushes and merges may have");
    }
    problems.report();
  }

  /** How many tasks write at the same moment: the merges, and a flush. */
  public int tasksAtOnce() {
    return 1 + mergeThreads;
  }

  /** The same with another scheduler. */
  public MaintenanceOptions withScheduler(MergeScheduler other) {
    return new MaintenanceOptions(
        mergeThreads, batchBytes, ioBytesPerSecond, other, writeGate, tuner);
  }

  /** The same with another number of merge threads. */
  public MaintenanceOptions withMergeThreads(int other) {
    return new MaintenanceOptions(other, batchBytes, ioBytesPerSecond, scheduler, writeGate, tuner);
  }

  /** The same with other batches. */
  public MaintenanceOptions withBatchBytes(long other) {
    return new MaintenanceOptions(
        mergeThreads, other, ioBytesPerSecond, scheduler, writeGate, tuner);
  }

  /** Those that a configuration file may have, by name, as text. */
  public Map<String, String> texts() {
    return Map.of(
        "ioBytesPerSecond",
        Long.toString(ioBytesPerSecond),
        "mergeScheduler",
        scheduler.describe(),
        "writeGate",
        writeGate.describe(),
        "tuner",
        tuner.describe());
  }
}
