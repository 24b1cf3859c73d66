package dev.varve.dataset.partition;

import dev.varve.common.bytes.KeyHash;
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
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * A transaction over several records of a partition: all of them or none. It holds its locks to the
 * end. A record that is refused for what it is (duplicate, malformed, over a limit, of another
 * partition or node: {@link dev.varve.common.error.RequestException} with {@code WRONG_PARTITION})
 * leaves the transaction as it was; any other failure aborts it: a deadlock, a lock time-out, a
 * full disk, or more changes than the dataset's memory takes. {@link #close} without {@link
 * #commit} aborts. While it is open, its changes hold up flushes; it is meant to be short. An
 * engine that is closed waits for it, and then aborts it: every later call but {@link #close}
 * throws a {@link ConflictException} with {@code ABORTED}. An open engine aborts it, too, when it
 * is open for longer than {@code transactionTimeoutMillis}; the reason is {@code
 * TRANSACTION_TIMED_OUT} then. Confined to one thread.
 */
public final class TransactionScope implements AutoCloseable {
  private static final Logger LOGGER = LogManager.getLogger(TransactionScope.class);

  /** What an entry of an index takes of the memory beside the bytes of the record, about. */
  private static final long ENTRY_BYTES = 64;

  /** A transaction is small whose changes take no more than this part of the memory. */
  private static final int SMALL_PART = 8;

  private final PartitionHost host;
  private final PartitionServices services;
  private final Durability durability;
  private final Transaction transaction;
  private final LockOwner owner;
  private final RecordChange change;
  private final EnteredComponents components;
  private final PartitionIndexes indexes;
  private final Revocation revocation = new Revocation(this::endByForce);
  private final OpenHandles.Handle handle;
  private long writtenBytes;

  /** What is locked exclusively and was not changed yet. */
  private final Set<Long> unchanged = new HashSet<>();

  /** Whether a key may have been changed twice, so that readers may have seen it in between. */
  private boolean changedTwice;

  private boolean ended;

  private final long begunNanos;
  private volatile boolean timedOut;

  @SuppressWarnings("MustBeClosedChecker") // the transaction is closed when this ends
  TransactionScope(PartitionHost host, Durability durability) throws StorageException {
    this.host = host;
    this.services = host.services();
    this.durability = durability;
    this.change = new RecordChange(host, RecordChange.Reach.OWN);
    this.components = new EnteredComponents(host.config().indexId(0));
    this.owner = services.locks().newOwner();
    host.gate().await();
    this.indexes = host.enterWrite();
    boolean begun = false;
    revocation.beginCall();
    try {
      this.transaction = services.transactions().open().begin();
      this.handle = host.handles().opened(OpenHandles.Kind.TRANSACTION, revocation);
      this.begunNanos = services.clock().nanoTime();
      services.openTransactions().begun(this);
      begun = true;
    } finally {
      if (begun) {
        revocation.endCall();
      } else {
        host.door().leaveWrite();
      }
    }
  }

  /** Inserts a record of a dataset; a duplicate key is refused. */
  public void insert(Slice record) throws StorageException {
    beginCall();
    try {
      change.setRecord(record);
      write(RecordOperation.INSERT, record.length());
    } finally {
      revocation.endCall();
    }
  }

  /** Inserts a record of a dataset or replaces the one with its primary key. */
  public WriteOutcome upsert(Slice record) throws StorageException {
    beginCall();
    try {
      change.setRecord(record);
      return write(RecordOperation.UPSERT, record.length());
    } finally {
      revocation.endCall();
    }
  }

  /** Inserts a pair into a key-value store; a duplicate key is refused. */
  public void insert(Slice key, Slice value) throws StorageException {
    beginCall();
    try {
      change.setPair(key, value);
      write(RecordOperation.INSERT, value.length());
    } finally {
      revocation.endCall();
    }
  }

  /** Inserts a pair into a key-value store or replaces the one with its key. */
  public WriteOutcome upsert(Slice key, Slice value) throws StorageException {
    beginCall();
    try {
      change.setPair(key, value);
      return write(RecordOperation.UPSERT, value.length());
    } finally {
      revocation.endCall();
    }
  }

  /** Deletes the record with an encoded primary key, if there is one. */
  public WriteOutcome delete(Slice key) throws StorageException {
    beginCall();
    try {
      change.setKey(key);
      return write(RecordOperation.DELETE, 0);
    } finally {
      revocation.endCall();
    }
  }

  /** Reads a record under a shared lock that is held to the end, own changes included. */
  public boolean get(Slice key, Entry found) throws StorageException {
    beginCall();
    try {
      lock(own(key), LockMode.SHARED);
      return find(key, found);
    } finally {
      revocation.endCall();
    }
  }

  /**
   * Reads a record that this transaction will change: under the lock that the change takes. Of two
   * that read with {@link #get} before they change the same record, each would wait for the other
   * to let go, and one would be aborted.
   */
  public boolean getForUpdate(Slice key, Entry found) throws StorageException {
    beginCall();
    try {
      long resource = own(key);
      if (lock(resource, LockMode.EXCLUSIVE) != LockGrant.HELD) {
        unchanged.add(resource);
      }
      return find(key, found);
    } finally {
      revocation.endCall();
    }
  }

  /** The lock of a key that belongs here; any other is refused. */
  private long own(Slice key) throws StorageException {
    long hash = KeyHash.hash(key);
    host.keys().require(key, hash);
    return host.resource(hash);
  }

  private boolean find(Slice key, Entry found) throws StorageException {
    return indexes.primary().find(key, found) != Origin.NOWHERE && !found.antimatter();
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
      revocation.endCall();
    }
  }

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
    if (!revocation.beginCall()) {
      return;
    }
    try {
      abortNow();
    } finally {
      revocation.endCall();
    }
  }

  private void abortNow() throws StorageException {
    if (ended) {
      return;
    }
    try {
      host.abort(transaction, components);
    } finally {
      try {
        leave();
      } finally {
        services.locks().releaseAll(owner);
      }
    }
  }

  /** Aborts unless committed; idempotent. */
  @Override
  public void close() throws StorageException {
    abort();
  }

  /** When it began, by the engine's clock. */
  long begunNanos() {
    return begunNanos;
  }

  /** What it holds. */
  OpenTransactions.Held held(long nowNanos) {
    return new OpenTransactions.Held(
        transaction.id(), host.config().describe(), transaction.floor(), nowNanos - begunNanos);
  }

  /** Aborts it for having been open for too long, now or with the call that its owner is in. */
  void endForTime() {
    if (!timedOut) {
      timedOut = true;
      LOGGER.warn("{}; it is aborted", overdue());
    }
    revocation.revoke();
  }

  private String overdue() {
    return "transaction "
        + transaction.id()
        + " in "
        + host.config().describe()
        + " was open for longer than "
        + services.openTransactions().timeoutNanos() / 1_000_000
        + " ms";
  }

  /** Aborts for an engine that closes, or for the time that it was open. */
  private void endByForce() {
    try {
      abortNow();
    } catch (StorageException e) {
      LOGGER.warn("a transaction in {} was aborted", host.config().describe(), e);
    }
  }

  /** The owner begins a call, which ends with {@link Revocation#endCall} unless this throws. */
  private void beginCall() throws ConflictException {
    if (!revocation.beginCall()) {
      if (timedOut) {
        throw new ConflictException(
            ConflictException.Reason.TRANSACTION_TIMED_OUT,
            overdue() + " and was aborted; it holds nothing any more");
      }
      throw new ConflictException(
          ConflictException.Reason.ABORTED,
          "the engine was closed while a transaction in "
              + host.config().describe()
              + " was open; it was aborted");
    }
    boolean active = false;
    try {
      services.health().requireOpen();
      if (ended) {
        throw new IllegalStateException("the transaction has ended");
      }
      active = true;
    } finally {
      if (!active) {
        revocation.endCall();
      }
    }
  }

  private WriteOutcome write(RecordOperation operation, int bytes) throws StorageException {
    services.health().requireWritable();
    long withThis = writtenBytes + bytes + ENTRY_BYTES * indexes.size();
    boolean room = host.gate().hasRoomFor(bytes + ENTRY_BYTES) || mayGoOverBudget(withThis);
    long resource = change.resource();
    if (lock(resource, LockMode.EXCLUSIVE) == LockGrant.HELD) {
      changedTwice |= !unchanged.remove(resource);
    }
    // With the lock held: see WriteSession. Without room going on makes the components a little
    // larger, unless their flush waits behind one that waits for this transaction.
    if (!components.enter(indexes) || (!room && components.holdUpFlush())) {
      StorageException full = tooLarge(withThis);
      abortFor(full);
      throw full;
    }
    try {
      WriteOutcome outcome = change.apply(operation, transaction, indexes, components);
      writtenBytes = withThis;
      return outcome;
    } catch (ConflictException duplicate) {
      // Refused before anything was done.
      throw duplicate;
    } catch (StorageException e) {
      abortFor(e);
      throw e;
    }
  }

  /**
   * Whether it goes on when there is no room: one that is small against the memory does, since it
   * ends soon and is not what fills it, unless many such take it to twice its size.
   */
  private boolean mayGoOverBudget(long bytes) {
    long budget = host.gate().budgetBytes();
    return bytes <= budget / SMALL_PART && host.gate().memoryInUse() < 2 * budget;
  }

  /** Whoever tries again what takes most of the memory by itself would come no further. */
  private StorageException tooLarge(long bytes) {
    long limit = host.gate().budgetBytes() / 2;
    if (bytes > limit) {
      return new LimitException(
          "bytes of the changes of a transaction in " + host.config().describe(), bytes, limit);
    }
    return new ConflictException(
        ConflictException.Reason.STALLED,
        "the changes of a transaction in "
            + host.config().describe()
            + " fill the memory, and its flush would wait for the transaction; it was aborted");
  }

  private LockGrant lock(long resource, LockMode mode) throws StorageException {
    try {
      return services.locks().lock(owner, resource, mode, services.settings().lockTimeoutNanos());
    } catch (ConflictException e) {
      abortFor(e);
      throw e;
    }
  }

  private void abortFor(StorageException cause) {
    try {
      abortNow();
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
    host.handles().closed(handle);
    services.openTransactions().ended(this);
    components.exit();
    host.gate().written();
    try {
      transaction.close();
    } finally {
      host.door().leaveWrite();
    }
  }
}
