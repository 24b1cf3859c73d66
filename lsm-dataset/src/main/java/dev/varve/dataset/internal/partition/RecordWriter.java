package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.Origin;
import dev.varve.dataset.kind.MergePatch;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.transaction.Transaction;
import dev.varve.transaction.lock.LockGrant;
import dev.varve.transaction.lock.LockOwner;
import dev.varve.transaction.lock.LockTable;
import dev.varve.transaction.log.LogOperation;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * The one way in which a record of a partition changes: {@link #write}. A session's writer commits
 * each record by itself, a transaction's writer all of its records together; they differ in how
 * they wait and for how long they hold what they took. Confined to one thread.
 */
public abstract sealed class RecordWriter permits SessionWriter, TransactionWriter {
  private static final Slice NOTHING = new Slice();

  /** A change of a record. */
  public enum Operation {
    /** Refused when the key is there. */
    INSERT(LogOperation.INSERT),
    /** Whether the key is there or not. */
    UPSERT(LogOperation.UPSERT),
    /** Nothing when the key is not there. */
    DELETE(LogOperation.DELETE),
    /** An upsert that does not look the old record up; only where no secondary index needs it. */
    PUT(LogOperation.UPSERT),
    /** A delete that does not look the old record up; only where no secondary index needs it. */
    REMOVE(LogOperation.DELETE),
    /** An upsert or a delete, whichever a {@link Change} makes of the record that is there. */
    CHANGE(LogOperation.UPSERT);

    final LogOperation logged;

    Operation(LogOperation logged) {
      this.logged = logged;
    }

    private boolean looksUp() {
      return this != PUT && this != REMOVE;
    }

    /** The same change without a look at the old record. */
    Operation blind() {
      return switch (this) {
        case UPSERT -> PUT;
        case DELETE -> REMOVE;
        case INSERT, PUT, REMOVE, CHANGE -> this;
      };
    }
  }

  /** What a record becomes, by what it is; asked with the record locked, and maybe again. */
  @FunctionalInterface
  public interface Change {
    /** The record or value afterwards; null for none, before and after. */
    byte @Nullable [] of(byte @Nullable [] before) throws StorageException;
  }

  /**
   * As whom a writer logs and locks.
   *
   * @param transaction in the log
   * @param owner of locks
   */
  record Identity(Transaction transaction, LockOwner owner) {
    /** A new one, which has logged and locked nothing. */
    @SuppressWarnings("MustBeClosedChecker") // closed by the owner of the result
    static Identity open(NodeContext node) {
      return new Identity(node.transactions().open(), node.locks().newOwner());
    }
  }

  final PartitionLifecycle lifecycle;
  final NodeContext node;
  final Transaction transaction;
  final LockOwner owner;
  final WriterPins pins;
  final LockTable locks;
  private final PartitionKeys keys;
  private final RecordLimits limits;
  private final int maxKeyBytes;
  private final int maxValueBytes;
  final int firstIndexId;

  /** What records are read by; null for a key-value store. */
  @Nullable RecordSchema schema;

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

  /** What the present operation makes of the record that is there, if it is a change. */
  private @Nullable Change change;

  /** The record that the look-up of the present change has found. */
  final Entry old = new Entry();

  /** What entries of the present change are stamped with. */
  private final Stamp stamp = new Stamp();

  /** Scratch. */
  private final Entry keyState = new Entry();

  private final Slice recordKey = new Slice();

  /**
   * A writer that holds nothing.
   *
   * @param keys the primary keys that it may change
   * @param identity closed by whoever opened it
   */
  RecordWriter(
      PartitionLifecycle lifecycle, PartitionKeys keys, WriterPins pins, Identity identity) {
    this.lifecycle = lifecycle;
    this.node = lifecycle.node();
    this.locks = node.locks();
    this.keys = keys;
    this.pins = pins;
    this.limits = node.options().recordLimits();
    this.maxKeyBytes = limits.maxKeyBytes();
    this.maxValueBytes = limits.maxRecordBytes();
    this.firstIndexId = lifecycle.descriptor().indexId(0);
    RecordSchema read = lifecycle.schema();
    this.filtered = read != null && read.filterField() != null;
    readBy(read);
    this.owner = identity.owner();
    this.transaction = identity.transaction();
  }

  private void readBy(@Nullable RecordSchema read) {
    schema = read;
    newEntries = read == null ? null : new RecordEntries(read, limits);
    oldEntries =
        read == null || (read.secondaries().isEmpty() && read.filterField() == null)
            ? null
            : RecordEntries.ofStored(read);
  }

  /** Reads the new record again: indexes were added or dropped since the change before. */
  private @Nullable RecordEntries following(
      PartitionIndexes indexes, @Nullable RecordEntries entries, Slice record)
      throws StorageException {
    readBy(indexes.schema);
    RecordEntries again = newEntries;
    if (entries == null || again == null) {
      return null;
    }
    again.read(record);
    return again;
  }

  /** Inserts or upserts a record of a dataset. */
  public final WriteOutcome writeRecord(Operation operation, Slice record) throws StorageException {
    RecordEntries entries = Objects.requireNonNull(newEntries);
    entries.read(Objects.requireNonNull(record, "record"));
    return write(operation, entries.primaryKey(), record, entries);
  }

  /** Inserts, upserts or puts a pair of a key-value store. */
  public final WriteOutcome writePair(Operation operation, Slice key, Slice value)
      throws StorageException {
    if (key.length() > maxKeyBytes || value.length() > maxValueBytes) {
      limits.requirePair(key, value);
    }
    return write(operation, key, value, null);
  }

  /**
   * Deletes the record with an encoded primary key, if there is one. The key may be longer than
   * that of a new record: limits bind what is written from now on, and what was written before has
   * to go, too. Such a one is always looked up, as in {@link #remove}.
   */
  public final WriteOutcome delete(Slice key) throws StorageException {
    return write(Operation.DELETE, Objects.requireNonNull(key, "key"), NOTHING, null);
  }

  /**
   * Takes a key out of a key-value store. One that is too long for a new pair is looked up first,
   * because only where it is there is it short enough for the log and the pages.
   */
  public final void remove(Slice key) throws StorageException {
    write(key.length() <= maxKeyBytes ? Operation.REMOVE : Operation.DELETE, key, NOTHING, null);
  }

  /**
   * Changes the record or value of an encoded key by what it is. What the change throws goes
   * through, and nothing is changed.
   *
   * @return what it met
   */
  public final WriteOutcome change(Slice key, Change made) throws StorageException {
    change = made;
    try {
      return write(Operation.CHANGE, Objects.requireNonNull(key, "key"), NOTHING, null);
    } finally {
      change = null;
    }
  }

  /** Reads a patch of a record, within the limits of records. */
  public final MergePatch readPatch(Slice json) throws StorageException {
    return MergePatch.read(Objects.requireNonNull(json, "patch"), limits);
  }

  /** Changes some fields of the record of an encoded primary key, if there is one. */
  public final WriteOutcome patch(Slice key, Slice json) throws StorageException {
    MergePatch merge = readPatch(json);
    return change(key, before -> before == null ? null : merge.applyTo(new Slice(before)));
  }

  /**
   * Changes a record: in the primary index first, then in each secondary index whose entry differs
   * between the old record and the new one. A key that belongs elsewhere is refused.
   *
   * <p>The components are entered with the lock held: a writer that entered one before it had the
   * lock could find that one sealed, and the key written by another in the next, and its own, later
   * change would be the older of the two.
   *
   * @param read entries of the new record; null for a pair, or when there is none
   */
  @SuppressWarnings("ReferenceEquality") // a partition keeps one schema as long as its indexes
  private WriteOutcome write(
      Operation operation, Slice key, Slice value, @Nullable RecordEntries read)
      throws StorageException {
    RecordEntries entries = read;
    long hash = KeyHash.hash(key);
    if (keys.selective) {
      keys.require(key, hash);
    }
    long resource = lifecycle.resource(hash);
    while (true) {
      PartitionIndexes indexes = enterPartition();
      try {
        if (indexes.schema != schema) {
          entries = following(indexes, entries, value);
        }
        if (admit(value.length())) {
          LockGrant grant = lock(key, resource);
          if (enterComponents(indexes)) {
            try {
              boolean looks = needsOldRecord() || key.length() > maxKeyBytes;
              WriteOutcome met = lookUp(looks ? operation : operation.blind(), key);
              if (met == WriteOutcome.PRESENT && oldEntries != null) {
                oldEntries.readStored(old, pins.primary());
              }
              boolean made = true;
              if (operation == Operation.CHANGE) {
                made = changeWhatIsThere(key, met);
              } else if (met != WriteOutcome.ABSENT || operation != Operation.DELETE) {
                cover(met, entries);
                logAndApply(operation, key, value, entries, met);
              }
              if (made) {
                return met;
              }
            } catch (StorageException | RuntimeException | Error refused) {
              if (undone(refused) && grant == LockGrant.ACQUIRED) {
                locks.release(owner, resource);
              }
              throw refused;
            }
          }
        }
      } finally {
        leave();
      }
      awaitAdmission();
    }
  }

  /** False, with nothing done, when there is no memory for what the record becomes. */
  private boolean changeWhatIsThere(Slice key, WriteOutcome met) throws StorageException {
    byte[] before = met == WriteOutcome.PRESENT ? old.value().toByteArray() : null;
    byte[] after = Objects.requireNonNull(change).of(before);
    if (Arrays.equals(before, after)) {
      return true;
    }
    if (after == null) {
      cover(met, null);
      logAndApply(Operation.DELETE, key, NOTHING, null, met);
      return true;
    }
    Slice value = new Slice(after);
    RecordEntries entries = newEntries;
    if (entries == null) {
      limits.requirePair(key, value);
    } else {
      entries.read(value);
      requireKey(key, entries.primaryKey());
    }
    boolean admitted = admit(after.length);
    if (admitted) {
      cover(met, entries);
      logAndApply(Operation.UPSERT, key, value, entries, met);
    }
    return admitted;
  }

  /** Refuses a change of a record that has given it another key. */
  public static void requireKey(Slice key, Slice after) throws RequestException {
    if (!after.sameBytes(key)) {
      throw new RequestException(
          RequestException.Reason.MALFORMED_RECORD,
          "an update of record "
              + Key.ofSlice(key)
              + " has returned one with primary key "
              + Key.ofSlice(after)
              + "; an update does not change the key: delete the one and insert the other");
    }
  }

  /** Enters the partition, which keeps its indexes open. */
  abstract PartitionIndexes enterPartition() throws StorageException;

  /**
   * Whether upserts and deletes look the old record up. Asked for each change, inside the partition
   * and with the key locked.
   */
  abstract boolean needsOldRecord();

  /** Whether there is memory for a change of so many bytes. */
  abstract boolean admit(int bytes) throws StorageException;

  /** Locks a key exclusively, which has a resource. */
  abstract LockGrant lock(Slice key, long resource) throws StorageException;

  /** Enters the memory component of each index; false when one takes no writers. */
  abstract boolean enterComponents(PartitionIndexes indexes);

  /** Appends the change to the log and carries it out in memory. */
  abstract void logAndApply(
      Operation operation,
      Slice key,
      Slice value,
      @Nullable RecordEntries entries,
      WriteOutcome met)
      throws StorageException;

  /**
   * Takes back what is left of a change that failed.
   *
   * @return whether its lock may be released: nothing is left of it that readers must not see
   */
  abstract boolean undone(Throwable cause);

  /** Leaves components and partition, if this writer stays in neither. */
  abstract void leave();

  /** Waits until there may be memory, or throws when this writer may not wait. */
  abstract void awaitAdmission() throws StorageException;

  /** Whether a record has the key, if that is asked; {@link #old} holds it then. */
  private WriteOutcome lookUp(Operation operation, Slice key) throws StorageException {
    if (!operation.looksUp()) {
      return WriteOutcome.UNKNOWN;
    }
    LsmIndex<KeyRange> asked = operation == Operation.INSERT ? pins.keys() : pins.primary();
    if (asked.find(key, old) == Origin.NOWHERE || old.antimatter()) {
      return WriteOutcome.ABSENT;
    }
    if (operation == Operation.INSERT) {
      throw new ConflictException(
          ConflictException.Reason.DUPLICATE_KEY,
          "a record with primary key "
              + Key.ofSlice(key)
              + " exists in "
              + lifecycle.descriptor().describe());
    }
    return WriteOutcome.PRESENT;
  }

  /** Changes all indexes in the active transaction, which is aborted when this throws. */
  final void logAndApplyAll(
      Operation operation,
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
    stamp.at(logAndPut(0, operation.logged, key, value));
    for (int secondary = 0; secondary < pins.secondaries(); secondary++) {
      changeSecondary(secondary, before, entries);
    }
  }

  /**
   * Has the component of the primary cover the record from before the change, which it will hide in
   * older ones, and the new one; and remembers both for the secondary indexes. A component that
   * hides what was not looked up says so instead.
   */
  private void cover(WriteOutcome met, @Nullable RecordEntries after) {
    if (!filtered) {
      return;
    }
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
  final void logBlindly(
      Operation operation, Slice key, Slice value, @Nullable RecordEntries entries)
      throws StorageException {
    stamp.at(transaction.update(firstIndexId, operation.logged, key, value));
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
  final void putBlindly(
      Operation operation, Slice key, Slice value, @Nullable RecordEntries entries, long lsn) {
    pins.put(0, operation.logged, key, value, lsn);
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

  /** Takes back in memory what the active transaction did, and ends it; its locks stay. */
  final void undo() throws StorageException {
    undo(node, transaction, index -> this, List.of(this));
  }

  /**
   * The same of a transaction with several writers.
   *
   * @param ofIndex the writer that has changed an index
   */
  static void undo(
      NodeContext node,
      Transaction transaction,
      IntFunction<RecordWriter> ofIndex,
      Collection<? extends RecordWriter> writers)
      throws StorageException {
    long lastLsn = transaction.lastLsn();
    try {
      transaction.abort(
          (index, operation, key, value) ->
              ofIndex.apply(index).pins.undoingAt(lastLsn).undo(index, operation, key, value));
    } catch (RuntimeException | Error e) {
      if (transaction.state() == Transaction.State.ACTIVE) {
        // A part of it may still be in memory: none of its components may ever be flushed.
        writers.forEach(writer -> writer.pins.stay());
        node.health().poison(e);
      }
      throw e;
    } finally {
      if (lastLsn >= 0) {
        writers.forEach(writer -> writer.lifecycle.retracted());
      }
    }
  }
}
