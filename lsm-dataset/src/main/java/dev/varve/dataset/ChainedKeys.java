package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.RecordCursor;
import java.util.List;

/**
 * Cursors of partitions one after the other. Confined to one thread.
 *
 * @param <C> what each is
 */
final class ChainedKeys<C extends KeyCursor> implements KeyCursor {
  private final List<C> all;
  private int position;
  private boolean atKey;
  private boolean closed;

  ChainedKeys(List<C> cursors) {
    this.all = List.copyOf(cursors);
  }

  @Override
  public boolean next() throws StorageException {
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    atKey = false;
    while (position < all.size()) {
      if (all.get(position).next()) {
        atKey = true;
        return true;
      }
      position++;
    }
    return false;
  }

  @Override
  public Slice key() {
    return current().key();
  }

  /** The cursor that is at the key. */
  C current() {
    if (!atKey) {
      throw RecordCursor.atNoRecord();
    }
    return all.get(position);
  }

  @Override
  public void close() {
    closed = true;
    atKey = false;
    RecordCursor.closeAll(all);
  }
}
