package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.Origin;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.transaction.lock.LockGrant;
import dev.varve.transaction.lock.LockMode;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a transaction over several records: all of them or none. It holds the partition,
 * the components and its locks to the end. A record that is refused for what it is leaves the
 * transaction as it was; any other failure aborts it. Each of the owner's calls is between {@link
 * #beginCall} and {@link #endCall}, so that an engine that closes, or the watchdog, can end what
 * the owner has left open. Confined to one thread otherwise.
 */
public final class TransactionWriter extends RecordWriter implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(TransactionWriter.class);

  /** What an entry of an index takes of the memory beside the bytes of the record, about. */
  private static final long ENTRY_BYTES = 64;

  /** A transaction is small whose changes take no more than this part of the memory. */
  private static final int SMALL_PART = 8;

  private final Durability durability;
  private final PartitionIndexes indexes;
  private final Revocation revocation = new Revocation(this::endByForce);
  private final OpenHandles.Handle handle;
  private final OpenTransactions.OpenTransaction opening;

  /** Bytes of its changes, the present one included, and of those that were carried out. */
  private long bytesWithThis;

  private long writtenBytes;

  /** Whether there is room in memory for the present change, or it is too small to matter. */
  private boolean room;

  /** Keys that are locked exclusively and were not changed yet. */
  private final Set<Long> unchanged = new HashSet<>();

  /** Keys that are locked exclusively. */
  private final List<Key> held = new ArrayList<>();

  /** Whether a key may have been changed twice, so that readers may have seen it in between. */
  private boolean changedTwice;

  private boolean ended;

  TransactionWriter(PartitionLifecycle lifecycle, Durability durability) throws StorageException {
    this(lifecycle, durability, lifecycle.newPins());
  }

  /** The same, with pins of its own, for tests. */
  TransactionWriter(PartitionLifecycle lifecycle, Durability durability, WriterPins pins)
      throws StorageException {
    super(lifecycle, lifecycle.keys(), pins);
    this.durability = durability;
    boolean begun = false;
    revocation.beginCall();
    try {
      lifecycle.admission().await();
      this.indexes = lifecycle.enterWrite();
      OpenHandles.Handle opened = null;
      try {
        opened = lifecycle.handles().opened(OpenHandles.Kind.TRANSACTION, revocation);
        this.handle = opened;
        transaction.begin();
        this.opening =
            node.openTransactions().begun(transaction, lifecycle.descriptor(), revocation);
        begun = true;
      } finally {
        if (!begun) {
          if (opened != null) {
            lifecycle.handles().closed(opened);
          }
          lifecycle.users().leaveWrite();
        }
      }
    } finally {
      if (begun) {
        revocation.endCall();
      } else {
        transaction.close();
      }
    }
  }

  // ---- The owner's calls

  /** Inserts or upserts a record of a dataset. */
  public WriteOutcome changeRecord(Operation operation, Slice record) throws StorageException {
    beginCall();
    try {
      return writeRecord(operation, record);
    } finally {
      endCall();
    }
  }

  /** Inserts or upserts a pair of a key-value store. */
  public WriteOutcome changePair(Operation operation, Slice key, Slice value)
      throws StorageException {
    beginCall();
    try {
      return writePair(operation, key, value);
    } finally {
      endCall();
    }
  }

  /** Deletes the record with an encoded primary key, if there is one. */
  public WriteOutcome deleteKey(Slice key) throws StorageException {
    beginCall();
    try {
      return delete(key);
    } finally {
      endCall();
    }
  }

  /**
   * Reads a record under a lock that is held to the end, own changes included.
   *
   * @param mode exclusive for a record that this transaction will change: of two that read it
   *     shared before they change it, each would wait for the other, and one would be aborted
   */
  public boolean get(Slice key, LockMode mode, Entry found) throws StorageException {
    beginCall();
    try {
      long hash = KeyHash.hash(key);
      lifecycle.keys().require(key, hash);
      long resource = lifecycle.resource(hash);
      if (lock(key, resource, mode) != LockGrant.HELD && mode == LockMode.EXCLUSIVE) {
        unchanged.add(resource);
      }
      return indexes.primary().find(key, found) != Origin.NOWHERE && !found.antimatter();
    } finally {
      endCall();
    }
  }

  /** Whether neither commit nor abort has ended it. */
  public boolean active() {
    return !revocation.revoked() && !ended;
  }

  /**
   * Makes all changes durable together and releases the locks.
   *
   * @throws OutcomeUnknownException when the log failed on the way; the records stay locked
   */
  public void commit() throws StorageException {
    beginCall();
    try {
      commitNow();
    } finally {
      endCall();
    }
  }

  /** Takes all changes back and releases the locks; idempotent. */
  public void abort() throws StorageException {
    if (!revocation.beginCall()) {
      return;
    }
    try {
      abortNow();
    } finally {
      endCall();
    }
  }

  /** Aborts unless committed; idempotent. */
  @Override
  public void close() throws StorageException {
    abort();
  }

  /** The owner begins a call, which ends with {@link #endCall} unless this throws. */
  private void beginCall() throws ConflictException {
    if (!revocation.beginCall()) {
      if (opening.timedOut()) {
        throw new ConflictException(
            ConflictException.Reason.TRANSACTION_TIMED_OUT,
            opening.overdue() + " and was aborted; it holds nothing any more");
      }
      throw new ConflictException(
          ConflictException.Reason.ABORTED,
          "the engine was closed while a transaction in "
              + lifecycle.descriptor().describe()
              + " was open; it was aborted");
    }
    boolean active = false;
    try {
      node.health().requireOpen();
      if (ended) {
        throw new IllegalStateException("the transaction has ended");
      }
      active = true;
    } finally {
      if (!active) {
        endCall();
      }
    }
  }

  private void endCall() {
    revocation.endCall();
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
    bytesWithThis = writtenBytes + bytes + ENTRY_BYTES * indexes.size();
    room = lifecycle.admission().hasRoomFor(bytes + ENTRY_BYTES) || mayGoOverBudget(bytesWithThis);
    return true;
  }

  /**
   * Whether it goes on when there is no room: one that is small against the memory does, since it
   * ends soon and is not what fills it, unless many such take it to twice its size.
   */
  private boolean mayGoOverBudget(long bytes) {
    long budget = lifecycle.admission().buffer().budgetBytes();
    return bytes <= budget / SMALL_PART && lifecycle.admission().memoryInUse() < 2 * budget;
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
        lifecycle.locked().locked(kept, opening);
      }
      return grant;
    } catch (ConflictException e) {
      abortFor(e);
      throw e;
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
    StorageException full = tooLarge(bytesWithThis);
    abortFor(full);
    throw full;
  }

  /** Trying again what takes most of the memory by itself would come no further. */
  private StorageException tooLarge(long bytes) {
    long limit = lifecycle.admission().buffer().budgetBytes() / 2;
    if (bytes > limit) {
      return new LimitException(
          "bytes of the changes of a transaction in " + lifecycle.descriptor().describe(),
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
    logAndApplyAll(operation, key, value, entries, met);
    writtenBytes = bytesWithThis;
  }

  /**
   * A duplicate was refused before anything was done; what fails in its middle aborts all, whatever
   * it is: an owner who catches exhausted memory and commits would commit half of a change.
   */
  @Override
  boolean undone(Throwable cause) {
    if (!(cause instanceof ConflictException)) {
      abortFor(cause);
    }
    return false;
  }

  // ---- Its end

  private void commitNow() throws StorageException {
    long commitLsn;
    try {
      commitLsn = transaction.commit();
    } catch (OutcomeUnknownException e) {
      endKeepingLocks();
      throw e;
    } catch (StorageException e) {
      abortFor(e);
      throw e;
    }
    end();
    if (commitLsn >= 0) {
      // When this throws, the locks stay: no reader may see what may not survive.
      node.log().await(commitLsn, durability);
    }
    if (changedTwice) {
      lifecycle.retracted();
    }
    unlock();
  }

  /** Readers see from now on what the indexes have. */
  private void unlock() {
    lifecycle.locked().unlocked(held);
    held.clear();
    locks.releaseAll(owner);
  }

  private void abortNow() throws StorageException {
    if (ended) {
      return;
    }
    try {
      undo();
    } finally {
      try {
        end();
      } finally {
        unlock();
      }
    }
  }

  private void abortFor(Throwable cause) {
    try {
      abortNow();
    } catch (StorageException | RuntimeException | Error second) {
      if (second != cause) {
        cause.addSuppressed(second);
      }
    }
  }

  private void endKeepingLocks() throws StorageException {
    try {
      undo();
    } finally {
      end();
    }
  }

  private void end() {
    ended = true;
    lifecycle.handles().closed(handle);
    node.openTransactions().ended(opening);
    pins.exit();
    lifecycle.admission().written();
    try {
      transaction.close();
    } finally {
      lifecycle.users().leaveWrite();
    }
  }

  // ---- Called by the engine

  /** Aborts for an engine that closes, or for the time that it was open. */
  private void endByForce() {
    try {
      abortNow();
    } catch (StorageException e) {
      LOGGER.warn("a transaction in {} was aborted", lifecycle.descriptor().describe(), e);
    }
  }
}
