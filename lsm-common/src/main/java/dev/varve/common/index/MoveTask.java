package dev.varve.common.index;

import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;

/**
 * Hands a component down to the next level as it is. Nothing is read and nothing written but the
 * manifest; a task all the same, because it takes a force, which may fail.
 */
final class MoveTask<Q> implements MaintenanceTask {
  private final LsmIndex<Q> index;
  private final MergePlan<Q> plan;
  private volatile boolean done;

  /** Plans a move; the component is in state MERGING until the task ends. */
  MoveTask(LsmIndex<Q> index, MergePlan<Q> plan) {
    this.index = index;
    this.plan = plan;
  }

  @Override
  public Kind kind() {
    return Kind.MERGE;
  }

  @Override
  public String describe() {
    return "move of a component of " + index.describe() + " to level " + plan.placement().level();
  }

  @Override
  public String index() {
    return index.describe();
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
      index.merges().moved(plan);
      published = true;
    } finally {
      done = true;
      if (!published) {
        index.merges().failed(plan);
      }
    }
    index.afterPublish();
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
      index.merges().failed(plan);
    }
  }
}
