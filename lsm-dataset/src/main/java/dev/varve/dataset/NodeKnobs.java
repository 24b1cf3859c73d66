package dev.varve.dataset;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.scheduler.admission.WriteGate;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.service.MaintenanceOptions;
import dev.varve.scheduler.service.MaintenanceService;
import dev.varve.scheduler.tuner.Tuner;
import dev.varve.scheduler.tuner.TunerLimits;
import dev.varve.scheduler.tuner.TunerSetting;
import dev.varve.scheduler.tuner.TunerSetting.Io;
import dev.varve.scheduler.tuner.WriteLimits;

/**
 * The one place that changes what a node has of threads, memory components and bandwidth while it
 * runs. Memory never becomes more than what the options give: a setting says how much the memory
 * components of a dataset of the default size hold, and those of every dataset hold the same part
 * of what they may. Called by one thread at a time.
 */
final class NodeKnobs {
  /** A slow-down begins at this part of what flushes and merges may write. */
  private static final int DELAYED_PART = 16;

  private final MaintenanceService maintenance;
  private final IoBudget budget;
  private final ActiveDatasets active;
  private final TunerSetting configured;
  private final TunerLimits limits;
  private final Tuner tuner;

  /** What the knobs turn. */
  record Parts(MaintenanceService maintenance, IoBudget budget, ActiveDatasets active) {}

  /**
   * Knobs as the options set them.
   *
   * @param processors how many the process has
   */
  NodeKnobs(Parts parts, EngineOptions options, int processors) {
    this.maintenance = parts.maintenance();
    this.budget = parts.budget();
    this.active = parts.active();
    this.tuner = options.maintenance().tuner();
    long rate = options.maintenance().ioBytesPerSecond();
    Io io = rate == 0 ? Io.OPEN : new Io(rate, Io.UNLIMITED, TunerSetting.MergeOrder.AS_SCHEDULED);
    this.configured =
        new TunerSetting(
            maintenance.mergeThreads(), maintenance.flushThreads(), memoryBytes(options), io);
    TunerLimits most = limits(configured, processors);
    this.limits =
        options.maintenance().writeGate() instanceof WriteGates.Controlled controlled
            ? most.overflowingAt(controlled.limits())
            : most;
  }

  /** What the memory components of a dataset of the default size hold. */
  private static long memoryBytes(EngineOptions options) {
    return options.memory().sealedAtBytes(DatasetOptions.DEFAULT_MEMORY_BYTES);
  }

  /** The gate of these options as their tuner has it. */
  static WriteGate gate(EngineOptions options) {
    return gate(options, options.maintenance().writeGate());
  }

  /**
   * The gate that holds while the tuner of these options runs.
   *
   * @param asked what is configured
   */
  static WriteGate gate(EngineOptions options, WriteGate asked) {
    double part = (double) memoryBytes(options) / TunerLimits.paper(1).mostMemoryBytes();
    WriteLimits scaled = WriteLimits.ROCKSDB.scaledBy(part);
    long rate = options.maintenance().ioBytesPerSecond();
    long most = WriteLimits.ROCKSDB.delayedBytesPerSecond();
    WriteLimits own =
        new WriteLimits(
            scaled.level0Slow(),
            scaled.level0Stop(),
            scaled.pendingSlowBytes(),
            scaled.pendingStopBytes(),
            rate == 0 ? most : Math.max(1, Math.min(most, rate / DELAYED_PART)));
    return WriteGates.under(options.maintenance().tuner(), asked, own);
  }

  /** Who turns the knobs. */
  Tuner tuner() {
    return tuner;
  }

  /** What the options say. */
  TunerSetting configured() {
    return configured;
  }

  /**
   * Between what a tuner may choose: as many threads as ADOC's paper looks at, but no more than
   * processors where no rate of the device is known, since nothing else says that there are enough;
   * memory up to what is configured in the paper's eight steps; and as thresholds those of the
   * write controller, if the gate is one, as in the paper, else the paper's at the scale of the
   * memory.
   */
  TunerLimits limits() {
    return limits;
  }

  private static TunerLimits limits(TunerSetting configured, int processors) {
    long rate = configured.io().bytesPerSecond();
    TunerLimits paper = TunerLimits.paper(rate);
    TunerLimits scaled =
        paper.scaledBy((double) configured.memoryBytes() / paper.mostMemoryBytes());
    int most =
        rate == Io.UNLIMITED ? Math.min(paper.mostThreads(), processors) : paper.mostThreads();
    return new TunerLimits(
        Math.min(MaintenanceOptions.MOST_THREADS, Math.max(most, configured.threads())),
        scaled.memoryStepBytes(),
        configured.memoryBytes(),
        rate,
        scaled.level0Slow(),
        scaled.pendingSlowBytes());
  }

  /**
   * Puts a setting in force, as far as it is not yet: datasets that became active meanwhile get it
   * as well.
   *
   * @throws StorageException when a dataset's indexes cannot have it
   */
  void apply(TunerSetting setting) throws StorageException {
    if (maintenance.mergeThreads() != setting.mergeThreads()
        || maintenance.flushThreads() != setting.flushThreads()) {
      maintenance.setThreads(setting.mergeThreads(), setting.flushThreads());
    }
    if (configured.io().bytesPerSecond() != Io.UNLIMITED) {
      budget.setBytesPerSecond(
          Math.min(configured.io().bytesPerSecond(), setting.io().bytesPerSecond()));
    }
    maintenance.setIo(setting.io());
    double part = Math.min(1, (double) setting.memoryBytes() / configured.memoryBytes());
    active.inTurn(
        () -> {
          for (ManagedDataset dataset : active.list()) {
            dataset.setMemoryPart(part);
          }
        });
  }
}
