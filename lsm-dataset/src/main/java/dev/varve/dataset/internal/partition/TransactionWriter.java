package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.Origin;
import dev.varve.dataset.internal.value.LargeValues;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.transaction.lock.LockGrant;
import dev.varve.transaction.lock.LockMode;
import dev.varve.transaction.log.LogOperation;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a transaction in one partition. It holds the partition, the components and its
 * locks until the transaction ends. A record that is refused for what it is leaves the transaction
 * as it was; any other failure aborts it. Confined to the transaction's thread.
 */
public final class TransactionWriter extends RecordWriter {
  /** What an entry of an index takes of the memory beside the bytes of the record, about. */
  private static final long ENTRY_BYTES = 64;

  /** A transaction is small whose changes take no more than this part of the memory. */
  private static final int SMALL_PART = 8;

  private final NodeTransaction whole;
  private final PartitionIndexes indexes;
  private final OpenHandles.Handle handle;

  /** Bytes of the present change, and of those that were carried out. */
  private long bytesWithThis;

  private long writtenBytes;

  /** Whether there is room in memory for the present change, or it is too small to matter. */
  private boolean room;

  /** Keys that are locked exclusively and were not changed yet. */
  private final Set<Long> unchanged = new HashSet<>();

  /** Keys that are locked exclusively. */
  private final List<Key> held = new ArrayList<>();

  /** Whether {@link #old} has what was read for an update last, and nothing was changed since. */
  private boolean known;

  /** Whether a key may have been changed twice, so that readers may have seen it in between. */
  private boolean changedTwice;

  /** Enters a partition; it is left by {@link #leaveComponents} and by the partition's users. */
  TransactionWriter(NodeTransaction whole, PartitionLifecycle lifecycle, WriterPins pins)
      throws StorageException {
    super(lifecycle, lifecycle.keys(), pins, whole.identity());
    this.whole = whole;
    this.indexes = lifecycle.enterWrite();
    this.handle = lifecycle.handles().opened(OpenHandles.Kind.TRANSACTION, whole.revocation());
  }

  // ---- The owner's calls

  /** Inserts or upserts a record of a dataset. */
  public WriteOutcome changeRecord(Operation operation, Slice record) throws StorageException {
    whole.beginCall();
    try {
      return writeRecord(operation, record);
    } finally {
      whole.endCall();
    }
  }

  /** Inserts or upserts a pair of a key-value store. */
  public WriteOutcome changePair(Operation operation, Slice key, Slice value)
      throws StorageException {
    whole.beginCall();
    try {
      return writePair(operation, key, value);
    } finally {
      whole.endCall();
    }
  }

  /** Deletes the record with an encoded primary key, if there is one. */
  public WriteOutcome deleteKey(Slice key) throws StorageException {
    whole.beginCall();
    try {
      return delete(key);
    } finally {
      whole.endCall();
    }
  }

  /**
   * Reads a record under a lock that is held to the end, own changes included; one that is read
   * shared by a transaction as of a moment is read as of it, and not locked.
   *
   * @param mode exclusive for a record that this transaction will change: of two that read it
   *     shared before they change it, each would wait for the other, and one would be aborted
   */
  public boolean get(Slice key, LockMode mode, Entry found) throws StorageException {
    whole.beginCall();
    try {
      long hash = KeyHash.hash(key);
      lifecycle.keys().require(key, hash);
      long resource = lifecycle.resource(hash);
      if (mode == LockMode.SHARED && whole.view().moment() != null) {
        return new RecordLookup(lifecycle, whole.view()).find(indexes.primary(), key, found);
      }
      if (lock(key, resource, mode) != LockGrant.HELD && mode == LockMode.EXCLUSIVE) {
        unchanged.add(resource);
      }
      boolean there = indexes.primary().find(key, found) != Origin.NOWHERE && !found.antimatter();
      if (mode == LockMode.EXCLUSIVE) {
        know(key, found, there);
      }
      return there && (form.isPlain(found) || form.shows(found, form.now()));
    } finally {
      whole.endCall();
    }
  }

  /** Keeps what was read for an update: while the key is locked, nobody else changes it. */
  private void know(Slice key, Entry found, boolean there) {
    old.key().copyOf(key);
    if (there) {
      old.value().copyOf(found.value());
    }
    old.antimatter(!there);
    known = true;
  }

  @Override
  boolean isKnown(Slice key) {
    boolean same = known && old.key().sameBytes(key);
    known = false;
    return same;
  }

  // ---- The steps of a change

  @Override
  PartitionIndexes enterPartition() throws StorageException {
    node.health().requireWritable();
    return indexes;
  }

  /** What was committed last is what readers see until the end, and what an abort brings back. */
  @Override
  boolean needsOldRecord() {
    return true;
  }

  /** Without room going on makes the components a little larger; see {@link #enterComponents}. */
  @Override
  boolean admit(int bytes) {
    bytesWithThis = bytes + ENTRY_BYTES * indexes.size();
    room = lifecycle.admission().hasRoomFor(bytes + ENTRY_BYTES) || mayGoOverBudget();
    return true;
  }

  /**
   * Whether it goes on when there is no room: one that is small against the memory does, since it
   * ends soon and is not what fills it, unless many such take it to twice its size.
   */
  private boolean mayGoOverBudget() {
    long budget = lifecycle.admission().buffer().budgetBytes();
    return datasetBytes() <= budget / SMALL_PART
        && lifecycle.admission().memoryInUse() < 2 * budget;
  }

  /** Bytes of the transaction's changes in this dataset, the present one included. */
  private long datasetBytes() {
    return whole.writtenBytes(lifecycle.admission()) + bytesWithThis;
  }

  @Override
  LockGrant lock(Slice key, long resource) throws StorageException {
    LockGrant grant = lock(key, resource, LockMode.EXCLUSIVE);
    if (grant == LockGrant.HELD) {
      changedTwice |= !unchanged.remove(resource);
    }
    return grant;
  }

  private LockGrant lock(Slice key, long resource, LockMode mode) throws StorageException {
    try {
      LockGrant grant = lifecycle.locked().lock(owner, key, resource, mode);
      if (mode == LockMode.EXCLUSIVE && grant != LockGrant.HELD) {
        Key kept = Key.ofSlice(key);
        held.add(kept);
        lifecycle.locked().locked(kept, whole.opening());
        requireUnchanged(kept);
      }
      return grant;
    } catch (ConflictException e) {
      whole.abortFor(e);
      throw e;
    }
  }

  /** Of two transactions that change a record as of one moment, the first to commit wins. */
  private void requireUnchanged(Key key) throws ConflictException {
    Snapshots.Moment moment = whole.view().moment();
    if (moment != null) {
      boolean changed = lifecycle.saved().of(key.toSlice(), moment) != null;
      moment.requireOpen();
      if (changed) {
        throw new ConflictException(
            ConflictException.Reason.WRITE_CONFLICT,
            "record "
                + key
                + " in "
                + lifecycle.descriptor().describe()
                + " was changed by another since the transaction began, which was aborted; it may"
                + " be tried again");
      }
    }
  }

  /** False also when their flush waits behind one that waits for this transaction. */
  @Override
  boolean enterComponents(PartitionIndexes open) {
    return pins.enter(open) && (room || !pins.holdUpFlush());
  }

  @Override
  void leave() {
    // It stays to its end.
  }

  /** It cannot wait for a flush that waits for it. */
  @Override
  void awaitAdmission() throws StorageException {
    StorageException full = tooLarge(datasetBytes());
    whole.abortFor(full);
    throw full;
  }

  /** Trying again what takes most of the memory by itself would come no further. */
  private StorageException tooLarge(long bytes) {
    long limit = lifecycle.admission().buffer().budgetBytes() / 2;
    if (bytes > limit) {
      return new LimitException(
          "bytes of the changes of a transaction in '"
              + lifecycle.descriptor().options().name()
              + "'",
          bytes,
          limit);
    }
    return new ConflictException(
        ConflictException.Reason.STALLED,
        "the changes of a transaction in "
            + lifecycle.descriptor().describe()
            + " fill the memory, and its flush would wait for the transaction; it was aborted");
  }

  @Override
  void logAndApply(
      Operation operation,
      Slice key,
      Slice value,
      @Nullable RecordEntries entries,
      WriteOutcome met)
      throws StorageException {
    lifecycle.locked().changing(key, met == WriteOutcome.PRESENT ? old.value() : null);
    changes.logAndApplyAll(operation.logged, key, value, entries, met);
    writtenBytes += bytesWithThis;
  }

  /**
   * A duplicate was refused before anything was done; what fails in its middle aborts all, whatever
   * it is: an owner who catches exhausted memory and commits would commit half of a change.
   */
  @Override
  boolean undone(Throwable cause) {
    if (!(cause instanceof ConflictException)) {
      whole.abortFor(cause);
    }
    return false;
  }

  // ---- Called by the transaction

  /** Bytes that its changes take of the dataset's memory, about. */
  long writtenBytes() {
    return writtenBytes;
  }

  /** Whether an index is one of this partition. */
  boolean changes(int index) {
    return indexes.positionOf(index) >= 0;
  }

  /**
   * Carries out the inverse of an operation while the transaction goes on: logged, so that a redo
   * of the committed transaction does it, too.
   */
  void takeBack(int index, LogOperation inverse, Slice key, Slice value) throws StorageException {
    assert changes(index) : "an index of another partition";
    known = false;
    Slice restored = pins.undoingAt(transaction.lastLsn()).restored(index, inverse, value);
    long lsn = transaction.update(index, inverse, key, restored);
    pins.undoingAt(lsn).takeBack(index, inverse, key, restored);
    writtenBytes += key.length() + restored.length() + ENTRY_BYTES;
    changedTwice = true;
  }

  /** Whether an index is the primary index of this partition. */
  boolean isPrimary(int index) {
    return index == firstIndexId;
  }

  /** Until the end nobody may see the reference to what was written for a large value. */
  @Override
  Slice formed(Slice value) throws StorageException {
    LargeValues apart = form.large();
    if (apart != null && apart.takes(value)) {
      apart.hold(this);
    }
    return super.formed(value);
  }

  /** The components may be flushed. */
  void leaveComponents() {
    LargeValues apart = form.large();
    if (apart != null) {
      apart.letGo(this);
    }
    lifecycle.handles().closed(handle);
    pins.exit();
    lifecycle.admission().written();
  }

  /** The changes are committed, and readers will see them once they are unlocked. */
  void committed() {
    if (changedTwice) {
      lifecycle.retracted();
    }
  }

  /** Keeps what was committed before for a moment that does not see the changes. */
  void saveFor(long moment) {
    for (Key key : held) {
      LockedRecords.Version before = lifecycle.locked().of(key.toSlice());
      if (before != null && before.changed()) {
        lifecycle.saved().save(key, moment, before.value());
      }
    }
  }

  /** Readers see from now on what the indexes have. */
  void unlocked() {
    lifecycle.locked().unlocked(held);
    held.clear();
  }
}
