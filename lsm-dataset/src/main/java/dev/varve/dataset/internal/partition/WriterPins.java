package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.MemoryComponent;
import dev.varve.transaction.UndoTarget;
import dev.varve.transaction.log.LogOperation;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The memory components of a partition's indexes that a writer has pinned. It enters all of them
 * before it takes log space, and leaves when its commit record is in the log, so that nothing
 * uncommitted is ever flushed. Confined to its writer, and reused.
 */
final class WriterPins implements UndoTarget {
  private final List<MemoryComponent<?>> newest = new ArrayList<>();

  /** Components that were sealed since they were entered. */
  private final List<Sealed> older = new ArrayList<>();

  private final Consumer<Slice> beforePut;
  private @Nullable PartitionIndexes indexes;
  private final Entry entry = new Entry();
  private long undoLsn = -1;
  private final Stamp stamp = new Stamp();

  /** What components were told of since they were entered; null for nothing. */
  private @Nullable RangeFilter covered;

  /** A component of the index at a position. */
  private record Sealed(int position, MemoryComponent<?> component) {}

  /** A writer that is in no component. */
  WriterPins() {
    this(key -> {});
  }

  /** The same, with something that looks at each key first and may refuse it, for tests. */
  WriterPins(Consumer<Slice> beforePut) {
    this.beforePut = beforePut;
  }

  /**
   * Whether a component that was entered has been sealed, so that its flush waits for the writer.
   */
  boolean holdUpFlush() {
    return !older.isEmpty();
  }

  /**
   * Whether the component of the primary takes no more writers, so that its flush waits for this.
   */
  boolean isSealed() {
    return newest.get(0).isSealed();
  }

  /**
   * Enters the writable component of every index; those that were entered before are kept.
   *
   * @return false, with nothing changed, when an index has none
   */
  boolean enter(PartitionIndexes open) {
    boolean first = newest.isEmpty();
    indexes = open;
    LsmIndex<?>[] each = open.each;
    for (int position = 0; position < each.length; position++) {
      MemoryComponent<?> component = each[position].tryEnter();
      if (component == null) {
        if (first) {
          exit();
        }
        return false;
      }
      if (first) {
        newest.add(component);
      } else if (component == newest.get(position)) {
        component.exit();
      } else {
        older.add(new Sealed(position, newest.set(position, component)));
      }
    }
    return true;
  }

  /** The primary index of the partition whose components were entered. */
  LsmIndex<KeyRange> primary() {
    return Objects.requireNonNull(indexes).primary();
  }

  /** The smallest index of that partition that tells which primary keys are there. */
  LsmIndex<KeyRange> keys() {
    return Objects.requireNonNull(indexes).keys();
  }

  /** Number in the log of the index at a position, of those whose components were entered. */
  int id(int position) {
    return Objects.requireNonNull(indexes).id(position);
  }

  /** How many secondary indexes have a component among those that were entered. */
  int secondaries() {
    return newest.size() - 1;
  }

  /** A secondary index of the partition whose components were entered, by its number, from 0. */
  SecondaryIndex<?> secondary(int number) {
    return Objects.requireNonNull(indexes).secondary(number);
  }

  /** Has the component of an index cover the values of a record before and after its change. */
  void cover(int position, RangeFilter values) {
    assert position < newest.size() : "a writer that did not enter";
    newest.get(position).cover(values);
    RangeFilter before = covered;
    covered = before == null ? values : before.with(values);
  }

  /** Leaves every component. */
  void exit() {
    covered = null;
    for (int i = 0; i < newest.size(); i++) {
      newest.get(i).exit();
    }
    newest.clear();
    for (int i = 0; i < older.size(); i++) {
      older.get(i).component().exit();
    }
    older.clear();
  }

  /**
   * Never leaves the components: they lack an operation that is committed, so that neither they nor
   * any younger ones may be flushed, and recovery finds everything in the log.
   */
  void stay() {
    covered = null;
    newest.clear();
    older.clear();
  }

  /** Puts an operation that was logged into the component of an index. */
  void put(int position, LogOperation operation, Slice key, Slice value, long lsn) {
    set(operation, key, value);
    if (operation == LogOperation.MERGE) {
      newest.get(position).merge(entry, lsn);
    } else {
      newest.get(position).put(entry, lsn);
    }
  }

  /** Puts an operation that is a whole committed transaction into the component of the primary. */
  void putAlone(LogOperation operation, Slice key, Slice value, long lsn) {
    set(operation, key, value);
    if (operation == LogOperation.MERGE) {
      newest.get(0).mergeAlone(entry, lsn);
    } else {
      newest.get(0).putAlone(entry, lsn);
    }
  }

  private void set(LogOperation operation, Slice key, Slice value) {
    beforePut.accept(key);
    entry.key().set(key.bytes(), key.offset(), key.length());
    entry.value().set(value.bytes(), value.offset(), value.length());
    entry.antimatter(operation == LogOperation.DELETE);
  }

  /** Sets the LSN under which undone operations are put: that of the transaction's last record. */
  WriterPins undoingAt(long lsn) {
    undoLsn = lsn;
    return this;
  }

  /**
   * Takes an operation back in every component that the writer is in: in the one that holds the
   * operation, so that it is never flushed, and in newer ones, which may hide that one.
   */
  @Override
  public void undo(int index, LogOperation operation, Slice key, Slice value) {
    takeBack(index, operation, key, restored(index, operation, value));
  }

  /**
   * The value that an entry has when it comes back. Entries come back as young as the transaction,
   * so that none is older than that of their key: some had been put by the transaction itself. The
   * key has the stamp that it had, since other entries of its record may be on disk only, and a
   * crash may leave them so.
   */
  Slice restored(int index, LogOperation operation, Slice value) {
    int position = Objects.requireNonNull(indexes).positionOf(index);
    boolean stamped =
        operation == LogOperation.INSERT
            && position > 0
            && secondary(position - 1).stamped()
            && secondary(position - 1).lsm() != keys();
    return stamped ? stamp.at(undoLsn) : value;
  }

  /** Puts an inverse operation, with the value that it really has. */
  void takeBack(int index, LogOperation operation, Slice key, Slice value) {
    int position = Objects.requireNonNull(indexes).positionOf(index);
    // A component may get back what it was not told of: another one was current at the change.
    RangeFilter values = covered;
    if (values != null) {
      newest.get(position).cover(values);
    }
    put(position, operation, key, value, undoLsn);
    for (int i = 0; i < older.size(); i++) {
      if (older.get(i).position() == position) {
        if (values != null) {
          older.get(i).component().cover(values);
        }
        older.get(i).component().put(entry, undoLsn);
      }
    }
  }
}
