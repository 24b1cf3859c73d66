package dev.varve.dataset.engine;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.partition.RecordCursor;
import java.util.List;

/** Cursors of partitions one after the other. Confined to one thread. */
final class ChainedCursor implements RecordCursor {
  private final List<RecordCursor> all;
  private int position;
  private boolean atRecord;
  private boolean closed;

  ChainedCursor(List<RecordCursor> cursors) {
    this.all = List.copyOf(cursors);
  }

  @Override
  public boolean next() throws StorageException {
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    atRecord = false;
    while (position < all.size()) {
      if (all.get(position).next()) {
        atRecord = true;
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

  @Override
  public Slice value() {
    return current().value();
  }

  private RecordCursor current() {
    if (!atRecord) {
      throw RecordCursor.atNoRecord();
    }
    return all.get(position);
  }

  @Override
  public void close() {
    closed = true;
    atRecord = false;
    RecordCursor.closeAll(all);
  }
}
