package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.MemoryComponent;
import dev.varve.common.index.Origin;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.WriteBatch;
import dev.varve.dataset.model.WriteBatch.Action;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.transaction.Transaction;
import dev.varve.transaction.lock.LockGrant;
import dev.varve.transaction.lock.LockMode;
import dev.varve.transaction.log.Durability;
import dev.varve.transaction.log.LogOperation;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The writer of a session: each record is a transaction of its own, and holds its lock until {@link
 * #force} has made it durable together with those before it. Before it has to wait, for another's
 * lock or at the gate, it forces what it has, so that it never waits while others wait for it.
 * Confined to one thread.
 */
public final class SessionWriter extends RecordWriter implements AutoCloseable {
  private static final Slice NOTHING = new Slice();

  /** Where a force does not wait for the disk, asking the time at each would be a part of it. */
  private static final int FORCES_PER_USE = 64;

  /** What an entry takes of the memory beside the bytes of the record, about. */
  private static final long ENTRY_BYTES = 64;

  private final Durability durability;

  /** Whether an operation that is single, on a single index, is not logged. */
  private final boolean unlogged;

  private final RecordLookup lookup;
  private final OpenHandles.Handle handle;
  private final Snapshots snapshots;
  private final Snapshots.Steps steps;

  /** What was written since the gate was asked, and how much may be before it is asked again. */
  private long bytesSinceGate;

  private long askGateAtBytes;

  /** The next writer of the same session, in another partition; in a ring. */
  private SessionWriter next = this;

  private long lastCommitLsn = -1;
  private int unforced;
  private int forcesToUse;
  private boolean outcomeUnknown;
  private boolean closed;

  SessionWriter(PartitionLifecycle lifecycle, Durability durability) {
    this(lifecycle, durability, lifecycle.keys(), new WriterPins());
  }

  /** From now on this writer and the other are of one session, whatever others they had. */
  public void join(SessionWriter other) {
    SessionWriter follower = next;
    next = other.next;
    other.next = follower;
  }

  SessionWriter(
      PartitionLifecycle lifecycle, Durability durability, PartitionKeys keys, WriterPins pins) {
    super(lifecycle, keys, pins, Identity.open(lifecycle.node()));
    this.durability = durability;
    this.unlogged = node.durability() == Durability.NONE;
    this.lookup = new RecordLookup(lifecycle, new ReadView(owner, null));
    this.handle = lifecycle.handles().opened(OpenHandles.Kind.SESSION);
    this.snapshots = node.snapshots();
    this.steps = snapshots.joined(durability);
  }

  /** Reads a record, those of this session that are not forced yet included. */
  public boolean get(Slice key, Entry found) throws StorageException {
    requireUsable();
    long hash = KeyHash.hash(key);
    lifecycle.keys().require(key, hash);
    PartitionIndexes indexes = lifecycle.enterRead();
    try {
      long resource = lifecycle.resource(hash);
      if (locks.exclusivelyLockedByOther(resource, owner)) {
        letGoOfAll();
      }
      return lookup.find(indexes.primary(), key, found);
    } finally {
      lifecycle.users().leaveRead();
    }
  }

  /** Operations that are committed and not yet forced. */
  public int unforced() {
    return unforced;
  }

  /**
   * Makes every operation so far durable to the session's level, and lets others see them.
   *
   * @throws OutcomeUnknownException when the log failed on the way; the records stay locked
   */
  public void force() throws StorageException {
    requireUsable();
    if (durability == Durability.POWER_LOSS || --forcesToUse <= 0) {
      forcesToUse = FORCES_PER_USE;
      lifecycle.markUsed();
    }
    letGo();
  }

  /** Forces what is left and ends the session; idempotent. */
  @Override
  public void close() throws StorageException {
    if (closed) {
      return;
    }
    closed = true;
    try {
      letGo();
    } finally {
      lifecycle.handles().closed(handle);
      snapshots.left(steps);
      transaction.close();
    }
  }

  /**
   * Has an operand change what a key has, without a look at that.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNSUPPORTED} where there is no
   *     operator, or it takes no such operand
   */
  public void merge(Slice key, Slice operand) throws StorageException {
    operator();
    writePair(Operation.MERGE, key, operand);
  }

  /**
   * Changes several pairs of a key-value store in one transaction that looks nothing up. All keys
   * are locked before anything is logged, the commit is logged before anything is in memory, and
   * all of it is in one memory component: so an abort has nothing to undo, a crash leaves all or
   * nothing, and a snapshot is opened before or behind all of it.
   */
  public void writeAll(WriteBatch batch) throws StorageException {
    List<WriteBatch.Change> made = batch.changes();
    int bytes = requireBatch(made);
    while (!made.isEmpty()) {
      PartitionIndexes indexes = enterPartition();
      try {
        if (admit(bytes)) {
          List<Long> locked = lockAll(made);
          if (enterComponents(indexes)) {
            try {
              logAndApplyTogether(stored(made));
            } catch (StorageException | RuntimeException | Error refused) {
              if (undone(refused)) {
                locked.forEach(resource -> locks.release(owner, resource));
              }
              throw refused;
            }
            return;
          }
        }
      } finally {
        leave();
      }
      awaitAdmission();
    }
  }

  /** Requires that each change, and all together, are within their limits; returns their bytes. */
  private int requireBatch(List<WriteBatch.Change> made) throws StorageException {
    requireUsable();
    long bytes = 0;
    for (WriteBatch.Change change : made) {
      requireWritable(change);
      bytes += change.key().length() + form.storedBytes(change.value()) + ENTRY_BYTES;
    }
    long most = lifecycle.admission().buffer().budgetBytes() / 2;
    if (bytes > most) {
      throw new LimitException(
          "bytes of a batch for '" + lifecycle.descriptor().options().name() + "'", bytes, most);
    }
    return Math.toIntExact(bytes);
  }

  /** The changes as they are stored, with all keys locked. */
  private List<WriteBatch.Change> stored(List<WriteBatch.Change> made) throws StorageException {
    if (form.equals(StoredForm.RAW)) {
      return made;
    }
    List<WriteBatch.Change> stored = new ArrayList<>(made.size());
    for (WriteBatch.Change change : made) {
      stored.add(
          change.action() == Action.PUT
              ? new WriteBatch.Change(
                  Action.PUT, change.key(), form.stored(change.value(), new Slice()))
              : change);
    }
    return stored;
  }

  private void requireWritable(WriteBatch.Change change) throws StorageException {
    if (change.action() == Action.REMOVE) {
      limits.requirePair(change.key(), NOTHING);
    } else {
      requirePair(change.key(), change.value());
    }
    if (change.action() == Action.MERGE) {
      operator();
      assert form.equals(StoredForm.RAW) : "operands have no share in a life";
    }
    keys.require(change.key(), KeyHash.hash(change.key()));
  }

  /**
   * Locks all keys.
   *
   * @return those locks that the session did not have before
   */
  private List<Long> lockAll(List<WriteBatch.Change> made) throws StorageException {
    List<Long> acquired = new ArrayList<>(made.size());
    steps.begin();
    for (WriteBatch.Change change : made) {
      long resource = lifecycle.resource(KeyHash.hash(change.key()));
      LockGrant grant = locks.tryLock(owner, resource, LockMode.EXCLUSIVE);
      if (grant == null) {
        steps.end();
        return awaitLocks(made);
      }
      if (grant == LockGrant.ACQUIRED) {
        acquired.add(resource);
      }
    }
    return acquired;
  }

  /** Waits for the locks in the order of keys, so that batches do not wait for each other. */
  private List<Long> awaitLocks(List<WriteBatch.Change> made) throws StorageException {
    node.health().requireOutcomes();
    letGoOfAll();
    List<WriteBatch.Change> inOrder = new ArrayList<>(made);
    inOrder.sort((a, b) -> a.key().compareBytes(b.key()));
    List<Long> acquired = new ArrayList<>(made.size());
    boolean all = false;
    try {
      for (WriteBatch.Change change : inOrder) {
        long resource = lifecycle.resource(KeyHash.hash(change.key()));
        lifecycle.locked().lock(owner, change.key(), resource, LockMode.EXCLUSIVE);
        acquired.add(resource);
      }
      all = true;
    } finally {
      if (!all) {
        locks.releaseAll(owner);
      }
    }
    steps.begin();
    return acquired;
  }

  private void logAndApplyTogether(List<WriteBatch.Change> made) throws StorageException {
    assert pins.secondaries() == 0 : "records have entries in other indexes";
    long moment = snapshots.newest();
    if (moment != 0) {
      for (WriteBatch.Change change : made) {
        saveFor(moment, change.key(), WriteOutcome.UNKNOWN);
      }
    }
    long lsn = node.log().endLsn() - 1;
    if (!unlogged) {
      lsn = logTogether(made);
    }
    try {
      putAll(made, lsn);
    } catch (RuntimeException | Error e) {
      notApplied(e);
      throw e;
    }
    logWholeIfSealed(made);
    unforced += made.size();
  }

  private void putAll(List<WriteBatch.Change> made, long lsn) {
    for (WriteBatch.Change change : made) {
      pins.put(0, logged(change), change.key(), change.value(), lsn);
    }
  }

  /**
   * Where the component was sealed that operands were put into, logs and puts what their keys have
   * by now. The operands may have been logged above what the component claims of the log, so that a
   * crash has them redone although it is on disk ({@link MemoryComponent#componentLsn}): then the
   * values behind them are redone, too, and count. Nobody else changes the keys in between, and the
   * component is not flushed before this writer has left it.
   */
  private void logWholeIfSealed(List<WriteBatch.Change> made) throws StorageException {
    if (unlogged || !pins.isSealed()) {
      return;
    }
    try {
      List<WriteBatch.Change> whole = new ArrayList<>();
      for (WriteBatch.Change change : made) {
        if (change.action() == Action.MERGE) {
          Entry now = new Entry();
          pins.primary().find(change.key(), now);
          Action action = now.antimatter() ? Action.REMOVE : Action.PUT;
          whole.add(new WriteBatch.Change(action, change.key(), now.value()));
        }
      }
      if (!whole.isEmpty()) {
        putAll(whole, logTogether(whole));
      }
    } catch (StorageException | RuntimeException | Error e) {
      notApplied(e);
      throw e;
    }
  }

  /** Logs a transaction and its commit; returns the LSN of its last change. */
  private long logTogether(List<WriteBatch.Change> made) throws StorageException {
    try {
      transaction.begin();
      for (WriteBatch.Change change : made) {
        transaction.update(firstIndexId, logged(change), change.key(), change.value());
      }
      long lsn = transaction.lastLsn();
      lastCommitLsn = transaction.commit();
      return lsn;
    } catch (OutcomeUnknownException e) {
      // As of a single change.
      outcomeUnknown = true;
      throw e;
    } finally {
      if (transaction.state() == Transaction.State.ACTIVE) {
        undo();
      }
    }
  }

  private static LogOperation logged(WriteBatch.Change change) {
    return switch (change.action()) {
      case PUT -> LogOperation.UPSERT;
      case REMOVE -> LogOperation.DELETE;
      case MERGE -> LogOperation.MERGE;
    };
  }

  private void requireUsable() {
    requireNotClosed();
    node.health().requireOpen();
  }

  private void requireNotClosed() {
    if (closed) {
      throw new IllegalStateException("the session is closed");
    }
  }

  /** Before a wait: others may wait for what the session has in any partition. */
  private void letGoOfAll() throws StorageException {
    SessionWriter writer = this;
    do {
      writer.letGo();
      writer = writer.next;
    } while (writer != this);
  }

  /** Forces what is committed, and releases its locks. */
  private void letGo() throws StorageException {
    if (outcomeUnknown) {
      node.health().requireOutcomes();
    }
    if (unforced > 0) {
      lifecycle.admission().written();
      node.log().await(lastCommitLsn, durability);
      unforced = 0;
    }
    locks.releaseAll(owner);
  }

  @Override
  PartitionIndexes enterPartition() throws StorageException {
    requireNotClosed();
    PartitionIndexes indexes = lifecycle.tryEnterWrite();
    if (indexes == null) {
      letGoOfAll();
      indexes = lifecycle.enterWrite();
    }
    return indexes;
  }

  /** Key-value stores have operations of their own for changes that look nothing up. */
  @Override
  boolean needsOldRecord() {
    return schema == null
        || ((changes.filtered || pins.secondaries() > 0)
            && lifecycle.upkeep().maintenance() == IndexMaintenance.EAGER);
  }

  /** Asks the gate now and then; what it is told are the operations before this one. */
  @Override
  boolean admit(int bytes) {
    long withThis = bytesSinceGate + bytes + ENTRY_BYTES;
    if (withThis < askGateAtBytes) {
      bytesSinceGate = withThis;
      return true;
    }
    boolean admitted = lifecycle.admission().admits(bytesSinceGate);
    bytesSinceGate = admitted ? bytes + ENTRY_BYTES : 0;
    askGateAtBytes = lifecycle.admission().lookEveryBytes();
    return admitted;
  }

  @Override
  void awaitAdmission() throws StorageException {
    letGoOfAll();
    lifecycle.admission().await();
    bytesSinceGate = 0;
  }

  @Override
  LockGrant lock(Slice key, long resource) throws StorageException {
    steps.begin();
    LockGrant grant = locks.tryLock(owner, resource, LockMode.EXCLUSIVE);
    if (grant != null) {
      return grant;
    }
    steps.end();
    node.health().requireOutcomes();
    letGoOfAll();
    LockGrant waited = lifecycle.locked().lock(owner, key, resource, LockMode.EXCLUSIVE);
    steps.begin();
    return waited;
  }

  @Override
  boolean enterComponents(PartitionIndexes indexes) {
    return pins.enter(indexes);
  }

  @Override
  void leave() {
    steps.end();
    pins.exit();
    lifecycle.users().leaveWrite();
  }

  @Override
  boolean undone(Throwable cause) {
    return !outcomeUnknown && transaction.state() != Transaction.State.ACTIVE;
  }

  @Override
  void logAndApply(
      Operation operation,
      Slice key,
      Slice value,
      @Nullable RecordEntries entries,
      WriteOutcome met)
      throws StorageException {
    long moment = snapshots.newest();
    if (moment != 0) {
      saveFor(moment, key, met);
    }
    if (unlogged && pins.secondaries() == 0) {
      // It lasts from the flush of its component on; no later operation lies below this LSN.
      pins.putAlone(operation.logged, key, value, node.log().endLsn() - 1);
      unforced++;
      return;
    }
    try {
      if (pins.secondaries() == 0) {
        logAndApplyAlone(operation.logged, key, value);
        if (operation == Operation.MERGE) {
          logWholeIfSealed(List.of(new WriteBatch.Change(Action.MERGE, key, value)));
        }
      } else if (met == WriteOutcome.UNKNOWN) {
        logAndApplyBlindly(operation, key, value, entries);
      } else {
        transaction.begin();
        changes.logAndApplyAll(operation.logged, key, value, entries, met);
        transaction.commit();
      }
      lastCommitLsn = transaction.lastLsn();
      unforced++;
    } catch (OutcomeUnknownException e) {
      // The commit record may be on disk or not: no reader may see the record any more, so that its
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
        undo();
      }
    }
  }

  /** Keeps the old record for a moment that does not see the change, and for those before it. */
  private void saveFor(long moment, Slice key, WriteOutcome met) throws StorageException {
    if (lifecycle.saved().lacks(key, moment)) {
      boolean there =
          met == WriteOutcome.UNKNOWN
              ? pins.primary().find(key, old) != Origin.NOWHERE && !old.antimatter()
              : met == WriteOutcome.PRESENT;
      lifecycle.saved().save(Key.ofSlice(key), moment, there ? old.value().toByteArray() : null);
    }
  }

  /**
   * A whole transaction in one log record, with nothing to undo, since nothing can fail between
   * that record and the memory component.
   */
  private void logAndApplyAlone(LogOperation logged, Slice key, Slice value)
      throws StorageException {
    long lsn = transaction.commitAlone(firstIndexId, logged, key, value);
    pins.putAlone(logged, key, value, lsn);
    transaction.applied();
  }

  /**
   * A transaction that is committed before anything of it is in memory, as if it was one log
   * record: what older components have of the record is not known, so that nothing could be undone.
   * The components that it is in are not flushed meanwhile, and hold the log for recovery.
   */
  private void logAndApplyBlindly(
      Operation operation, Slice key, Slice value, @Nullable RecordEntries entries)
      throws StorageException {
    transaction.begin();
    changes.logBlindly(operation.logged, key, value, entries);
    long lsn = transaction.lastLsn();
    transaction.commit();
    try {
      changes.putBlindly(operation.logged, key, value, entries, lsn);
    } catch (RuntimeException | Error e) {
      notApplied(e);
      throw e;
    }
  }

  /** The operation is committed and not in memory: only recovery can bring it there. */
  private void notApplied(Throwable cause) {
    outcomeUnknown = true;
    pins.stay();
    node.health().commitLost(cause);
  }
}
