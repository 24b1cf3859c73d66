package dev.varve.common.index;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.DeletedRanges;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.disk.ComponentBuild;
import dev.varve.common.disk.ComponentStore;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.EntryTransfer;
import dev.varve.common.format.Validity;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.page.ReaderShare;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Makes a sealed memory component a disk component by bulk load: its entries, and behind them its
 * deleted keys. Neither antimatter nor deleted keys are written when nothing is older. Before the
 * validity bit is set, the log is forced as far as the component needs it, so that no operation is
 * on disk whose commit may be lost, or that of an earlier operation.
 */
final class FlushTask<Q> implements MaintenanceTask {
  private final IndexVersions<Q> versions;
  private final ComponentStore<Q> store;
  private final Runnable afterwards;
  private final MemoryComponent<Q> source;
  private final ComponentId target;
  private final boolean nothingOlder;

  /** Antimatter has nothing to delete, or is in the deleted keys. */
  private final boolean dropsAntimatter;

  private @Nullable EntryCursor cursor;

  /** The kind takes the entries in its own way. */
  private boolean transfers;

  private boolean atDeletedKeys;
  private @Nullable ComponentBuild<Q> build;
  private volatile boolean done;

  /**
   * Takes a flush that has begun.
   *
   * @param afterwards called without a lock when the component is published
   */
  FlushTask(
      IndexVersions<Q> versions, ComponentStore<Q> store, FlushPlan<Q> plan, Runnable afterwards) {
    this.versions = versions;
    this.store = store;
    this.afterwards = afterwards;
    this.source = plan.source();
    this.target = plan.target();
    this.nothingOlder = plan.nothingOlder();
    this.dropsAntimatter = nothingOlder || source.deletedKeys() != null;
  }

  @Override
  public Kind kind() {
    return Kind.FLUSH;
  }

  @Override
  public String describe() {
    return "flush of " + store.describe() + " to " + target;
  }

  @Override
  public String index() {
    return store.describe();
  }

  @Override
  public long remainingInputBytes() {
    ComponentBuild<Q> running = build;
    long written = running == null ? 0 : running.writtenBytes();
    return Math.max(0, source.usedBytes() - written);
  }

  @Override
  public long step(long maxBytes) throws StorageException {
    if (done) {
      return 0;
    }
    try {
      return goOn(maxBytes);
    } catch (StorageException | RuntimeException | Error e) {
      if (!done) {
        giveUp(e);
      }
      throw e;
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // closed at the end, or when the task is given up
  private long goOn(long maxBytes) throws StorageException {
    ComponentBuild<Q> target = build;
    if (target == null) {
      build =
          target =
              store.newBuild(
                  this.target,
                  versions.components().disk().membership(),
                  versions.options().flushedBuild(filteredKeys(), others()));
      EntryCursor scan = source.index().scan();
      cursor = scan;
      transfers = target.takes(List.of(scan), (component, key) -> Validity.VALID);
    }
    EntryCursor entries = cursor;
    if (entries == null) {
      throw new IllegalStateException(describe() + " was given up");
    }
    long before = target.writtenBytes();
    while (target.writtenBytes() - before < maxBytes) {
      if (!moveOn(entries, target)) {
        entries.close();
        if (beginDeletedKeys()) {
          entries = Objects.requireNonNull(cursor);
          continue;
        }
        // Every writer has left, so every commit record of what is in here has been appended.
        versions.forceLog(source);
        RangeFilter range = source.rangeFilter();
        target.checkedTo(source.checkedTo());
        target.deletedRanges(nothingOlder ? DeletedRanges.NONE : source.deletedRanges());
        if (!nothingOlder) {
          OlderComponents.countSuperseded(versions, target);
        }
        target.finish(source.componentLsn(), nothingOlder ? range.hidingNothing() : range);
        versions.flushed(source, target);
        // Published: from here on nothing is taken back.
        done = true;
        afterwards.run();
        break;
      }
    }
    return target.writtenBytes() - before;
  }

  /** Moves some entries, or a deleted key; false when there are no more. */
  private boolean moveOn(EntryCursor entries, ComponentBuild<Q> target) throws StorageException {
    if (transfers && !atDeletedKeys) {
      return target.moveOn() != EntryTransfer.END;
    }
    if (!entries.next()) {
      return false;
    }
    if (atDeletedKeys) {
      target.addDeletedKey(entries.entry());
    } else if (!dropsAntimatter || !entries.entry().antimatter()) {
      target.add(entries.entry());
    }
    return true;
  }

  /**
   * What readers have of the components beside which it is written; found out only where these fit
   * into the cache, since there may be any number of pages.
   */
  private ReaderShare others() {
    return store.hasRoom(source.usedBytes())
        ? store.readerShare(versions.components().disk().all(), source.usedBytes())
        : ReaderShare.WITHOUT_ROOM;
  }

  /** No more keys than this are in the component's filter. */
  private long filteredKeys() {
    MemoryDeletedKeys deletedKeys = source.deletedKeys();
    return deletedKeys == null ? source.index().entryCount() : deletedKeys.count();
  }

  /** Goes on from the entries to the deleted keys; false when there are none to write. */
  @SuppressWarnings("MustBeClosedChecker") // as the cursor before
  private boolean beginDeletedKeys() throws StorageException {
    MemoryDeletedKeys deletedKeys = source.deletedKeys();
    if (deletedKeys == null || nothingOlder || atDeletedKeys) {
      return false;
    }
    cursor = deletedKeys.scan();
    atDeletedKeys = true;
    return true;
  }

  @Override
  public boolean done() {
    return done;
  }

  @Override
  public void cancel() {
    if (!done) {
      giveUp(null);
    }
  }

  /** Whoever waits for the flush is told, also when its file cannot be taken back. */
  private void giveUp(@Nullable Throwable cause) {
    done = true;
    try {
      if (cursor != null) {
        cursor.close();
      }
      if (build != null) {
        store.abandon(build, cause);
      }
    } finally {
      versions.flushFailed(source, cause);
    }
  }
}
