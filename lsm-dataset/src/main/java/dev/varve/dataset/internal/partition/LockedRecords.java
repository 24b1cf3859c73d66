package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.dataset.model.Key;
import dev.varve.transaction.lock.LockGrant;
import dev.varve.transaction.lock.LockMode;
import dev.varve.transaction.lock.LockOwner;
import dev.varve.transaction.lock.LockTable;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The records of a partition that open transactions have locked exclusively, each with the version
 * that was committed last, so that readers need not wait for the transaction's end. A version is
 * here before the transaction's first change of the record can be read, and until that change is
 * committed and durable, or taken back. Transactions only: what a session has written and not
 * forced is committed, and a reader forces it. Thread-safe; no lock is held.
 */
final class LockedRecords {
  private final LockTable locks;
  private final long timeoutNanos;
  private final String partition;
  private final Map<Key, Version> versions = new ConcurrentHashMap<>();

  /**
   * Nothing is locked.
   *
   * @param timeoutNanos longest wait for a lock
   * @param partition its name, for messages
   */
  LockedRecords(LockTable locks, long timeoutNanos, String partition) {
    this.locks = locks;
    this.timeoutNanos = timeoutNanos;
    this.partition = partition;
  }

  /** The last committed version of a record; its identity says whose lock it is that holds it. */
  static final class Version {
    private final OpenTransactions.OpenTransaction holder;
    private final boolean changed;
    private final byte @Nullable [] value;

    private Version(
        OpenTransactions.OpenTransaction holder, boolean changed, byte @Nullable [] value) {
      assert changed || value == null : "the indexes have what was not changed";
      this.holder = holder;
      this.changed = changed;
      this.value = value;
    }

    /** Whether the holder may have changed the record: the indexes have the last version if not. */
    boolean changed() {
      return changed;
    }

    /** Whether a moment sees what the holder has changed, as soon as it is unlocked. */
    boolean isSeenAt(Snapshots.Moment moment) {
      return holder.isSeenAt(moment);
    }

    /** What a changed record was before; null when there was none. */
    byte @Nullable [] value() {
      return value;
    }
  }

  /**
   * Locks a record, waiting for others if need be.
   *
   * @throws ConflictException as {@link LockTable#lock} throws it, with the record and its holder
   */
  LockGrant lock(LockOwner owner, Slice key, long resource, LockMode mode)
      throws ConflictException {
    try {
      return locks.lock(owner, resource, mode, timeoutNanos);
    } catch (ConflictException e) {
      String why =
          switch (e.reason()) {
            case LOCK_TIMEOUT ->
                " was not unlocked within " + timeoutNanos / 1_000_000 + " ms (lockTimeoutMillis)";
            case DEADLOCK -> ": to wait for it would be a deadlock, whose victim this is";
            default -> ": " + e.getMessage();
          };
      throw new ConflictException(e.reason(), describe(key) + why);
    }
  }

  private String describe(Slice key) {
    Version version = of(key);
    return "record "
        + Key.ofSlice(key)
        + " in "
        + partition
        + (version == null
            ? ", which a transaction reads or a session has written and not forced,"
            : ", which " + version.holder.describe() + " has locked,");
  }

  /** The last committed version of a record; null when no transaction has it. */
  @Nullable Version of(Slice key) {
    return versions.isEmpty() ? null : versions.get(Key.ofSlice(key));
  }

  /** A transaction has locked a record exclusively; it calls {@link #unlocked} for it. */
  void locked(Key key, OpenTransactions.OpenTransaction holder) {
    Version before = versions.put(key, new Version(holder, false, null));
    assert before == null : "two transactions have locked " + key;
  }

  /**
   * The holder is about to change a record, for the first time or not.
   *
   * @param committed its value, if there is a record
   */
  void changing(Slice key, @Nullable Slice committed) {
    versions.computeIfPresent(
        Key.ofSlice(key),
        (any, version) ->
            version.changed
                ? version
                : new Version(
                    version.holder, true, committed == null ? null : committed.toByteArray()));
  }

  /** The holder is about to give the lock up: what the indexes have is committed. */
  void unlocked(Iterable<Key> keys) {
    for (Key key : keys) {
      Version gone = versions.remove(key);
      assert gone != null : "nobody has locked " + key;
    }
  }
}
