package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.Origin;
import dev.varve.dataset.internal.value.LargeValues;
import dev.varve.dataset.kind.MergePatch;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.KeyValueOptions.Operator;
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
    /**
     * An operand, combined with what is there when that is read; only of stores with an operator.
     */
    MERGE(LogOperation.MERGE),
    /** A delete of a record that has come to its end, and of no other. */
    EXPIRE(LogOperation.DELETE),
    /** An upsert or a delete, whichever a {@link Change} makes of the record that is there. */
    CHANGE(LogOperation.UPSERT);

    final LogOperation logged;

    Operation(LogOperation logged) {
      this.logged = logged;
    }

    private boolean looksUp() {
      return this != PUT && this != REMOVE && this != MERGE;
    }

    /** The same change without a look at the old record. */
    Operation blind() {
      return switch (this) {
        case UPSERT -> PUT;
        case DELETE -> REMOVE;
        case INSERT, PUT, REMOVE, MERGE, EXPIRE, CHANGE -> this;
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
  final PartitionKeys keys;
  final RecordLimits limits;
  private final int maxKeyBytes;
  private final int maxValueBytes;
  final int firstIndexId;

  /** What records or values are stored as. */
  final StoredForm form;

  /** Bytes from which on a value may be stored in another form; 0 when all are. */
  private final int largeFrom;

  /** What operands do to values; null where there are none. */
  private final @Nullable Operator operator;

  /** Whether the record that the present change has met had ended, and is none to its caller. */
  private boolean metExpired;

  private final Slice storedValue = new Slice();

  /** What records are read by; null for a key-value store. */
  @Nullable RecordSchema schema;

  /** What the present operation makes of the record that is there, if it is a change. */
  private @Nullable Change change;

  /** Whether that is given what is stored, and returns such. */
  private boolean moving;

  /** The record that the look-up of the present change has found. */
  final Entry old = new Entry();

  /** Carries a change into all indexes. */
  final EntryWriter changes;

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
    this.limits = node.limitsOf(lifecycle.descriptor().dataset());
    this.maxKeyBytes = limits.maxKeyBytes();
    this.maxValueBytes = limits.maxRecordBytes();
    this.firstIndexId = lifecycle.descriptor().indexId(0);
    this.form = lifecycle.form;
    this.largeFrom = form.largeFrom();
    this.operator = lifecycle.descriptor().dataset().kind().operator();
    this.schema = lifecycle.schema();
    this.owner = identity.owner();
    this.transaction = identity.transaction();
    this.changes = new EntryWriter(lifecycle, pins, transaction, old);
  }

  /** Reads the new record again: indexes were added or dropped since the change before. */
  private @Nullable RecordEntries following(
      PartitionIndexes indexes, @Nullable RecordEntries entries, Slice record)
      throws StorageException {
    schema = indexes.schema;
    changes.readBy(schema);
    return entries == null ? null : changes.read(record);
  }

  /** Inserts or upserts a record of a dataset. */
  public final WriteOutcome writeRecord(Operation operation, Slice record) throws StorageException {
    RecordEntries entries = changes.read(Objects.requireNonNull(record, "record"));
    return write(operation, entries.primaryKey(), record, entries);
  }

  /** Inserts, upserts or puts a pair of a key-value store. */
  public final WriteOutcome writePair(Operation operation, Slice key, Slice value)
      throws StorageException {
    if (key.length() > maxKeyBytes || value.length() > maxValueBytes) {
      limits.requirePair(key, value);
    }
    if (operator != null) {
      operator.require(value);
    }
    return write(operation, key, value, null);
  }

  /**
   * What operands do to values here.
   *
   * @throws RequestException with {@code UNSUPPORTED} where there are none
   */
  public final Operator operator() throws RequestException {
    Operator there = operator;
    if (there == null) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "'"
              + lifecycle.descriptor().options().name()
              + "' has no operator, by which operands are merged; it is said when a key-value store"
              + " is created. modify changes a value of any store");
    }
    return there;
  }

  /** Refuses a pair that is put, or an operand of one. */
  final void requirePair(Slice key, Slice value) throws StorageException {
    limits.requirePair(key, value);
    if (operator != null) {
      operator.require(value);
    }
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

  /** Deletes the record with an encoded primary key if it has ended and nobody is changing it. */
  final void deleteExpired(Slice key) throws StorageException {
    if (!locks.exclusivelyLockedByOther(lifecycle.resource(KeyHash.hash(key)), owner)) {
      write(Operation.EXPIRE, key, NOTHING, null);
    }
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

  /**
   * Stores what is stored under a key in another way, if nobody is changing it.
   *
   * @param moved is given what is stored, and returns what has to be stored in its place
   */
  final void move(Slice key, Change moved) throws StorageException {
    if (!locks.exclusivelyLockedByOther(lifecycle.resource(KeyHash.hash(key)), owner)) {
      moving = true;
      try {
        change(key, moved);
      } finally {
        moving = false;
      }
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
        if (admit(storedBytes(value))) {
          LockGrant grant = lock(key, resource);
          if (enterComponents(indexes)) {
            try {
              boolean looks = needsOldRecord() || key.length() > maxKeyBytes;
              WriteOutcome met = lookUp(looks ? operation : operation.blind(), key);
              if (met == WriteOutcome.PRESENT) {
                changes.readOld();
              }
              boolean made = true;
              if (operation == Operation.CHANGE) {
                made = changeWhatIsThere(key, met);
              } else if (isDue(operation, met)) {
                cover(met, entries);
                logAndApply(operation, key, stored(operation, value), entries, met);
              }
              if (made) {
                return metExpired ? WriteOutcome.ABSENT : met;
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

  /** Whether there is something to do, by what was met. */
  private boolean isDue(Operation operation, WriteOutcome met) {
    return switch (operation) {
      case DELETE -> met != WriteOutcome.ABSENT;
      case EXPIRE -> metExpired;
      default -> true;
    };
  }

  /** False, with nothing done, when there is no memory for what the record becomes. */
  private boolean changeWhatIsThere(Slice key, WriteOutcome met) throws StorageException {
    byte[] before = met == WriteOutcome.PRESENT ? oldValue() : null;
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
    RecordEntries entries = null;
    if (schema == null && !moving) {
      // What is only moved was within the limits of its time.
      requirePair(key, value);
    } else if (schema != null) {
      entries = changes.read(value);
      requireKey(key, entries.primaryKey());
    }
    boolean admitted = admit(storedBytes(value));
    if (admitted) {
      cover(met, entries);
      Slice made = moving ? value : stored(Operation.UPSERT, value);
      logAndApply(Operation.UPSERT, key, made, entries, met);
    }
    return admitted;
  }

  /**
   * What is stored of a value or record that lives from now on, with its key locked. A large value
   * is written by this, to where nobody looks unless the change is made.
   */
  private Slice stored(Operation operation, Slice value) throws StorageException {
    return isStoredAsPut(value) || operation.logged == LogOperation.DELETE ? value : formed(value);
  }

  /** The form in which a value is stored that is not stored as it is put. */
  Slice formed(Slice value) throws StorageException {
    return form.stored(value, storedValue);
  }

  private int storedBytes(Slice value) {
    return isStoredAsPut(value) ? value.length() : form.storedBytes(value);
  }

  /** Nearly always, and without a look at more than this. */
  private boolean isStoredAsPut(Slice value) {
    int length = value.length();
    return length < largeFrom && length != LargeValues.REFERENCE_BYTES;
  }

  /** The value that the present change has met; null when its life has ended. */
  private byte @Nullable [] oldValue() throws StorageException {
    if (moving || form.isPlain(old)) {
      return old.value().toByteArray();
    }
    Entry shown = new Entry();
    shown.value().set(old.value().bytes(), old.value().offset(), old.value().length());
    // Its key is locked, so that nobody replaces it.
    return !metExpired && form.shows(shown, Long.MIN_VALUE) ? shown.value().toByteArray() : null;
  }

  private void cover(WriteOutcome met, @Nullable RecordEntries after) {
    if (changes.filtered) {
      changes.cover(met, after);
    }
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

  /**
   * Whether {@link #old} has what there is of a key already, antimatter where there is nothing.
   * Asked once for each change, after which nothing is known.
   */
  boolean isKnown(Slice key) {
    return false;
  }

  /** Leaves components and partition, if this writer stays in neither. */
  abstract void leave();

  /** Waits until there may be memory, or throws when this writer may not wait. */
  abstract void awaitAdmission() throws StorageException;

  /**
   * Whether a record has the key, if that is asked; {@link #old} holds it then. One whose life has
   * ended counts, since its entries have to go, and is hidden from the caller.
   */
  private WriteOutcome lookUp(Operation operation, Slice key) throws StorageException {
    metExpired = false;
    boolean known = isKnown(key);
    if (!operation.looksUp()) {
      return WriteOutcome.UNKNOWN;
    }
    boolean keyTells = operation == Operation.INSERT && form.expiry() == null;
    LsmIndex<KeyRange> asked = keyTells ? pins.keys() : pins.primary();
    if ((!known && asked.find(key, old) == Origin.NOWHERE) || old.antimatter()) {
      return WriteOutcome.ABSENT;
    }
    Expiry expiry = form.expiry();
    metExpired = expiry != null && expiry.isExpired(old, expiry.now());
    if (operation == Operation.INSERT && !metExpired) {
      throw new ConflictException(
          ConflictException.Reason.DUPLICATE_KEY,
          "a record with primary key "
              + Key.ofSlice(key)
              + " exists in "
              + lifecycle.descriptor().describe());
    }
    return WriteOutcome.PRESENT;
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
