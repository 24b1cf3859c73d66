package dev.varve.common.index;

import dev.varve.common.disk.ComponentStore;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.Repair;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.maintenance.MaintenanceTask;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * Finds out which entries of one component the owner of the index needs no more, by reading all of
 * them as a merge of it alone would, and has readers leave them out (Luo and Carey, Efficient Data
 * Ingestion and Query Processing for LSM-Based Storage Systems, VLDB 2019, section 4.4: standalone
 * repair). The component stays as it is; what is written is a set of positions.
 */
final class RepairTask<Q> implements MaintenanceTask {
  private final IndexVersions<Q> versions;
  private final ComponentStore<Q> store;
  private final DiskComponent<Q> component;
  private final Consumer<End> afterwards;
  private final long entries;

  /** What was dead before, what is read ahead, and of what was read what is not let through. */
  private Roaring64Bitmap dead = new Roaring64Bitmap();

  private MergeSieve.@Nullable Sifted sifted;
  private long entriesRead;
  private volatile boolean done;
  private volatile @Nullable Throwable failure;

  /** How a repair ends. */
  enum End {
    /** The component was checked further than before. */
    CHECKED,
    /** It was not, since changes are not on disk that would decide it; or the task was given up. */
    NOTHING_NEW
  }

  /**
   * Takes a repair; no other of the index is under way.
   *
   * @param component acquired by the caller; released when the task ends
   * @param afterwards told once, without a lock, when the task ends
   */
  RepairTask(
      IndexVersions<Q> versions,
      ComponentStore<Q> store,
      DiskComponent<Q> component,
      Consumer<End> afterwards) {
    this.versions = versions;
    this.store = store;
    this.component = component;
    this.afterwards = afterwards;
    this.entries = Math.max(1, component.metadata().entries());
  }

  @Override
  public Kind kind() {
    return Kind.MERGE;
  }

  @Override
  public String describe() {
    return "repair of component " + component.id() + " of " + store.describe();
  }

  @Override
  public String index() {
    return store.describe();
  }

  @Override
  public long remainingInputBytes() {
    long read = Math.min(entriesRead, entries);
    return done ? 0 : (long) (component.bytes() * ((entries - read) / (double) entries));
  }

  @Override
  public long outputBytes() {
    // A position is a varint, and most are near the one before.
    return done ? 0 : 2 * entries;
  }

  @Override
  public long step(long maxBytes) throws StorageException {
    if (done) {
      return 0;
    }
    try {
      return goOn(maxBytes);
    } catch (StorageException | RuntimeException | Error e) {
      giveUp(e);
      throw e;
    }
  }

  /** Reads as many bytes as a merge would write in a step. */
  @SuppressWarnings("MustBeClosedChecker") // closed when the task ends
  private long goOn(long maxBytes) throws StorageException {
    MergeSieve.Sifted open = sifted;
    if (open == null) {
      Repair before = component.repair();
      dead = before.dead().clone();
      sifted =
          open = versions.sieve().over(new Noted(LiveCursor.scan(component)), before.checkedTo());
    }
    long last = entriesRead + Math.max(1, maxBytes / Math.max(1, component.bytes() / entries));
    while (entriesRead < last) {
      if (!open.entries().next()) {
        long checkedBefore = component.repair().checkedTo();
        store.repaired(component, new Repair(dead, open.checkedTo().getAsLong()));
        versions.counters().repairs.increment();
        end(null, component.repair().checkedTo() > checkedBefore ? End.CHECKED : End.NOTHING_NEW);
        return 0;
      }
      dead.removeLong(open.entries().position());
    }
    return 0;
  }

  /** The entries of the component, each of which counts as dead until it was let through. */
  private final class Noted implements ForwardingCursor {
    private final LsmCursor states;

    Noted(EntryCursor entries) {
      this.states = new MergingCursor(List.of(entries), 0, false, () -> {});
    }

    @Override
    public LsmCursor states() {
      return states;
    }

    @Override
    public boolean next() throws StorageException {
      if (!states.next()) {
        return false;
      }
      dead.addLong(states.position());
      entriesRead++;
      return true;
    }
  }

  @Override
  public boolean done() {
    return done;
  }

  /** What made the task give up, or null. */
  @Nullable Throwable failure() {
    return failure;
  }

  @Override
  public void cancel() {
    giveUp(new IllegalStateException(describe() + " was cancelled"));
  }

  @Override
  public void refuse(StorageException cause) {
    giveUp(cause);
  }

  private void giveUp(Throwable cause) {
    if (!done) {
      end(cause, End.NOTHING_NEW);
    }
  }

  private void end(@Nullable Throwable cause, End how) {
    assert !done : describe();
    failure = cause;
    try {
      if (sifted != null) {
        sifted.entries().close();
      }
    } finally {
      component.release();
      done = true;
      afterwards.accept(how);
    }
  }
}
