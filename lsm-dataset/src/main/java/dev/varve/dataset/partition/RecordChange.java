package dev.varve.dataset.partition;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.common.index.Origin;
import dev.varve.dataset.record.Key;
import dev.varve.dataset.record.RecordLimits;
import dev.varve.dataset.record.RecordSchema;
import dev.varve.transaction.Transaction;
import dev.varve.transaction.log.LogOperation;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One change of one record, carried out in all indexes of a partition: the primary first, then each
 * secondary whose entry differs between the old record and the new one. Confined to its session,
 * and reused.
 */
final class RecordChange {
  private static final Slice NOTHING = new Slice();

  /** Which records may be changed. */
  enum Reach {
    /** Those that belong to the partition. */
    OWN,
    /** Also those that belong elsewhere: for what takes them out. */
    ANY
  }

  private final PartitionHost host;
  private final Reach reach;
  private final PartitionConfig config;
  private final RecordLimits limits;
  private final @Nullable RecordEntries newEntries;
  private final @Nullable RecordEntries oldEntries;
  private final Slice key = new Slice();
  private final Slice value = new Slice();
  private final Entry old = new Entry();
  private long keyHash;
  private boolean recordRead;

  RecordChange(PartitionHost host, Reach reach) {
    this.host = host;
    this.reach = reach;
    this.config = host.config();
    this.limits = host.services().settings().limits();
    RecordSchema schema = config.schema();
    this.newEntries = schema == null ? null : new RecordEntries(schema, limits);
    this.oldEntries =
        schema == null || schema.secondaries().isEmpty() ? null : RecordEntries.ofStored(schema);
  }

  /** The encoded primary key of the record to change. */
  Slice key() {
    return key;
  }

  /** The lock that stands for that key. */
  long resource() {
    return host.resource(keyHash);
  }

  /**
   * Takes a new record, whose bytes stay until {@link #apply} has returned.
   *
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD}, or {@code
   *     WRONG_PARTITION} when its primary key belongs elsewhere
   */
  void setRecord(Slice record) throws StorageException {
    RecordEntries entries = newEntries;
    if (entries == null) {
      throw new IllegalStateException("a key-value store takes a key and a value");
    }
    entries.read(Objects.requireNonNull(record, "record"));
    take(entries.primaryKey());
    value.set(record.bytes(), record.offset(), record.length());
    recordRead = true;
  }

  /** Takes a pair, whose bytes stay until {@link #apply} has returned. */
  void setPair(Slice newKey, Slice newValue) throws StorageException {
    requirePairs();
    if (newValue.length() > limits.maxRecordBytes()) {
      throw new LimitException("value bytes", newValue.length(), limits.maxRecordBytes());
    }
    setKey(newKey);
    if (isLong()) {
      throw new LimitException("primary key bytes", key.length(), limits.maxKeyBytes());
    }
    value.set(newValue.bytes(), newValue.offset(), newValue.length());
  }

  /**
   * Takes the key of a record to delete. It may be longer than that of a new one: limits bind what
   * is written from now on, and what was written before has to go, too.
   *
   * @throws dev.varve.common.error.RequestException with {@code WRONG_PARTITION} when it belongs
   *     elsewhere
   */
  void setKey(Slice oldKey) throws StorageException {
    take(Objects.requireNonNull(oldKey, "key"));
    value.set(NOTHING.bytes(), 0, 0);
    recordRead = false;
  }

  /** Takes a key and hashes it, once: for its partition and for its lock. */
  private void take(Slice newKey) throws StorageException {
    long hash = KeyHash.hash(newKey);
    if (reach == Reach.OWN) {
      host.keys().require(newKey, hash);
    }
    key.set(newKey.bytes(), newKey.offset(), newKey.length());
    keyHash = hash;
  }

  /**
   * Takes the key of a pair that is taken out.
   *
   * @return how: one that is too long for a new pair is looked up first, because only where it is
   *     there is it short enough for the log and the pages
   */
  RecordOperation setRemoved(Slice oldKey) throws StorageException {
    requirePairs();
    setKey(oldKey);
    return isLong() ? RecordOperation.DELETE : RecordOperation.REMOVE;
  }

  private void requirePairs() {
    if (newEntries != null) {
      throw new IllegalStateException("a dataset takes records");
    }
  }

  private boolean isLong() {
    return key.length() > limits.maxKeyBytes();
  }

  /**
   * Carries the change out. The caller holds the exclusive lock on the key and is in the
   * components; when this throws it aborts the transaction, which undoes what was done so far.
   *
   * @throws ConflictException with {@code DUPLICATE_KEY}, before anything was done
   */
  WriteOutcome apply(
      RecordOperation operation,
      Transaction transaction,
      PartitionIndexes indexes,
      EnteredComponents components)
      throws StorageException {
    boolean present = find(operation, indexes);
    if (operation == RecordOperation.DELETE && !present) {
      return WriteOutcome.ABSENT;
    }
    if (present && oldEntries != null) {
      oldEntries.readStored(old, indexes.primary());
    }
    changePrimary(operation, present, transaction, components);
    for (int i = 0; i + 1 < indexes.size(); i++) {
      changeSecondary(i, present, transaction, components);
    }
    return present ? WriteOutcome.PRESENT : WriteOutcome.ABSENT;
  }

  /**
   * Carries the change out as a whole transaction of a partition without secondaries: one log
   * record, and nothing to undo, since nothing can fail between that record and the memory
   * component. The caller holds the exclusive lock on the key and is in the component.
   *
   * @throws ConflictException with {@code DUPLICATE_KEY}, before anything was done
   */
  WriteOutcome applyAlone(
      RecordOperation operation,
      Transaction transaction,
      PartitionIndexes indexes,
      EnteredComponents components)
      throws StorageException {
    boolean present = !operation.blind() && find(operation, indexes);
    if (operation == RecordOperation.DELETE && !present) {
      return WriteOutcome.ABSENT;
    }
    LogOperation logged = operation.logged();
    long lsn = transaction.commitAlone(config.indexId(0), logged, key, value);
    components.putAlone(logged, key, value, lsn);
    transaction.applied();
    return present ? WriteOutcome.PRESENT : WriteOutcome.ABSENT;
  }

  /**
   * Carries the change out in a partition without secondaries, and leaves the log out: it lasts
   * from the flush of its component on. The caller holds the exclusive lock on the key and is in
   * the component.
   *
   * @param lsn of the last record in the log, which no later operation lies below
   * @throws ConflictException with {@code DUPLICATE_KEY}, before anything was done
   */
  WriteOutcome applyUnlogged(
      RecordOperation operation, long lsn, PartitionIndexes indexes, EnteredComponents components)
      throws StorageException {
    boolean present = !operation.blind() && find(operation, indexes);
    if (operation != RecordOperation.DELETE || present) {
      components.putAlone(operation.logged(), key, value, lsn);
    }
    return present ? WriteOutcome.PRESENT : WriteOutcome.ABSENT;
  }

  /** Whether the record is there; {@code old} holds it then. */
  private boolean find(RecordOperation operation, PartitionIndexes indexes)
      throws StorageException {
    boolean present = indexes.primary().find(key, old) != Origin.NOWHERE && !old.antimatter();
    if (operation == RecordOperation.INSERT && present) {
      throw new ConflictException(
          ConflictException.Reason.DUPLICATE_KEY,
          "a record with primary key " + Key.ofSlice(key) + " exists in " + config.describe());
    }
    return present;
  }

  private void changePrimary(
      RecordOperation operation,
      boolean present,
      Transaction transaction,
      EnteredComponents components)
      throws StorageException {
    if (present) {
      transaction.willUndo(config.indexId(0), LogOperation.UPSERT, key, old.value());
    } else {
      transaction.willUndo(config.indexId(0), LogOperation.DELETE, key, NOTHING);
    }
    LogOperation logged = operation.logged();
    long lsn = transaction.update(config.indexId(0), logged, key, value);
    components.put(0, logged, key, value, lsn);
  }

  private void changeSecondary(
      int secondary, boolean present, Transaction transaction, EnteredComponents components)
      throws StorageException {
    RecordEntries before = present ? oldEntries : null;
    RecordEntries after = recordRead ? newEntries : null;
    boolean hadEntry = before != null && before.has(secondary);
    boolean hasEntry = after != null && after.has(secondary);
    Slice oldKey = before != null && hadEntry ? before.key(secondary) : NOTHING;
    Slice oldValue = before != null && hadEntry ? before.value(secondary) : NOTHING;
    Slice newKey = after != null && hasEntry ? after.key(secondary) : NOTHING;
    Slice newValue = after != null && hasEntry ? after.value(secondary) : NOTHING;
    if (hadEntry && hasEntry && oldKey.sameBytes(newKey) && oldValue.sameBytes(newValue)) {
      return;
    }
    int position = secondary + 1;
    int index = config.indexId(position);
    if (hadEntry) {
      transaction.willUndo(index, LogOperation.INSERT, oldKey, oldValue);
      long lsn = transaction.update(index, LogOperation.DELETE, oldKey, NOTHING);
      components.put(position, LogOperation.DELETE, oldKey, NOTHING, lsn);
    }
    if (hasEntry) {
      transaction.willUndo(index, LogOperation.DELETE, newKey, NOTHING);
      long lsn = transaction.update(index, LogOperation.INSERT, newKey, newValue);
      components.put(position, LogOperation.INSERT, newKey, newValue, lsn);
    }
  }
}
