package dev.varve.common.index;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;

/**
 * Reads a component that a merge wrote for readers, in order, so that the system's cache has it.
 * While the inputs were there, too, that may have had no room for both, and what it dropped of the
 * component readers would wait for page by page. Begun when the inputs are gone. It writes nothing;
 * a task all the same, as a {@link SweepTask} is.
 */
final class RefillTask implements MaintenanceTask {
  private static final int BATCH_BYTES = 1 << 20;

  private final DiskComponent<?> component;
  private final String index;

  /** Made when it is needed first. */
  private byte[] buffer = Bytes.EMPTY;

  private int next;
  private volatile long remainingBytes;
  private volatile boolean done;

  RefillTask(DiskComponent<?> component, String index) {
    this.component = component;
    this.index = index;
    this.remainingBytes = component.bytes();
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
    return remainingBytes;
  }

  @Override
  public long outputBytes() {
    return 0;
  }

  @Override
  public long step(long maxBytes) throws StorageException {
    if (done || !component.acquire()) {
      // Another merge has read it already, or the index was closed.
      return end();
    }
    try {
      if (buffer.length == 0) {
        buffer = new byte[BATCH_BYTES];
      }
      next = component.file().readAhead(next, buffer);
      remainingBytes = component.bytes() - (long) next * component.file().pageSize();
      return remainingBytes > 0 ? 0 : end();
    } finally {
      component.release();
    }
  }

  private long end() {
    remainingBytes = 0;
    done = true;
    return 0;
  }

  @Override
  public boolean done() {
    return done;
  }

  @Override
  public void cancel() {
    end();
  }
}
