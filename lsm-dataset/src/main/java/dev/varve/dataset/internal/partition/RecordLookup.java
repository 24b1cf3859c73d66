package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.Origin;
import dev.varve.transaction.lock.LockGrant;
import dev.varve.transaction.lock.LockMode;
import dev.varve.transaction.lock.LockOwner;
import dev.varve.transaction.lock.LockTable;
import org.jspecify.annotations.Nullable;

/**
 * Reads what is committed. What lies on disk is (no-steal). What is found in memory is taken only
 * when nobody else holds the key exclusively after the read, and nothing was retracted meanwhile:
 * locks are held until the commit is durable, so an unlocked value is a durable one. Otherwise the
 * version from before the transaction that has the lock is taken ({@link LockedRecords}), or, when
 * a session has it, the key is locked shared and read again. Confined to its owner when it has one,
 * else thread-safe.
 */
final class RecordLookup {
  /** How often a key is read before its lock is taken: what was retracted may be another key. */
  private static final int READS = 2;

  /** How often a reader looks for a locked record's version before it waits for the lock. */
  private static final int LOOKS = 100;

  private final PartitionLifecycle lifecycle;
  private final LockTable locks;
  private final @Nullable LockOwner owner;

  /**
   * A lookup for somebody.
   *
   * @param owner whose own locks are no obstacle; null for one that holds none
   */
  RecordLookup(PartitionLifecycle lifecycle, @Nullable LockOwner owner) {
    this.lifecycle = lifecycle;
    this.locks = lifecycle.node().locks();
    this.owner = owner;
  }

  /** Finds the committed record with a key. */
  boolean find(LsmIndex<KeyRange> primary, Slice key, Entry found) throws StorageException {
    for (int read = 0; read < READS; read++) {
      long retractionsBefore = lifecycle.retractions();
      Origin origin = primary.find(key, found);
      if (origin != Origin.MEMORY || settled(key, retractionsBefore)) {
        return origin != Origin.NOWHERE && !found.antimatter();
      }
    }
    return findLocked(primary, key, found);
  }

  /** Whether what was read from memory under a key was committed; see there. */
  boolean settled(Slice key, long retractionsBefore) {
    return lifecycle.isCommitted(KeyHash.hash(key), retractionsBefore, owner);
  }

  /**
   * Finds the committed record with a key that somebody else may be changing: at once when that is
   * a transaction, and after its force when it is a session.
   */
  boolean findLocked(LsmIndex<KeyRange> primary, Slice key, Entry found) throws StorageException {
    lifecycle.node().health().requireOutcomes();
    long resource = lifecycle.resource(KeyHash.hash(key));
    for (int looks = 0; looks < LOOKS; looks++) {
      LockedRecords.Version version = lifecycle.locked().of(key);
      if (version != null && version.changed()) {
        if (owner != null && !locks.exclusivelyLockedByOther(resource, owner)) {
          // The owner's own change is what it reads, under the lock that it has.
          break;
        }
        return findBefore(version, key, found);
      }
      if (version != null) {
        // Its holder has not changed it yet, so that the indexes have what was committed last.
        long retractionsBefore = lifecycle.retractions();
        boolean there = primary.find(key, found) != Origin.NOWHERE && !found.antimatter();
        if (lifecycle.locked().of(key) == version && lifecycle.retractions() == retractionsBefore) {
          return there;
        }
      }
      // A transaction that just got the lock has its version here soon.
      Thread.onSpinWait();
    }
    LockOwner reader = owner == null ? locks.newOwner() : owner;
    LockGrant grant = lifecycle.locked().lock(reader, key, resource, LockMode.SHARED);
    try {
      return primary.find(key, found) != Origin.NOWHERE && !found.antimatter();
    } finally {
      if (grant == LockGrant.ACQUIRED) {
        locks.release(reader, resource);
      }
    }
  }

  private static boolean findBefore(LockedRecords.Version version, Slice key, Entry found) {
    assert version.changed() : "the indexes have what was not changed";
    byte[] value = version.value();
    if (value == null) {
      return false;
    }
    found.key().copyOf(key);
    found.value().copyOf(value, 0, value.length);
    found.antimatter(false);
    return true;
  }

  /** A batch of no keys, for one thread. */
  Batch newBatch() {
    return new Batch();
  }

  /**
   * Committed records that are looked up together, each as {@link #find} reads it: what is found in
   * memory counts only if nobody else holds the key exclusively after the read and nothing was
   * retracted meanwhile; otherwise the record is looked up alone. Confined to its owner, and
   * reused.
   */
  final class Batch {
    private final LookupBatch batch = new LookupBatch();
    private final Slice key = new Slice();

    /** Number of {@linkplain PartitionLifecycle#retractions retractions} before the last lookup. */
    private long retractionsBefore;

    private int next;
    private boolean onDisk;

    private Batch() {}

    /** Forgets all keys. */
    void clear() {
      batch.clear();
      next = 0;
    }

    /** Adds a key, which is above all before it; its bytes are copied. */
    void add(Slice newKey) {
      batch.add(newKey);
    }

    /** Number of keys. */
    int size() {
      return batch.size();
    }

    /**
     * Reads the record with the next key; there is one.
     *
     * @param found points at key and record when the result is true, until the next call
     * @return whether there is such a record
     */
    boolean next(LsmIndex<KeyRange> primary, Entry found) throws StorageException {
      if (next == batch.to()) {
        retractionsBefore = lifecycle.retractions();
        primary.findAll(batch);
      }
      int position = next++;
      onDisk = false;
      if (!batch.isFound(position)) {
        return false;
      }
      if (!batch.isFoundInMemory(position)) {
        onDisk = true;
      } else if (!settled(batch.key(position, key), retractionsBefore)) {
        return find(primary, key, found);
      }
      batch.view(position, found);
      return !found.antimatter();
    }

    /** Whether the newest state of the record that was read last was found in a disk component. */
    boolean wasOnDisk() {
      return onDisk;
    }
  }
}
