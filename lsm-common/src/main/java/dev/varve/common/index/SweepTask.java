package dev.varve.common.index;

import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;
import java.util.function.Consumer;

/**
 * Finds the entries that died since components changed, one component in a step. It writes nothing;
 * a task all the same, because it reads as much as a small merge does.
 */
final class SweepTask<Q> implements MaintenanceTask {
  private final IndexVersions<Q> versions;
  private final DeadEntries<Q> dead;
  private final String index;
  private final Consumer<End> afterwards;
  private volatile boolean done;

  /** How a sweep ends. */
  enum End {
    /** Nothing was left to look up. */
    DONE,
    /** It was given up, or failed. */
    GIVEN_UP
  }

  /**
   * Takes a sweep; no other is under way.
   *
   * @param afterwards called once, without a lock, when the sweep ends
   */
  SweepTask(
      IndexVersions<Q> versions, DeadEntries<Q> dead, String index, Consumer<End> afterwards) {
    this.versions = versions;
    this.dead = dead;
    this.index = index;
    this.afterwards = afterwards;
  }

  @Override
  public Kind kind() {
    return Kind.MERGE;
  }

  @Override
  public String describe() {
    return "search for dead entries of " + index;
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
    ComponentList<Q> list = versions.components();
    if (done || !list.acquire()) {
      // Another list is the current one by now, unless the index was closed.
      return versions.closed ? end(End.GIVEN_UP) : 0;
    }
    boolean swept = false;
    try {
      boolean goesOn = dead.advance(list.disk());
      swept = true;
      return goesOn ? 0 : end(End.DONE);
    } finally {
      list.release();
      if (!swept) {
        end(End.GIVEN_UP);
      }
    }
  }

  /** Ends; nothing was written. */
  private long end(End how) {
    if (!done) {
      done = true;
      afterwards.accept(how);
    }
    return 0;
  }

  @Override
  public boolean done() {
    return done;
  }

  @Override
  public void cancel() {
    end(End.GIVEN_UP);
  }
}
