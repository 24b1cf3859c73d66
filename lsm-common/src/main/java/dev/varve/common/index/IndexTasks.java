package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.component.ComponentId;
import dev.varve.common.disk.ComponentBuild;
import dev.varve.common.disk.ComponentStore;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.index.IndexVersion.Pending;
import dev.varve.common.maintenance.MaintenanceQueue;
import dev.varve.common.maintenance.MaintenanceTask;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What an index has running: makes the tasks that its versions allow, and hands them to the node's
 * queue. Thread-safe; no lock of the index is held while a task is handed over.
 */
final class IndexTasks<Q> {
  private final IndexVersions<Q> versions;
  private final ComponentStore<Q> store;
  private final MaintenanceQueue queue;
  private final DeadEntries<Q> dead = new DeadEntries<>();
  private final AtomicBoolean sweeping = new AtomicBoolean();

  /** Whether readers want to know what is dead. */
  private volatile BooleanSupplier wanted = () -> false;

  IndexTasks(IndexVersions<Q> versions, ComponentStore<Q> store, MaintenanceQueue queue) {
    this.versions = versions;
    this.store = store;
    this.queue = queue;
  }

  /** As {@link LsmIndex#scheduleMerges}. */
  void scheduleMerges() {
    DiskComponents<Q> before;
    MaintenanceTask task;
    do {
      before = versions.current.disk();
      MergePlan<Q> plan = versions.beginMerge();
      task = plan == null ? null : taskOf(plan);
      if (task != null) {
        queue.submit(task);
      }
      // A queue that is being closed cancels it at once, and the policy would ask for it again.
    } while (task != null && !(task.done() && versions.current.disk().equals(before)));
    sweep();
  }

  /** Which entries are dead, as far as it is known. */
  DeadEntries<Q> dead() {
    return dead;
  }

  /** As {@link IndexContents#findDeadEntries}. */
  void findDeadEntries(BooleanSupplier nowWanted) {
    wanted = nowWanted;
    sweep();
  }

  /** Submits a sweep unless one is under way, or there is nothing to find. */
  private void sweep() {
    if (wanted.getAsBoolean()
        && !versions.closed
        && dead.isBehind(versions.current.disk())
        && sweeping.compareAndSet(false, true)) {
      queue.submit(new SweepTask<>(versions, dead, store.describe(), this::sweepEnded));
    }
  }

  private void sweepEnded(SweepTask.End end) {
    assert sweeping.get() : "no sweep is under way";
    sweeping.set(false);
    if (end == SweepTask.End.DONE) {
      // Components may have changed after its last look.
      sweep();
    }
  }

  private MaintenanceTask taskOf(MergePlan<Q> plan) {
    return plan.moves()
        ? new MoveTask<>(versions, store, plan, this::afterPublish)
        : new MergeTask<>(versions, store, plan, this::afterPublish);
  }

  /** As {@link LsmIndex#newBulkLoad}. */
  @MustBeClosed
  BulkLoad<Q> newBulkLoad() throws StorageException {
    return newLoad(versions.beginBulkLoad(), Pending.FLUSH);
  }

  /** As {@link LsmIndex#newOldestLoad}. */
  @MustBeClosed
  BulkLoad<Q> newOldestLoad() throws StorageException {
    return newLoad(versions.beginOldestLoad(), Pending.OLDEST_LOAD);
  }

  @MustBeClosed
  private BulkLoad<Q> newLoad(ComponentId id, Pending load) throws StorageException {
    try {
      ComponentBuild<Q> build =
          store.newBuild(
              id,
              versions.current.disk().membership(),
              versions.options().mergedBuild(BloomFilterBuilder.UNKNOWN, false));
      return new BulkLoad<>(versions, store, build, new BulkLoad.Course(load, this::afterPublish));
    } catch (StorageException | RuntimeException | Error e) {
      versions.bulkLoadGivenUp(load);
      afterPublish();
      throw e;
    }
  }

  /** Submits the flush of the oldest memory component if it is sealed and its writers have left. */
  void flushMayBegin() {
    FlushPlan<Q> plan = versions.beginFlush();
    if (plan != null) {
      queue.submit(new FlushTask<>(versions, store, plan, this::afterPublish));
    }
  }

  /** Begins to merge everything; null when a merge is under way, or there is nothing to merge. */
  @Nullable MergeTask<Q> submitCompaction() {
    MergePlan<Q> plan = versions.beginCompaction();
    if (plan == null) {
      return null;
    }
    MergeTask<Q> task = new MergeTask<>(versions, store, plan, this::afterPublish);
    queue.submit(task);
    return task;
  }

  /** What a published component may set off; a task calls it when nothing is left to undo. */
  private void afterPublish() {
    flushMayBegin();
    scheduleMerges();
    versions.changed().raise();
  }
}
