package dev.varve.common.index;

import dev.varve.common.disk.DiskComponent;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.page.CacheWarming;

/**
 * Reads a component that a merge wrote and readers want, in order, so that the system's cache has
 * it. It was written past that, before readers wanted it, or that had no room for it beside the
 * inputs; and what is not there readers would wait for page by page. Begun when the inputs are
 * gone. It writes nothing; a task all the same, as a {@link SweepTask} is.
 */
final class RefillTask implements MaintenanceTask {
  private final DiskComponent<?> component;
  private final String index;

  /** The unit that is read next; behind the last one when there is nothing to do. */
  private volatile int next;

  RefillTask(DiskComponent<?> component, String index) {
    this.component = component;
    this.index = index;
  }

  @Override
  public Kind kind() {
    return Kind.MERGE;
  }

  @Override
  public String describe() {
    return "refill of the system's cache with component " + component.id() + " of " + index;
  }

  @Override
  public String index() {
    return index;
  }

  @Override
  public long remainingInputBytes() {
    return component.bytes() - (long) next * component.file().pageSize();
  }

  @Override
  public long outputBytes() {
    return 0;
  }

  @Override
  public long step(long maxBytes) throws StorageException {
    if (done() || !component.acquire()) {
      // Another merge has read it already, or the index was closed.
      cancel();
      return 0;
    }
    try {
      next = CacheWarming.pass(component.file(), next, CacheWarming.BATCH_BYTES).next();
      return 0;
    } finally {
      component.release();
    }
  }

  @Override
  public boolean done() {
    return next == component.file().pageCount();
  }

  @Override
  public void cancel() {
    next = component.file().pageCount();
  }
}
