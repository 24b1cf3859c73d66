package dev.varve.common.testkit;

import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceQueue;
import dev.varve.common.maintenance.MaintenanceTask;
import java.util.ArrayList;
import java.util.List;

/**
 * A queue whose tasks run at once, or are left for the test to step, run or cancel. Confined to one
 * thread.
 */
public final class ManualQueue implements MaintenanceQueue {
  private static final int STEP_BYTES = 4096;

  private final List<MaintenanceTask> tasks = new ArrayList<>();
  private boolean runsAtOnce = true;
  private boolean closed;

  /** What was handed in and is left, oldest first; the test may take tasks out. */
  public List<MaintenanceTask> tasks() {
    return tasks;
  }

  /** From now on tasks run when they are handed in. */
  public void runAtOnce() {
    runsAtOnce = true;
  }

  /** From now on tasks are left. */
  public void leave() {
    runsAtOnce = false;
  }

  /** From now on tasks are cancelled when they are handed in. */
  public void refuse() {
    closed = true;
  }

  /** Tasks are taken again. */
  public void acceptAgain() {
    closed = false;
  }

  @Override
  public void submit(MaintenanceTask task) {
    if (closed) {
      task.cancel();
      return;
    }
    tasks.add(task);
    if (runsAtOnce) {
      try {
        runAll();
      } catch (StorageException e) {
        throw new AssertionError(e);
      }
    }
  }

  /** Runs what is left, and what that hands in, oldest first. */
  public void runAll() throws StorageException {
    while (!tasks.isEmpty()) {
      MaintenanceTask task = tasks.remove(0);
      while (!task.done()) {
        task.step(STEP_BYTES);
      }
    }
  }

  /** Cancels what is left. */
  public void cancelAll() {
    List<MaintenanceTask> left = List.copyOf(tasks);
    tasks.clear();
    left.forEach(MaintenanceTask::cancel);
  }
}
