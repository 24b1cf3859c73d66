package dev.varve.dataset.partition;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.transaction.Transaction;
import dev.varve.transaction.lock.LockMode;
import dev.varve.transaction.lock.LockOwner;
import dev.varve.transaction.log.Durability;

/**
 * Record transactions that share one force of the log: a batch or a frame. Each operation is a
 * transaction of its own, all or nothing across primary and secondaries; one that throws left
 * nothing behind, and the session goes on (unless the engine has failed). An operation that
 * returned is committed but not yet acknowledged: it holds its lock, so that nobody else reads it,
 * until {@link #force} returns. Before an operation has to wait, for another's lock or at the gate,
 * the session forces what it has, so that it never waits while others wait for it. {@link #close}
 * forces what is left. A key that belongs to another partition, or to another node, is refused by
 * every operation: {@link dev.varve.common.error.RequestException} with {@code WRONG_PARTITION}.
 * Confined to one thread.
 */
public final class WriteSession implements AutoCloseable {
  /** Where a force does not wait for the disk, asking the time at each would be a part of it. */
  private static final int FORCES_PER_TOUCH = 64;

  private final PartitionHost host;
  private final PartitionServices services;
  private final Durability durability;

  /** What is a single operation on a single index is not logged. */
  private final boolean unlogged;

  private final Transaction transaction;
  private final LockOwner owner;
  private final RecordChange change;
  private final EnteredComponents components;
  private final RecordLookup lookup;
  private final OpenHandles.Handle handle;
  private long bytesSinceGate;
  private boolean askedGate;
  private long lastCommitLsn = -1;
  private int unforced;
  private int forcesToTouch;
  private boolean outcomeUnknown;
  private boolean closed;

  WriteSession(PartitionHost host, Durability durability) {
    this(host, durability, RecordChange.Reach.OWN);
  }

  /** A session that may change records that belong elsewhere, if it is told so. */
  WriteSession(PartitionHost host, Durability durability, RecordChange.Reach reach) {
    this(
        host,
        durability,
        new EnteredComponents(host.config().indexId(0)),
        new RecordChange(host, reach));
  }

  @SuppressWarnings("MustBeClosedChecker") // the transaction is closed with the session
  WriteSession(
      PartitionHost host,
      Durability durability,
      EnteredComponents components,
      RecordChange change) {
    this.host = host;
    this.services = host.services();
    this.durability = durability;
    this.unlogged =
        services.settings().durability() == Durability.NONE && host.config().indexCount() == 1;
    this.owner = services.locks().newOwner();
    this.change = change;
    this.components = components;
    this.lookup = new RecordLookup(host, owner);
    this.transaction = services.transactions().open();
    this.handle = host.handles().opened(OpenHandles.Kind.SESSION);
  }

  /**
   * Inserts a record of a dataset.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DUPLICATE_KEY} when a record has
   *     the key
   */
  public void insert(Slice record) throws StorageException {
    requireUsable();
    change.setRecord(record);
    write(RecordOperation.INSERT, record.length());
  }

  /** Inserts a record of a dataset or replaces the one with its primary key. */
  public WriteOutcome upsert(Slice record) throws StorageException {
    requireUsable();
    change.setRecord(record);
    return write(RecordOperation.UPSERT, record.length());
  }

  /**
   * Inserts a pair into a key-value store.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DUPLICATE_KEY} when the key is
   *     there
   */
  public void insert(Slice key, Slice value) throws StorageException {
    requireUsable();
    change.setPair(key, value);
    write(RecordOperation.INSERT, value.length());
  }

  /** Inserts a pair into a key-value store or replaces the one with its key. */
  public WriteOutcome upsert(Slice key, Slice value) throws StorageException {
    requireUsable();
    change.setPair(key, value);
    return write(RecordOperation.UPSERT, value.length());
  }

  /** Deletes the record with an encoded primary key, if there is one. */
  public WriteOutcome delete(Slice key) throws StorageException {
    requireUsable();
    change.setKey(key);
    return write(RecordOperation.DELETE, 0);
  }

  /**
   * Puts a pair into a key-value store, whatever was there: an upsert that looks nothing up, and so
   * the fastest write.
   */
  public void put(Slice key, Slice value) throws StorageException {
    requireUsable();
    change.setPair(key, value);
    write(RecordOperation.PUT, value.length());
  }

  /** Takes a key out of a key-value store, whether it was there or not, and looks nothing up. */
  public void remove(Slice key) throws StorageException {
    requireUsable();
    write(change.setRemoved(key), 0);
  }

  /**
   * Reads a record, those of this session that are not forced yet included.
   *
   * @param found filled with copies of key and record when the result is true
   */
  public boolean get(Slice key, Entry found) throws StorageException {
    requireUsable();
    long hash = KeyHash.hash(key);
    host.keys().require(key, hash);
    PartitionIndexes indexes = host.enterRead();
    try {
      long resource = host.resource(hash);
      if (services.locks().exclusivelyLockedByOther(resource, owner)) {
        force();
      }
      return lookup.find(indexes.primary(), key, found);
    } finally {
      host.door().leaveRead();
    }
  }

  /** Operations that are committed and not yet forced. */
  public int unforced() {
    return unforced;
  }

  /**
   * Makes every operation so far durable to the session's level, and lets others see them. When it
   * returns they are acknowledged.
   *
   * @throws OutcomeUnknownException when the log failed on the way; the records stay locked
   */
  public void force() throws StorageException {
    requireUsable();
    if (durability == Durability.POWER_LOSS || --forcesToTouch <= 0) {
      forcesToTouch = FORCES_PER_TOUCH;
      host.touch();
    }
    forceAndRelease();
  }

  /** Forces what is left and ends the session; idempotent. */
  @Override
  public void close() throws StorageException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      forceAndRelease();
    } finally {
      host.handles().closed(handle);
      transaction.close();
    }
  }

  private void requireUsable() {
    if (closed) {
      throw new IllegalStateException("the session is closed");
    }
    services.health().requireOpen();
  }

  private void forceAndRelease() throws StorageException {
    if (outcomeUnknown) {
      services.health().requireOutcomes();
    }
    if (unforced > 0) {
      host.gate().written();
      services.log().await(lastCommitLsn, durability);
      unforced = 0;
    }
    services.locks().releaseAll(owner);
  }

  private WriteOutcome write(RecordOperation operation, int bytes) throws StorageException {
    while (true) {
      PartitionIndexes indexes = enter();
      try {
        if (admitted(bytes)) {
          boolean acquired = lock(change.resource());
          if (components.enter(indexes)) {
            return writeLocked(operation, indexes, acquired);
          }
        }
      } finally {
        components.exit();
        host.door().leaveWrite();
      }
      forceAndRelease();
      host.gate().await();
      bytesSinceGate = 0;
    }
  }

  /** Enters the partition; before it has to wait there it lets go of what others may wait for. */
  private PartitionIndexes enter() throws StorageException {
    PartitionIndexes indexes = host.tryEnterWrite();
    if (indexes == null) {
      forceAndRelease();
      indexes = host.enterWrite();
    }
    return indexes;
  }

  /** Asks the gate now and then; what it is told are the operations before this one. */
  private boolean admitted(int bytes) {
    long withThis = bytesSinceGate + bytes + 64L;
    if (askedGate && withThis < host.gate().lookEveryBytes()) {
      bytesSinceGate = withThis;
      return true;
    }
    boolean admitted = host.gate().admits(bytesSinceGate);
    askedGate = true;
    bytesSinceGate = admitted ? bytes + 64L : 0;
    return admitted;
  }

  private WriteOutcome writeLocked(
      RecordOperation operation, PartitionIndexes indexes, boolean acquired)
      throws StorageException {
    try {
      return unlogged ? writeUnlogged(operation, indexes) : writeEntered(operation, indexes);
    } catch (StorageException | RuntimeException | Error refused) {
      if (acquired && !outcomeUnknown && transaction.state() != Transaction.State.ACTIVE) {
        // Nothing was done, or nothing is left of it: nobody need wait for the next force.
        services.locks().release(owner, change.resource());
      }
      throw refused;
    }
  }

  private WriteOutcome writeUnlogged(RecordOperation operation, PartitionIndexes indexes)
      throws StorageException {
    WriteOutcome outcome =
        change.applyUnlogged(operation, services.log().endLsn() - 1, indexes, components);
    unforced++;
    return outcome;
  }

  private WriteOutcome writeEntered(RecordOperation operation, PartitionIndexes indexes)
      throws StorageException {
    transaction.begin();
    try {
      WriteOutcome outcome;
      if (indexes.size() == 1) {
        outcome = change.applyAlone(operation, transaction, indexes, components);
        if (transaction.state() == Transaction.State.ACTIVE) {
          // Nothing was there to change.
          transaction.commit();
        }
      } else {
        outcome = change.apply(operation, transaction, indexes, components);
        transaction.commit();
      }
      if (transaction.lastLsn() >= 0) {
        lastCommitLsn = transaction.lastLsn();
        unforced++;
      }
      return outcome;
    } catch (OutcomeUnknownException e) {
      // The commit record may be on disk or not: nobody may read the record any more, so that its
      // lock is kept until the engine is opened again.
      outcomeUnknown = true;
      throw e;
    } catch (RuntimeException | Error e) {
      if (transaction.state() == Transaction.State.APPLYING) {
        notApplied(e);
      }
      throw e;
    } finally {
      if (transaction.state() == Transaction.State.ACTIVE) {
        host.abort(transaction, components);
      }
    }
  }

  /** The operation is committed and not in memory: only recovery can bring it there. */
  private void notApplied(Throwable cause) {
    outcomeUnknown = true;
    components.stay();
    services.health().commitLost(cause);
  }

  /**
   * Locks a key. Components are entered afterwards: a writer that entered one before it had the
   * lock could find that one sealed, and the key written by another in the next, and its own, later
   * change would be the older of the two.
   *
   * @return false when the session held it before
   */
  private boolean lock(long resource) throws StorageException {
    int held = owner.held();
    if (services.locks().tryLock(owner, resource, LockMode.EXCLUSIVE)) {
      return owner.held() > held;
    }
    services.health().requireOutcomes();
    forceAndRelease();
    services
        .locks()
        .lock(owner, resource, LockMode.EXCLUSIVE, services.settings().lockTimeoutNanos());
    return true;
  }
}
