package dev.varve.common.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.component.ComponentState;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.DiskComponents.Membership;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.Observation;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The merges of an index: asks the policy for them, marks their inputs, and has their results
 * published. Thread-safe.
 */
final class MergeCoordinator<Q> {
  private final LsmIndex<Q> index;
  private final DiskPublisher<Q> publisher;

  /** The index's own. */
  private final ReentrantLock lock;

  @GuardedBy("lock")
  private MergePlanner<Q> planner;

  /** Whether the directory gets its first manifest, which merges that begin now would not fit. */
  @GuardedBy("lock")
  private boolean goingUnderManifest;

  /** Whether the disk components have changed, and the policy is still to be asked about it. */
  @GuardedBy("lock")
  private boolean undecided;

  /**
   * Without any merge so far.
   *
   * @param rounds as {@link MergePlanner#rounds} said it last
   */
  MergeCoordinator(
      LsmIndex<Q> index,
      DiskPublisher<Q> publisher,
      ReentrantLock lock,
      List<Optional<KeyInterval>> rounds) {
    this.index = index;
    this.publisher = publisher;
    this.lock = lock;
    this.planner = new MergePlanner<>(rounds, Observation.NONE);
  }

  /**
   * The next task that the policy wants, to be submitted without a lock; null when there is none.
   */
  @Nullable MaintenanceTask next(MergePolicy policy) {
    lock.lock();
    try {
      MaintenanceTask task = decide(policy);
      undecided = false;
      return task;
    } finally {
      lock.unlock();
    }
  }

  /** From now on the policy is told this besides the components; false when it knows it. */
  boolean see(Observation observation) {
    lock.lock();
    try {
      boolean news = !observation.equals(planner.observation());
      planner = planner.seeing(observation);
      return news;
    } finally {
      lock.unlock();
    }
  }

  @GuardedBy("lock")
  private @Nullable MaintenanceTask decide(MergePolicy policy) {
    if (index.isClosed() || goingUnderManifest) {
      return null;
    }
    MergePlanner.Planned<Q> planned = planner.next(index.components().disk(), policy);
    if (planned == null) {
      return null;
    }
    planner = planned.after();
    MergePlan<Q> plan = planned.plan();
    mark(plan);
    return plan.moves() ? new MoveTask<>(index, plan) : new MergeTask<>(index, plan);
  }

  /** The disk components change, under the index's lock, and the policy will be asked next. */
  void componentsChange() {
    lock.lock();
    try {
      undecided = true;
    } finally {
      lock.unlock();
    }
  }

  /** See {@link LsmIndex#mergesGoOn}. */
  boolean goOn() {
    lock.lock();
    try {
      return undecided || isMerging();
    } finally {
      lock.unlock();
    }
  }

  boolean isMerging() {
    return !index.shape().merging().isEmpty();
  }

  /** A merge of everything; null when a merge is under way, or there is nothing to merge. */
  @Nullable MergeTask<Q> nextOfAll(MergePolicy policy) {
    lock.lock();
    try {
      DiskComponents<Q> disk = index.components().disk();
      if (index.isClosed() || goingUnderManifest || disk.isCompact() || isMerging()) {
        return null;
      }
      MergePlan<Q> plan = planner.all(disk, policy);
      mark(plan);
      return new MergeTask<>(index, plan);
    } finally {
      lock.unlock();
    }
  }

  private void mark(MergePlan<Q> plan) {
    for (DiskComponent<Q> input : plan.inputs()) {
      input.move(ComponentState.Event.MERGE_BEGINS);
      if (!plan.moves() && !input.acquire()) {
        throw new IllegalStateException("component " + input.id() + " is closed");
      }
    }
  }

  /** Publishes what a merge made; the inputs stay acquired. */
  void merged(MergePlan<Q> plan, List<DiskComponent<Q>> outputs) throws StorageException {
    replace(plan, outputs, outputs, ComponentState.Event.MERGE_ENDS);
  }

  /** Publishes that a component is at the next level. */
  void moved(MergePlan<Q> plan) throws StorageException {
    replace(plan, List.of(), plan.inputs(), ComponentState.Event.MOVE_ENDS);
  }

  private void replace(
      MergePlan<Q> plan,
      List<DiskComponent<Q>> fresh,
      List<DiskComponent<Q>> outputs,
      ComponentState.Event end)
      throws StorageException {
    publisher.publish(
        fresh,
        disk -> disk.after(plan.placement().level(), plan.inputs(), outputs),
        () -> {
          plan.inputs().forEach(input -> input.move(end));
          return index.components().memory();
        });
  }

  /** Gives the inputs back. */
  void failed(MergePlan<Q> plan) {
    lock.lock();
    try {
      plan.inputs().forEach(input -> input.move(ComponentState.Event.MERGE_FAILS));
    } finally {
      lock.unlock();
    }
    index.changed().raise();
  }

  /**
   * Has a manifest say which components count, if the policy is one that cuts them and the kind one
   * that may be cut.
   */
  void beginManifest() throws StorageException {
    if (wantsManifest(index.components().disk())) {
      publisher.publish(List.of(), disk -> disk, () -> index.components().memory());
    }
  }

  private boolean wantsManifest(DiskComponents<Q> disk) {
    return disk.membership() == Membership.NAMES
        && index.cutsComponents()
        && disk.mayGoUnderManifest();
  }

  /**
   * Whether this change brings the directory its first manifest; no merge begins before {@link
   * #publicationEnded} then, for it might read what does not count any more.
   */
  boolean goesUnderManifest(DiskComponents<Q> changed) {
    lock.lock();
    try {
      goingUnderManifest = wantsManifest(changed);
      return goingUnderManifest;
    } finally {
      lock.unlock();
    }
  }

  void publicationEnded() {
    lock.lock();
    try {
      goingUnderManifest = false;
    } finally {
      lock.unlock();
    }
  }

  List<Optional<KeyInterval>> rounds() {
    lock.lock();
    try {
      return planner.rounds();
    } finally {
      lock.unlock();
    }
  }
}
