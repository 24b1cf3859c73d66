package dev.varve.dataset.engine;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.partition.RecordCursor;
import java.util.List;

/** Cursors of partitions one after the other. Confined to one thread. */
final class ChainedCursor implements RecordCursor {
  private final List<RecordCursor> all;
  private int position;

  ChainedCursor(List<RecordCursor> cursors) {
    this.all = List.copyOf(cursors);
  }

  @Override
  public boolean next() throws StorageException {
    while (position < all.size()) {
      if (all.get(position).next()) {
        return true;
      }
      position++;
    }
    return false;
  }

  @Override
  public Slice key() {
    return all.get(position).key();
  }

  @Override
  public Slice value() {
    return all.get(position).value();
  }

  @Override
  public void close() {
    all.forEach(RecordCursor::close);
  }
}
