package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.OrderedCursor;
import dev.varve.dataset.model.RecordCursor;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Cursors of partitions merged in the order of their keys, or of their entries in a secondary
 * index. Confined to one thread.
 */
final class MergedCursor implements OrderedCursor {
  private final List<RecordCursor> all;
  private final PriorityQueue<RecordCursor> heads;
  private boolean started;
  private boolean closed;
  private @Nullable RecordCursor current;

  MergedCursor(List<RecordCursor> cursors, boolean descending) {
    this.all = List.copyOf(cursors);
    Comparator<RecordCursor> order =
        (a, b) -> OrderedCursor.orderedBy(a).compareBytes(OrderedCursor.orderedBy(b));
    this.heads = new PriorityQueue<>(descending ? order.reversed() : order);
  }

  @Override
  public boolean next() throws StorageException {
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    if (!started) {
      started = true;
      for (RecordCursor cursor : all) {
        addUnlessEnded(cursor);
      }
    } else if (current != null) {
      addUnlessEnded(current);
    }
    current = heads.poll();
    return current != null;
  }

  private void addUnlessEnded(RecordCursor cursor) throws StorageException {
    if (cursor.next()) {
      heads.add(cursor);
    }
  }

  private RecordCursor current() {
    RecordCursor cursor = current;
    if (cursor == null) {
      throw RecordCursor.atNoRecord();
    }
    return cursor;
  }

  @Override
  public Slice key() {
    return current().key();
  }

  @Override
  public Slice entryKey() {
    return OrderedCursor.orderedBy(current());
  }

  @Override
  public Slice value() {
    return current().value();
  }

  @Override
  public void close() {
    closed = true;
    RecordCursor.closeAll(all);
  }
}
