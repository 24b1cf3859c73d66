package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.RankedCursor;
import dev.varve.dataset.model.RecordCursor;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Cursors of partitions merged by distance, nearest first. Confined to one thread. */
final class NearestOfAll implements RankedCursor {
  private final List<RankedCursor> all;
  private final PriorityQueue<RankedCursor> heads =
      new PriorityQueue<>(
          Comparator.comparingDouble(RankedCursor::distance)
              .thenComparing(RankedCursor::key, Slice::compareBytes));
  private boolean started;
  private boolean closed;
  private @Nullable RankedCursor current;

  NearestOfAll(List<RankedCursor> cursors) {
    this.all = List.copyOf(cursors);
  }

  @Override
  public boolean next() throws StorageException {
    if (closed) {
      throw RecordCursor.atNoRecord();
    }
    if (!started) {
      started = true;
      for (RankedCursor cursor : all) {
        addUnlessEnded(cursor);
      }
    } else if (current != null) {
      addUnlessEnded(current);
    }
    current = heads.poll();
    return current != null;
  }

  private void addUnlessEnded(RankedCursor cursor) throws StorageException {
    if (cursor.next()) {
      heads.add(cursor);
    }
  }

  private RankedCursor current() {
    RankedCursor cursor = current;
    if (cursor == null) {
      throw RecordCursor.atNoRecord();
    }
    return cursor;
  }

  @Override
  public double distance() {
    return current().distance();
  }

  @Override
  public Slice key() {
    return current().key();
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
