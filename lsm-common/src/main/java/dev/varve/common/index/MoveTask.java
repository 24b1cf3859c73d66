package dev.varve.common.index;

import dev.varve.common.disk.ComponentStore;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;

/**
 * Hands a component down to the next level as it is. Nothing is read and nothing written but the
 * manifest; a task all the same, because it takes a force, which may fail.
 */
final class MoveTask<Q> implements MaintenanceTask {
  private final IndexVersions<Q> versions;
  private final String index;
  private final Runnable afterwards;
  private final MergePlan<Q> plan;
  private volatile boolean done;

  /**
   * Takes a move; the component is in state MERGING until the task ends.
   *
   * @param afterwards called without a lock when the component is at the next level
   */
  MoveTask(
      IndexVersions<Q> versions, ComponentStore<Q> store, MergePlan<Q> plan, Runnable afterwards) {
    this.versions = versions;
    this.index = store.describe();
    this.afterwards = afterwards;
    this.plan = plan;
  }

  @Override
  public Kind kind() {
    return Kind.MERGE;
  }

  @Override
  public Depth depth() {
    return plan.depth();
  }

  @Override
  public String describe() {
    return "move of a component of " + index + " to level " + plan.placement().level();
  }

  @Override
  public String index() {
    return index;
  }

  @Override
  public long remainingInputBytes() {
    return 0;
  }

  @Override
  public long step(long maxBytes) throws StorageException {
    if (done) {
      return 0;
    }
    boolean published = false;
    try {
      versions.moved(plan);
      published = true;
    } finally {
      done = true;
      if (!published) {
        versions.mergeFailed(plan);
      }
    }
    afterwards.run();
    return 0;
  }

  @Override
  public boolean done() {
    return done;
  }

  @Override
  public void cancel() {
    if (!done) {
      done = true;
      versions.mergeFailed(plan);
    }
  }
}
