package dev.varve.dataset.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.common.index.Origin;
import dev.varve.transaction.Transaction;
import dev.varve.transaction.lock.LockGrant;
import dev.varve.transaction.lock.LockMode;
import dev.varve.transaction.lock.LockOwner;
import dev.varve.transaction.log.Durability;
import java.util.HashSet;
import java.util.Set;

/**
 * A transaction over several records of a partition: all of them or none. It holds its locks to the
 * end. A record that is refused for what it is (duplicate, malformed, over a limit) leaves the
 * transaction as it was; any other failure aborts it: a deadlock, a lock time-out, a full disk, or
 * more changes than the dataset's memory takes. {@link #close} without {@link #commit} aborts.
 * While it is open, its changes hold up flushes; it is meant to be short. Confined to one thread.
 */
public final class TransactionScope implements AutoCloseable {
  private final PartitionHost host;
  private final PartitionServices services;
  private final Durability durability;
  private final Transaction transaction;
  private final LockOwner owner;
  private final RecordChange change;
  private final EnteredComponents components;
  private final PartitionIndexes indexes;
  private long writtenBytes;

  /** What is locked exclusively and was not changed yet. */
  private final Set<Long> unchanged = new HashSet<>();

  /** Whether a key may have been changed twice, so that readers may have seen it in between. */
  private boolean changedTwice;

  private boolean ended;

  @SuppressWarnings("MustBeClosedChecker") // the transaction is closed when this ends
  TransactionScope(PartitionHost host, Durability durability) throws StorageException {
    this.host = host;
    this.services = host.services();
    this.durability = durability;
    this.change = new RecordChange(host.config(), services.settings().limits());
    this.components = new EnteredComponents(host.config().indexId(0));
    this.owner = services.locks().newOwner();
    host.gate().await();
    this.indexes = host.enterWrite();
    this.transaction = services.transactions().open().begin();
  }

  /** Inserts a record of a dataset; a duplicate key is refused. */
  public void insert(Slice record) throws StorageException {
    requireActive();
    change.setRecord(record);
    write(RecordOperation.INSERT, record.length());
  }

  /** Inserts a record of a dataset or replaces the one with its primary key. */
  public WriteOutcome upsert(Slice record) throws StorageException {
    requireActive();
    change.setRecord(record);
    return write(RecordOperation.UPSERT, record.length());
  }

  /** Inserts a pair into a key-value store; a duplicate key is refused. */
  public void insert(Slice key, Slice value) throws StorageException {
    requireActive();
    change.setPair(key, value);
    write(RecordOperation.INSERT, value.length());
  }

  /** Inserts a pair into a key-value store or replaces the one with its key. */
  public WriteOutcome upsert(Slice key, Slice value) throws StorageException {
    requireActive();
    change.setPair(key, value);
    return write(RecordOperation.UPSERT, value.length());
  }

  /** Deletes the record with an encoded primary key, if there is one. */
  public WriteOutcome delete(Slice key) throws StorageException {
    requireActive();
    change.setKey(key);
    return write(RecordOperation.DELETE, 0);
  }

  /** Reads a record under a shared lock that is held to the end, own changes included. */
  public boolean get(Slice key, Entry found) throws StorageException {
    requireActive();
    lock(key, LockMode.SHARED);
    return find(key, found);
  }

  /**
   * Reads a record that this transaction will change: under the lock that the change takes. Of two
   * that read with {@link #get} before they change the same record, each would wait for the other
   * to let go, and one would be aborted.
   */
  public boolean getForUpdate(Slice key, Entry found) throws StorageException {
    requireActive();
    if (lock(key, LockMode.EXCLUSIVE) != LockGrant.HELD) {
      unchanged.add(host.resource(key));
    }
    return find(key, found);
  }

  private boolean find(Slice key, Entry found) throws StorageException {
    return indexes.primary().find(key, found) != Origin.NOWHERE && !found.antimatter();
  }

  /** Whether neither commit nor abort has ended it. */
  public boolean active() {
    return !ended;
  }

  /**
   * Makes all changes durable together and releases the locks.
   *
   * @throws OutcomeUnknownException when the log failed on the way; the records stay locked
   */
  public void commit() throws StorageException {
    requireActive();
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
    leave();
    if (commitLsn >= 0) {
      // When this throws, the locks stay: nobody may read what may not survive.
      services.log().await(commitLsn, durability);
    }
    if (changedTwice) {
      host.retracted();
    }
    services.locks().releaseAll(owner);
  }

  /** Takes all changes back and releases the locks; idempotent. */
  public void abort() throws StorageException {
    if (ended) {
      return;
    }
    try {
      host.abort(transaction, components);
    } finally {
      leave();
      services.locks().releaseAll(owner);
    }
  }

  /** Aborts unless committed; idempotent. */
  @Override
  public void close() throws StorageException {
    abort();
  }

  private void requireActive() {
    services.health().requireOpen();
    if (ended) {
      throw new IllegalStateException("the transaction has ended");
    }
  }

  private WriteOutcome write(RecordOperation operation, int bytes) throws StorageException {
    services.health().requireWritable();
    writtenBytes += bytes + 64L;
    boolean room = host.gate().hasRoomFor(bytes + 64L);
    if (lock(change.key(), LockMode.EXCLUSIVE) == LockGrant.HELD) {
      changedTwice |= !unchanged.remove(host.resource(change.key()));
    }
    enterComponents(room);
    try {
      return change.apply(operation, transaction, indexes, components);
    } catch (ConflictException duplicate) {
      // Refused before anything was done.
      throw duplicate;
    } catch (StorageException e) {
      abortFor(e);
      throw e;
    }
  }

  /**
   * Enters the writable components, with the lock held: see {@link WriteSession}. Without room
   * going on makes them a little larger, unless their flush waits behind one that waits for us.
   */
  private void enterComponents(boolean room) throws StorageException {
    if (components.enter(indexes) && (room || !components.holdUpFlush())) {
      return;
    }
    StorageException full = tooLarge();
    abortFor(full);
    throw full;
  }

  /** Whoever tries again what takes most of the memory by itself would come no further. */
  private StorageException tooLarge() {
    long limit = host.gate().budgetBytes() / 2;
    if (writtenBytes > limit) {
      return new LimitException(
          "bytes of the changes of a transaction in " + host.config().describe(),
          writtenBytes,
          limit);
    }
    return new ConflictException(
        ConflictException.Reason.STALLED,
        "the changes of a transaction in "
            + host.config().describe()
            + " fill the memory, and its flush would wait for the transaction; it was aborted");
  }

  private LockGrant lock(Slice key, LockMode mode) throws StorageException {
    try {
      return services
          .locks()
          .lock(owner, host.resource(key), mode, services.settings().lockTimeoutNanos());
    } catch (ConflictException e) {
      abortFor(e);
      throw e;
    }
  }

  private void abortFor(StorageException cause) {
    try {
      abort();
    } catch (StorageException second) {
      cause.addSuppressed(second);
    }
  }

  private void endKeepingLocks() throws StorageException {
    try {
      host.abort(transaction, components);
    } finally {
      leave();
    }
  }

  private void leave() {
    ended = true;
    components.exit();
    transaction.close();
    host.door().leaveWrite();
  }
}
