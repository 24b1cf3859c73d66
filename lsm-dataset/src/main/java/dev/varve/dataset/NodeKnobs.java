package dev.varve.dataset;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.scheduler.budget.IoBudget;
import dev.varve.scheduler.service.MaintenanceOptions;
import dev.varve.scheduler.service.MaintenanceService;
import dev.varve.scheduler.tuner.TunerLimits;
import dev.varve.scheduler.tuner.TunerSetting;
import dev.varve.scheduler.tuner.TunerSetting.Io;

/**
 * The one place that changes what a node has of threads, memory components and bandwidth while it
 * runs. Memory never becomes more than what the options give: a setting says how much the memory
 * components of a dataset of the default size hold, and those of every dataset hold the same part
 * of what they may. Called by one thread at a time.
 */
final class NodeKnobs {
  private final MaintenanceService maintenance;
  private final IoBudget budget;
  private final ActiveDatasets active;
  private final TunerSetting configured;

  /** Knobs as the options set them. */
  NodeKnobs(
      MaintenanceService maintenance,
      IoBudget budget,
      ActiveDatasets active,
      EngineOptions options) {
    this.maintenance = maintenance;
    this.budget = budget;
    this.active = active;
    long rate = options.maintenance().ioBytesPerSecond();
    Io io = rate == 0 ? Io.OPEN : new Io(rate, Io.UNLIMITED, TunerSetting.MergeOrder.AS_SCHEDULED);
    long memoryBytes = options.memory().sealedAtBytes(DatasetOptions.DEFAULT_MEMORY_BYTES);
    this.configured =
        new TunerSetting(maintenance.mergeThreads(), maintenance.flushThreads(), memoryBytes, io);
  }

  /** What the options say. */
  TunerSetting configured() {
    return configured;
  }

  /**
   * Between what a tuner may choose: as many threads as ADOC's paper looks at, memory up to what is
   * configured in the paper's eight steps, and its thresholds at the same scale.
   */
  TunerLimits limits() {
    long rate = configured.io().bytesPerSecond();
    TunerLimits paper = TunerLimits.paper(rate);
    TunerLimits scaled =
        paper.scaledBy((double) configured.memoryBytes() / paper.mostMemoryBytes());
    return new TunerLimits(
        Math.min(
            MaintenanceOptions.MOST_THREADS, Math.max(paper.mostThreads(), configured.threads())),
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
    double part = Math.min(1, (double) setting.memoryBytes() / configured.memoryBytes());
    active.inTurn(
        () -> {
          for (ManagedDataset dataset : active.list()) {
            dataset.setMemoryPart(part);
          }
        });
  }
}
