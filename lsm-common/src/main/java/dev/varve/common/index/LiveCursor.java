package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import java.util.Objects;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * The entries of a component without those that are dead, as far as repairs have found them or who
 * reads it knows. Confined to one thread.
 */
final class LiveCursor implements EntryCursor {
  private final EntryCursor entries;
  private final Roaring64Bitmap dead;

  private LiveCursor(EntryCursor entries, Roaring64Bitmap dead) {
    this.entries = entries;
    this.dead = dead;
  }

  /** Searches a component that has entries. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the cursor that is returned
  static <Q> EntryCursor search(DiskComponent<Q> component, Q predicate) throws StorageException {
    Roaring64Bitmap dead = component.repair().dead();
    return without(dead, Objects.requireNonNull(component.index()).search(predicate));
  }

  /** All entries of a component that has some, ascending by key, read as a merge reads them. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the cursor that is returned
  static <Q> EntryCursor scan(DiskComponent<Q> component) throws StorageException {
    Roaring64Bitmap dead = component.repair().dead();
    return without(dead, Objects.requireNonNull(component.index()).scan());
  }

  /** A cursor without some entries; takes it over. */
  @MustBeClosed
  static EntryCursor without(Roaring64Bitmap dead, EntryCursor entries) {
    return dead.isEmpty() ? entries : new LiveCursor(entries, dead);
  }

  @Override
  public boolean next() throws StorageException {
    while (entries.next()) {
      assert entries.position() >= 0 : "dead entries of a kind that knows no positions";
      if (!dead.contains(entries.position())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Entry entry() {
    return entries.entry();
  }

  @Override
  public long position() {
    return entries.position();
  }

  @Override
  public void close() {
    entries.close();
  }
}
