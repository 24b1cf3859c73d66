package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.Origin;
import dev.varve.dataset.internal.partition.StoredForm.Sight;
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
 *
 * <p>A reader as of a moment goes the same way, and takes a version that was saved for the moment
 * ({@link SavedVersions}) before what it has found. What lies on disk may be younger than the
 * moment, but then the version from before was saved: writers save it before they leave a
 * component.
 */
final class RecordLookup {
  /**
   * How often a key that no transaction has locked is read before its lock is taken: what was
   * retracted may be another key.
   */
  private static final int READS = 2;

  /** How often a value may be replaced before its reader has found it. */
  private static final int REPLACED = 10;

  /** How often a reader looks for a locked record's version before it waits for the lock. */
  private static final int LOOKS = 100;

  private final PartitionLifecycle lifecycle;
  private final LockTable locks;
  private final @Nullable LockOwner owner;
  private final Snapshots.@Nullable Moment moment;
  private final StoredForm form;

  /** A lookup for somebody. */
  RecordLookup(PartitionLifecycle lifecycle, ReadView view) {
    this(lifecycle, view, lifecycle.form);
  }

  /** A lookup for somebody who may not want all of what is stored. */
  RecordLookup(PartitionLifecycle lifecycle, ReadView view, StoredForm form) {
    this.lifecycle = lifecycle;
    this.locks = lifecycle.node().locks();
    this.owner = view.owner();
    this.moment = view.moment();
    this.form = form;
  }

  /** Finds the record with a key that the reader sees. */
  boolean find(LsmIndex<KeyRange> primary, Slice key, Entry found) throws StorageException {
    for (int looks = 0; looks < REPLACED; looks++) {
      Sight sight = findNow(primary, key, found);
      if (sight != Sight.REPLACED) {
        return sight == Sight.SHOWN;
      }
    }
    throw form.missing(found);
  }

  private Sight findNow(LsmIndex<KeyRange> primary, Slice key, Entry found)
      throws StorageException {
    for (int read = 0; read < READS; read++) {
      long retractionsBefore = lifecycle.retractions();
      Origin origin = primary.find(key, found);
      if (isSettled(origin, key, retractionsBefore)) {
        return seen(key, found, origin != Origin.NOWHERE && !found.antimatter());
      }
      if (lifecycle.locked().of(key) != null) {
        break;
      }
    }
    return findLocked(primary, key, found);
  }

  /** Whether what was read under a key was committed. */
  boolean isSettled(Origin origin, Slice key, long retractionsBefore) {
    return origin != Origin.MEMORY
        || lifecycle.isCommitted(KeyHash.hash(key), retractionsBefore, owner);
  }

  /**
   * What the reader sees of a record that was read and is settled: nothing any more at the end of
   * its life.
   *
   * @param there whether there is one
   * @param found the record if so; points at what is seen when it is shown
   */
  Sight seen(Slice key, Entry found, boolean there) throws StorageException {
    Snapshots.Moment asOf = moment;
    boolean seen = there;
    if (asOf != null) {
      SavedVersions.Version saved = lifecycle.saved().of(key, asOf);
      seen = saved == null ? there : copy(key, saved.value(), found);
      asOf.requireOpen();
    }
    if (!seen) {
      return Sight.NOTHING;
    }
    return form.isPlain(found)
        ? Sight.SHOWN
        : form.show(found, asOf == null ? form.now() : asOf.openedMillis());
  }

  /**
   * Finds the record with a key that somebody else may be changing. What a session has changed and
   * not forced is committed, and forced by the reader.
   */
  private Sight findLocked(LsmIndex<KeyRange> primary, Slice key, Entry found)
      throws StorageException {
    lifecycle.node().health().requireOutcomes();
    long resource = lifecycle.resource(KeyHash.hash(key));
    for (int looks = 0; looks < LOOKS; looks++) {
      LockedRecords.Version version = lifecycle.locked().of(key);
      if (moment != null && version == null && lifecycle.saved().of(key, moment) != null) {
        return seen(key, found, false);
      }
      if (moment != null && version != null && version.isSeenAt(moment)) {
        // Its holder has committed, and is about to unlock it.
        Thread.onSpinWait();
        continue;
      }
      if (version != null && version.changed()) {
        if (owner != null && !locks.exclusivelyLockedByOther(resource, owner)) {
          // The owner's own change is what it reads, under the lock that it has.
          break;
        }
        return seen(key, found, copy(key, version.value(), found));
      }
      if (version != null) {
        // Its holder has not changed it yet, so that the indexes have what was committed last.
        long retractionsBefore = lifecycle.retractions();
        boolean there = primary.find(key, found) != Origin.NOWHERE && !found.antimatter();
        if (lifecycle.locked().of(key) == version && lifecycle.retractions() == retractionsBefore) {
          return seen(key, found, there);
        }
      }
      // A transaction that just got the lock has its version here soon.
      Thread.onSpinWait();
    }
    for (int read = 0; read < READS; read++) {
      long retractionsBefore = lifecycle.retractions();
      boolean there = primary.find(key, found) != Origin.NOWHERE && !found.antimatter();
      if (isForced(key, retractionsBefore)) {
        return seen(key, found, there);
      }
    }
    LockOwner reader = owner == null ? locks.newOwner() : owner;
    LockGrant grant = lifecycle.locked().lock(reader, key, resource, LockMode.SHARED);
    try {
      return seen(key, found, primary.find(key, found) != Origin.NOWHERE && !found.antimatter());
    } finally {
      if (grant == LockGrant.ACQUIRED) {
        locks.release(reader, resource);
      }
    }
  }

  /**
   * Whether what was read under a key that a session has locked is committed. It is made as durable
   * as any session promises, so that nobody acts on what a crash takes back.
   */
  private boolean isForced(Slice key, long retractionsBefore) throws StorageException {
    NodeContext node = lifecycle.node();
    if (lifecycle.locked().of(key) != null
        || !node.snapshots().stepsEnded()
        || lifecycle.locked().of(key) != null
        || lifecycle.retractions() != retractionsBefore) {
      return false;
    }
    node.log().await(node.log().endLsn() - 1, node.snapshots().promised());
    node.health().requireOutcomes();
    return true;
  }

  private static boolean copy(Slice key, byte @Nullable [] value, Entry found) {
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
   * Records that are looked up together, each as {@link #find} reads it: one that may be changing
   * is looked up alone. Confined to its owner, and reused.
   */
  final class Batch {
    private final LookupBatch batch = new LookupBatch();
    private final Slice key = new Slice();

    /** Number of {@linkplain PartitionLifecycle#retractions retractions} before the last lookup. */
    private long retractionsBefore;

    private int next;
    private boolean onDisk;

    private Batch() {}

    /** Tells that nearly all keys are there, as an index has said; returns this. */
    Batch expectAll() {
      batch.expectAll();
      return this;
    }

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
      Origin origin =
          batch.isFoundInMemory(position)
              ? Origin.MEMORY
              : batch.isFound(position) ? Origin.DISK : Origin.NOWHERE;
      onDisk = origin == Origin.DISK && moment == null;
      if (!isSettled(origin, batch.key(position, key), retractionsBefore)) {
        return find(primary, key, found);
      }
      if (origin != Origin.NOWHERE) {
        batch.view(position, found);
      }
      return seenOrFound(primary, found, origin != Origin.NOWHERE && !found.antimatter());
    }

    private boolean seenOrFound(LsmIndex<KeyRange> primary, Entry found, boolean there)
        throws StorageException {
      Sight sight = seen(key, found, there);
      return sight == Sight.REPLACED ? find(primary, key, found) : sight == Sight.SHOWN;
    }

    /**
     * Whether the newest state of the record that was read last was found in a disk component, and
     * is what the reader sees.
     */
    boolean wasOnDisk() {
      return onDisk;
    }
  }
}
