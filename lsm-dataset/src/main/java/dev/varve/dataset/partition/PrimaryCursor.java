package dev.varve.dataset.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.Origin;

/** Committed records in the order of their primary keys. Confined to one thread. */
final class PrimaryCursor implements RecordCursor {
  private final PartitionHost host;
  private final NodeHealth health;
  private final PartitionIndexes indexes;
  private final RecordLookup lookup;
  private final LsmCursor states;

  /** Number of retractions before anything was read: entries are read ahead of their turn. */
  private final long retractionsBefore;

  private final Entry found = new Entry();
  private Entry record = found;
  private boolean closed;

  /** A cursor in a partition that the caller has entered as a reader, and that leaves it. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with this cursor
  PrimaryCursor(PartitionHost host, PartitionIndexes indexes, KeyRange range)
      throws StorageException {
    this.host = host;
    this.health = host.services().health();
    this.indexes = indexes;
    this.lookup = new RecordLookup(host, null);
    this.retractionsBefore = host.retractions();
    this.states = indexes.primary().searchStates(range);
  }

  @Override
  public boolean next() throws StorageException {
    health.requireOpen();
    while (!closed && states.next()) {
      Entry state = states.entry();
      if (states.origin() == Origin.DISK || lookup.settled(state.key(), retractionsBefore)) {
        if (!state.antimatter()) {
          record = state;
          return true;
        }
      } else if (lookup.findLocked(indexes.primary(), state.key(), found)) {
        record = found;
        return true;
      }
    }
    return false;
  }

  @Override
  public Slice key() {
    return record.key();
  }

  @Override
  public Slice value() {
    return record.value();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      states.close();
      host.door().leaveRead();
    }
  }
}
