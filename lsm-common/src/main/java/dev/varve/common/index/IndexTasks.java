package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentState;
import dev.varve.common.disk.ComponentBuild;
import dev.varve.common.disk.ComponentStore;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.index.IndexVersion.Pending;
import dev.varve.common.maintenance.MaintenanceQueue;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.page.Destination;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What an index has running: makes the tasks that its versions allow, and hands them to the node's
 * queue. Thread-safe; no lock of the index is held while a task is handed over.
 */
final class IndexTasks<Q> {
  /** A component is repaired by itself once this part of its flushes has come behind it. */
  private static final int REPAIRED_PART = 4;

  private final IndexVersions<Q> versions;
  private final ComponentStore<Q> store;
  private final MaintenanceQueue queue;
  private final DeadEntries<Q> dead = new DeadEntries<>();
  private final AtomicBoolean sweeping = new AtomicBoolean();

  private final AtomicBoolean repairing = new AtomicBoolean();

  /** Whether readers want to know what is dead. */
  private volatile BooleanSupplier wanted = () -> false;

  IndexTasks(IndexVersions<Q> versions, ComponentStore<Q> store, MaintenanceQueue queue) {
    this.versions = versions;
    this.store = store;
    this.queue = queue;
    store.unused().deletedBy(() -> queue.submit(new DeletionTask(store)));
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

  /**
   * Submits a repair of a component.
   *
   * @return null when it is merging or was merged, nothing is to be found, or another repair is
   *     under way
   */
  @Nullable RepairTask<Q> submitRepair(DiskComponent<Q> component) {
    boolean wanted =
        component.state() == ComponentState.ACTIVE
            && component.hasEntries()
            && behind(component) > 0;
    if (!wanted || versions.closed || !repairing.compareAndSet(false, true)) {
      return null;
    }
    if (!component.acquire()) {
      repairing.set(false);
      return null;
    }
    RepairTask<Q> task = new RepairTask<>(versions, store, component, this::repairEnded);
    queue.submit(task);
    return task;
  }

  /** Whether a repair is under way. */
  boolean isRepairing() {
    return repairing.get();
  }

  private void repairEnded(RepairTask.End end) {
    assert repairing.get() : "no repair is under way";
    repairing.set(false);
    versions.changed().raise();
    if (end == RepairTask.End.CHECKED) {
      repairIfDue();
    }
  }

  /** How far the owner has come since it checked the entries of a component; 0 if it does not. */
  private long behind(DiskComponent<Q> component) {
    MergeSieve sieve = versions.sieve();
    return sieve.repairs() ? sieve.position() - component.repair().checkedTo() : 0;
  }

  /**
   * Submits a repair of the component that is furthest behind, if it is far enough. One of many
   * flushes is repaired less often than one of few, so that what is read for it follows what is
   * flushed. Beside merges of the index nothing is repaired: they do it for what they read.
   */
  private void repairIfDue() {
    int after = versions.options().components().repairAfterFlushes();
    if (after == 0 || !versions.sieve().repairs() || versions.isMerging()) {
      return;
    }
    DiskComponent<Q> furthest = null;
    for (DiskComponent<Q> component : versions.current.disk().all()) {
      long flushes = component.id().last() - component.id().first() + 1;
      boolean due = behind(component) >= Math.max(after, flushes / REPAIRED_PART);
      if (due && (furthest == null || behind(component) > behind(furthest))) {
        furthest = component;
      }
    }
    if (furthest != null) {
      submitRepair(furthest);
    }
  }

  private MaintenanceTask taskOf(MergePlan<Q> plan) {
    return plan.moves()
        ? new MoveTask<>(versions, store, plan, this::afterPublish)
        : new MergeTask<>(versions, store, plan, this::afterMerge);
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
              versions.options().mergedBuild(BloomFilterBuilder.UNKNOWN, Destination.SYSTEM_CACHE));
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
    MergeTask<Q> task = new MergeTask<>(versions, store, plan, this::afterMerge);
    queue.submit(task);
    return task;
  }

  /** What a merge sets off, of whose results some ought to be in the system's cache. */
  private void afterMerge(List<DiskComponent<Q>> wanted) {
    afterPublish();
    for (DiskComponent<Q> component : wanted) {
      queue.submit(new RefillTask(component, store.describe()));
    }
  }

  /** What a published component may set off; a task calls it when nothing is left to undo. */
  private void afterPublish() {
    flushMayBegin();
    scheduleMerges();
    repairIfDue();
    versions.changed().raise();
    queue.published();
  }
}
