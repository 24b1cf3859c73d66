package dev.varve.common.index;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/** The entries of a component without those that are dead. Confined to one thread. */
final class LiveCursor implements EntryCursor {
  private final EntryCursor entries;
  private final Roaring64Bitmap dead;

  /** Takes the cursor over. */
  LiveCursor(EntryCursor entries, Roaring64Bitmap dead) {
    this.entries = entries;
    this.dead = dead;
  }

  @Override
  public boolean next() throws StorageException {
    while (entries.next()) {
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
