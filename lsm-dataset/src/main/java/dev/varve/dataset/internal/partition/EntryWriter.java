package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.transaction.Transaction;
import dev.varve.transaction.log.LogOperation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Carries the change of a record into the indexes of its partition: the record into the primary
 * index, and into each secondary one the entry that it has there now. Where the old record is
 * known, its entries are taken out; where it is not, they stay. Confined to its writer, and reused.
 */
final class EntryWriter {
  private static final Slice NOTHING = new Slice();

  private final PartitionLifecycle lifecycle;
  private final WriterPins pins;
  private final Transaction transaction;
  private final int firstIndexId;

  /** Reads new records; null for a key-value store. */
  private @Nullable RecordEntries newEntries;

  /** Reads replaced and deleted records; null where neither an index nor a filter needs it. */
  private @Nullable RecordEntries oldEntries;

  /** Whether components are filtered by a field of records. */
  final boolean filtered;

  /** The values of that field that the present change is about, where there is one. */
  private RangeFilter changedValues = RangeFilter.EMPTY;

  /** Whether the present change gives a record another such value, so that all entries go along. */
  private boolean filterValueChanges;

  /** The record that the look-up of the present change has found. */
  private final Entry old;

  /** What entries of the present change are stamped with. */
  private final Stamp stamp = new Stamp();

  /** Scratch. */
  private final Entry keyState = new Entry();

  private final Slice recordKey = new Slice();

  /**
   * For the changes of a writer.
   *
   * @param pins where the writer has entered
   * @param transaction what it logs
   * @param old filled by the writer with the record that the present change has met
   */
  EntryWriter(PartitionLifecycle lifecycle, WriterPins pins, Transaction transaction, Entry old) {
    this.lifecycle = lifecycle;
    this.pins = pins;
    this.transaction = transaction;
    this.old = old;
    this.firstIndexId = lifecycle.descriptor().indexId(0);
    RecordSchema schema = lifecycle.schema();
    this.filtered = schema != null && schema.filterField() != null;
    readBy(schema);
  }

  /** Reads records by another schema from now on: indexes were added or dropped. */
  void readBy(@Nullable RecordSchema schema) {
    newEntries =
        schema == null
            ? null
            : new RecordEntries(
                schema, lifecycle.node().limitsOf(lifecycle.descriptor().dataset()));
    oldEntries =
        schema == null || (schema.secondaries().isEmpty() && schema.filterField() == null)
            ? null
            : RecordEntries.ofStored(schema, Expiry.stampBytes(lifecycle.descriptor().options()));
  }

  /** Reads a new record, of a dataset; the entries hold until the next one is read. */
  RecordEntries read(Slice record) throws StorageException {
    RecordEntries entries = Objects.requireNonNull(newEntries);
    entries.read(record);
    return entries;
  }

  /** Reads the old record, which is there, where its entries are asked for. */
  void readOld() throws StorageException {
    if (oldEntries != null) {
      oldEntries.readStored(old, pins.primary());
    }
  }

  /** Changes all indexes in the active transaction, which is aborted when this throws. */
  void logAndApplyAll(
      LogOperation operation,
      Slice key,
      Slice value,
      @Nullable RecordEntries entries,
      WriteOutcome met)
      throws StorageException {
    RecordEntries before = met == WriteOutcome.PRESENT ? oldEntries : null;
    if (met == WriteOutcome.PRESENT) {
      transaction.willUndo(firstIndexId, LogOperation.UPSERT, key, old.value());
    } else {
      transaction.willUndo(firstIndexId, LogOperation.DELETE, key, NOTHING);
    }
    stamp.at(logAndPut(0, operation, key, value));
    for (int secondary = 0; secondary < pins.secondaries(); secondary++) {
      changeSecondary(secondary, before, entries);
    }
  }

  /**
   * Has the component of the primary cover the record from before the change, which it will hide in
   * older ones, and the new one; and remembers both for the secondary indexes. A component that
   * hides what was not looked up says so instead.
   */
  void cover(WriteOutcome met, @Nullable RecordEntries after) {
    RecordEntries before = met == WriteOutcome.PRESENT ? oldEntries : null;
    Slice oldValue = before == null ? null : before.filterValue();
    Slice newValue = after == null ? null : after.filterValue();
    RangeFilter values = RangeFilter.EMPTY;
    if (oldValue != null) {
      values = values.covering(oldValue);
    }
    if (newValue != null) {
      values = values.covering(newValue);
    }
    changedValues = met == WriteOutcome.UNKNOWN ? values.heldOnly() : values;
    filterValueChanges = !same(oldValue, newValue);
    pins.cover(0, changedValues);
  }

  private static boolean same(@Nullable Slice one, @Nullable Slice other) {
    return one == other || (one != null && other != null && one.sameBytes(other));
  }

  private void changeSecondary(
      int secondary, @Nullable RecordEntries before, @Nullable RecordEntries after)
      throws StorageException {
    boolean hadEntry = before != null && before.has(secondary);
    boolean hasEntry = after != null && after.has(secondary);
    Slice oldKey = before != null && hadEntry ? before.key(secondary) : NOTHING;
    Slice newKey = after != null && hasEntry ? after.key(secondary) : NOTHING;
    Slice newValue = after != null && hasEntry ? value(secondary, after) : NOTHING;
    boolean same =
        before != null
            && hadEntry
            && hasEntry
            && oldKey.sameBytes(newKey)
            && value(secondary, before).sameBytes(newValue);
    if (same && !(filtered && filterValueChanges)) {
      return;
    }
    int position = secondary + 1;
    if (filtered && (hadEntry || hasEntry)) {
      pins.cover(position, changedValues);
    }
    if (before != null && hadEntry) {
      Slice oldValue = oldValue(secondary, oldKey, before);
      transaction.willUndo(pins.id(position), LogOperation.INSERT, oldKey, oldValue);
      logAndPut(position, LogOperation.DELETE, oldKey, NOTHING);
    }
    if (hasEntry) {
      transaction.willUndo(pins.id(position), LogOperation.DELETE, newKey, NOTHING);
      logAndPut(position, LogOperation.INSERT, newKey, newValue);
    }
  }

  /** The value of an entry that is put in the present change. */
  private Slice value(int secondary, RecordEntries entries) {
    return pins.secondary(secondary).stamped() ? stamp.value() : entries.value(secondary);
  }

  /**
   * The value that an abort brings back. The stamp of a key has to be the old one: what lies on
   * disk of its record is no younger. Others may be as young as the change; see {@link
   * WriterPins#undo}.
   */
  private Slice oldValue(int secondary, Slice entryKey, RecordEntries before)
      throws StorageException {
    if (pins.secondary(secondary).lsm() != pins.keys()) {
      return value(secondary, before);
    }
    pins.keys().find(entryKey, keyState);
    return keyState.value();
  }

  /** The key by which the entries of a record are deleted blindly; null where nothing is. */
  private @Nullable Slice deletedBlindly(
      int secondary, Slice key, @Nullable RecordEntries entries) {
    SecondaryIndex<?> index = pins.secondary(secondary);
    boolean replaced = entries != null && entries.has(secondary) && index.kind().keepsStamps();
    return replaced ? null : index.recordKey(key, recordKey);
  }

  /**
   * Logs a change of all indexes that knows nothing of the old record: see {@link #putBlindly} for
   * what it is. The active transaction has nothing to undo, since nothing is in memory yet.
   */
  void logBlindly(LogOperation operation, Slice key, Slice value, @Nullable RecordEntries entries)
      throws StorageException {
    stamp.at(transaction.update(firstIndexId, operation, key, value));
    for (int secondary = 0; secondary < pins.secondaries(); secondary++) {
      int index = pins.id(secondary + 1);
      Slice record = deletedBlindly(secondary, key, entries);
      if (record != null) {
        transaction.update(index, LogOperation.DELETE, record, NOTHING);
      }
      if (entries != null && entries.has(secondary)) {
        transaction.update(
            index, LogOperation.INSERT, entries.key(secondary), value(secondary, entries));
      }
    }
  }

  /**
   * Puts into all indexes what {@link #logBlindly} has logged: the new record, and its entries. The
   * entries of the old record stay where they are, but in kinds whose entries are deleted by
   * primary key.
   *
   * @param lsn of the last of those log records
   */
  void putBlindly(
      LogOperation operation, Slice key, Slice value, @Nullable RecordEntries entries, long lsn) {
    pins.put(0, operation, key, value, lsn);
    for (int secondary = 0; secondary < pins.secondaries(); secondary++) {
      int position = secondary + 1;
      Slice record = deletedBlindly(secondary, key, entries);
      if (filtered && (record != null || (entries != null && entries.has(secondary)))) {
        pins.cover(position, changedValues);
      }
      if (record != null) {
        pins.put(position, LogOperation.DELETE, record, NOTHING, lsn);
      }
      if (entries != null && entries.has(secondary)) {
        pins.put(
            position, LogOperation.INSERT, entries.key(secondary), value(secondary, entries), lsn);
      }
    }
  }

  private long logAndPut(int position, LogOperation logged, Slice key, Slice value)
      throws StorageException {
    long lsn = transaction.update(pins.id(position), logged, key, value);
    pins.put(position, logged, key, value, lsn);
    return lsn;
  }
}
