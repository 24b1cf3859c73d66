package dev.varve.dataset;

import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.dataset.internal.partition.NodeHealth;
import dev.varve.scheduler.admission.NodeAdmission;
import dev.varve.scheduler.service.MaintenanceListener;
import dev.varve.scheduler.service.TaskReport;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/** What the engine does when a flush or merge ends. Thread-safe. */
final class MaintenanceEvents implements MaintenanceListener {
  private static final Logger LOGGER = LogManager.getLogger(MaintenanceEvents.class);

  private final NodeAdmission admission;
  private final NodeHealth health;
  private volatile @Nullable ActiveDatasets active;
  private volatile @Nullable Checkpointer keeper;
  private volatile TaskExecutor.@Nullable Handle keeperHandle;

  /** Whether the last task failed: retries on a full disk would fill the report, too. */
  private volatile boolean failing;

  MaintenanceEvents(NodeAdmission admission, NodeHealth health) {
    this.admission = admission;
    this.health = health;
  }

  /** From now on secondaries follow what their primaries merge. */
  void connect(ActiveDatasets datasets) {
    active = datasets;
  }

  /** From now on the log is kept short. */
  void connect(Checkpointer newKeeper, TaskExecutor.Handle handle) {
    keeper = newKeeper;
    keeperHandle = handle;
  }

  @Override
  public void published() {
    admission.progressed();
  }

  @Override
  public void finished(TaskReport task) {
    LOGGER.debug("{} done, {} bytes", task.description(), task.writtenBytes());
    failing = false;
    admission.progressed();
    ActiveDatasets datasets = active;
    if (task.kind() == MaintenanceTask.Kind.MERGE && datasets != null) {
      datasets.list().forEach(ManagedDataset::followMerges);
    }
    Checkpointer worker = keeper;
    TaskExecutor.Handle handle = keeperHandle;
    if (task.kind() == MaintenanceTask.Kind.FLUSH && worker != null && handle != null) {
      worker.flushEnded();
      handle.wake();
    }
  }

  @Override
  public void failed(TaskReport task, StorageException cause) {
    admission.progressed();
    if (!failing) {
      failing = true;
      FailurePaths.warn(
          LOGGER,
          "{} failed; what it would have replaced stays, and it is tried again while writers wait",
          task.description(),
          cause);
    }
  }

  @Override
  public void poisoned(Throwable cause) {
    health.poison(cause);
    admission.progressed();
  }
}
