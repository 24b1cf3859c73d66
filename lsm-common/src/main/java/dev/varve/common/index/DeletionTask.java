package dev.varve.common.index;

import dev.varve.common.disk.ComponentStore;
import dev.varve.common.maintenance.MaintenanceTask;
import java.nio.file.Path;

/**
 * Deletes components that were given up and of which a reader let go last, one in a step. It writes
 * nothing; a task so that the reader does not wait for it.
 */
final class DeletionTask implements MaintenanceTask {
  private final ComponentStore<?> store;
  private volatile boolean done;

  DeletionTask(ComponentStore<?> store) {
    this.store = store;
  }

  @Override
  public Kind kind() {
    return Kind.MERGE;
  }

  @Override
  public String describe() {
    return "deletion of components of " + store.describe();
  }

  @Override
  public String index() {
    return store.describe();
  }

  @Override
  public Path directory() {
    return store.directory();
  }

  @Override
  public long remainingInputBytes() {
    return 0;
  }

  @Override
  public long step(long maxBytes) {
    done = done || !store.unused().deleteNext();
    return 0;
  }

  @Override
  public boolean done() {
    return done;
  }

  /** Deletes them all the same: nobody else will. */
  @Override
  public void cancel() {
    if (!done) {
      store.unused().deleteAll();
      done = true;
    }
  }
}
