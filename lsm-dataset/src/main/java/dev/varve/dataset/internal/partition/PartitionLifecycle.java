package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.merge.Observation.Writes;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.dataset.internal.partition.OpenHandles.Kind;
import dev.varve.dataset.kind.RecordReader;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.dataset.options.IndexUpkeep;
import dev.varve.scheduler.admission.WriteAdmission;
import dev.varve.scheduler.policy.Reclaim;
import dev.varve.transaction.lock.LockOwner;
import dev.varve.transaction.lock.LockTable;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The engine's side of a partition: opens and closes its indexes, and lets readers and writers in
 * only while they are open. Thread-safe; activated and deactivated by one thread at a time.
 */
public final class PartitionLifecycle {
  /** What somebody wants a dataset for. */
  public enum Access {
    /** To read; that takes no memory for writes. */
    READ,
    /** To write. */
    WRITE
  }

  /** How a dataset that is not active becomes active. */
  @FunctionalInterface
  public interface Activator {
    /** Returns when the dataset is active, or was for a moment: who wants in tries again. */
    void activate(Access access) throws StorageException;
  }

  private final NodeContext node;
  private final NodeHealth health;
  private final WriteAdmission admission;
  private final LockTable locks;
  private final Activator activator;
  private final PartitionUsers users;
  private final OpenHandles handles;
  private final long lockSalt;
  private final PartitionKeys keys;
  private final LockedRecords locked;
  private final IndexChanges changes;
  private final SavedVersions saved;

  /** What its records or values are stored as. */
  final StoredForm form;

  /**
   * The abort epoch: goes up when a value in memory is taken back, by an abort or by its
   * transaction's next change of the key. Who has found a key unlocked after a read looks at it.
   */
  private final AtomicLong retractions = new AtomicLong();

  /** Held for moments only: a bulk load begins or ends, flushes are asked for, readers let in. */
  private final ReentrantLock flushLock = new ReentrantLock();

  private final ExpectedFlushes flushes = new ExpectedFlushes();

  /** Components of a bulk load come and may go again: nobody may rely on them yet. */
  @GuardedBy("flushLock")
  private boolean loading;

  /** Those that are open, or would be. */
  private volatile PartitionShape shape;

  private volatile IndexUpkeep upkeep;
  private volatile @Nullable PartitionIndexes indexes;

  /** What readers may read who do not enter; null while readers are kept out. */
  private volatile @Nullable LsmIndex<KeyRange> optimisticPrimary;

  private volatile boolean dropped;
  private volatile boolean voided;
  private final AtomicLong lastUse = new AtomicLong();

  /** Set by optimistic reads, for which a clock costs too much, until {@link #lastUse} is asked. */
  private volatile boolean optimisticRead;

  /** A partition that is not active. */
  public PartitionLifecycle(
      PartitionDescriptor descriptor,
      NodeContext node,
      WriteAdmission admission,
      Activator activator) {
    this.shape = PartitionShape.of(descriptor);
    this.node = node;
    this.health = node.health();
    this.upkeep = descriptor.dataset().upkeep();
    this.admission = admission;
    this.locks = node.locks();
    this.activator = activator;
    this.users = new PartitionUsers(node.indexes().executor());
    this.handles = new OpenHandles(node.clock(), node.options().sessions().leakTracking());
    this.lockSalt = KeyHash.mix(descriptor.dataset().datasetId());
    this.keys = new PartitionKeys(descriptor, node.options().opening().place());
    this.locked = new LockedRecords(locks, node.lockTimeoutNanos(), descriptor.describe());
    this.changes = new IndexChanges(this);
    this.saved = new SavedVersions(node.snapshots());
    this.form = StoredForm.of(descriptor, node);
  }

  /** Reads records of the dataset within its limits. */
  public RecordReader newRecordReader() {
    return new RecordReader(
        Objects.requireNonNull(schema()), node.limitsOf(descriptor().dataset()));
  }

  /**
   * Refuses an encoded primary key that belongs to another partition or node.
   *
   * @throws dev.varve.common.error.RequestException with {@code WRONG_PARTITION}
   */
  public void requireKey(Slice primaryKey) throws StorageException {
    keys.requireOwn(primaryKey);
  }

  // ---- Called by the engine

  /** Says which flushes must be there, by index, when the indexes are opened. */
  public void expectFlushes(Map<Integer, Long> newest) {
    flushes.expect(descriptor(), newest);
  }

  /**
   * Adds the newest flush of each index that has one: all that is published now, open or not.
   *
   * @param newest filled, by index
   */
  public void addNewestFlushes(Map<Integer, Long> newest) {
    flushLock.lock();
    try {
      rememberFlushes();
      flushes.addTo(newest);
    } finally {
      flushLock.unlock();
    }
  }

  @GuardedBy("flushLock")
  private void rememberFlushes() {
    PartitionIndexes open = indexes;
    if (open != null && !loading) {
      flushes.remember(open);
    }
  }

  /** Opens the indexes; readers are let in by {@link #letIn}, writers by {@link #allowWrites}. */
  @SuppressWarnings("MustBeClosedChecker") // closed by deactivate or abandon
  public PartitionIndexes activate() throws StorageException {
    assert indexes == null;
    PartitionIndexes opened = PartitionIndexes.open(shape, node);
    form.open();
    flushLock.lock();
    try {
      flushes.require(opened);
      indexes = opened;
    } catch (StorageException | RuntimeException | Error e) {
      opened.close();
      throw e;
    } finally {
      flushLock.unlock();
    }
    return opened;
  }

  /** Whoever enters from now on finds these indexes; those inside may still have the others. */
  void change(UnaryOperator<PartitionIndexes> change) {
    flushLock.lock();
    try {
      PartitionIndexes next = change.apply(entered());
      shape = next.shape();
      int dataset = shape.descriptor().dataset().datasetId();
      // A new index may have made entries possible that are obsolete.
      upkeep = node.catalog().find(dataset).map(DatasetDescriptor::upkeep).orElse(upkeep);
      indexes = next;
    } finally {
      flushLock.unlock();
    }
  }

  /** Adds and takes away indexes while it is used. */
  public IndexChanges changes() {
    return changes;
  }

  /** Lets readers in. */
  public void letIn() {
    users.open();
    admitOptimisticReaders();
    entered().siftMerges(this::upkeep, ExpirySieve.of(form.expiry(), node.snapshots()));
  }

  /** Lets readers in who do not enter, or keeps them out: called after whatever decides it. */
  private void admitOptimisticReaders() {
    flushLock.lock();
    try {
      PartitionIndexes open = indexes;
      optimisticPrimary = open == null || dropped || users.closed() ? null : open.primary();
    } finally {
      flushLock.unlock();
    }
  }

  /** Lets writers in, too: there is memory for what they write. */
  public void allowWrites() {
    users.allowWrites();
  }

  /** Keeps writers out if none is in, while readers come and go; false when one is. */
  public boolean tryRefuseWrites() {
    return users.tryRefuseWrites();
  }

  /** Keeps everybody out if nobody is in; false when somebody is. */
  public boolean tryKeepOut() {
    boolean out = users.tryClose();
    admitOptimisticReaders();
    return out;
  }

  /** Keeps everybody out once nobody is in; false when the time ran out. */
  public boolean keepOut(long timeoutNanos) {
    boolean out = users.closed() || users.close(timeoutNanos);
    admitOptimisticReaders();
    return out;
  }

  /** Whether readers and writers are kept out. */
  public boolean keptOut() {
    return users.closed();
  }

  /** The open indexes; null while the partition is not active. */
  public @Nullable PartitionIndexes openIndexes() {
    return indexes;
  }

  /** Closes the indexes; everybody was kept out before, and everything flushed. */
  public void deactivate() {
    PartitionIndexes open = indexes;
    if (open != null) {
      open.awaitMerges();
    }
    abandon();
  }

  // ---- Called by the engine when it closes

  /** Lets nobody in any more, for good; those inside may stay. */
  public void shut() {
    users.shut();
    changes.giveUp();
    admitOptimisticReaders();
  }

  /** Whether nobody is inside. */
  public boolean empty() {
    return users.readers() == 0 && users.writers() == 0;
  }

  /** Whether nobody is inside who may change something: what is committed may be flushed. */
  public boolean settled() {
    return users.writers() == 0 && handles.count(Kind.BULK_LOAD) == 0;
  }

  /** Waits until nobody is inside, or the time ran out, or the caller was interrupted. */
  public void awaitEmpty(long timeoutNanos) {
    users.awaitLeft(this::empty, timeoutNanos);
  }

  /** Waits until nobody is inside who may change something; ends as {@link #awaitEmpty} does. */
  public void awaitSettled(long timeoutNanos) {
    users.awaitLeft(this::settled, timeoutNanos);
  }

  /**
   * Ends transactions and bulk loads that are open, without their changes: each at once, or with
   * the call that its owner is in.
   */
  public void revoke() {
    handles.revoke();
  }

  /** What keeps the partition in use: empty if nothing does. */
  public List<LeftOpen> inUse() {
    return handles.inUse(users.readers(), users.writers(), descriptor().describe());
  }

  /** The write sessions that are open, in a call or not. */
  public List<LeftOpen> sessions() {
    return handles.describe(EnumSet.of(Kind.SESSION), descriptor().describe());
  }

  /** Closes the indexes as they are, running merges included, whose tasks were cancelled before. */
  public void abandon() {
    PartitionIndexes open = indexes;
    changes.closeDropped();
    if (open != null) {
      open.close();
      form.close();
      flushLock.lock();
      try {
        rememberFlushes();
        indexes = null;
      } finally {
        flushLock.unlock();
      }
    }
  }

  /** From now on every call throws {@link IllegalStateException}. */
  public void beginDrop() {
    dropped = true;
    admitOptimisticReaders();
  }

  /** It was not dropped after all. */
  public void cancelDrop() {
    dropped = false;
    admitOptimisticReaders();
  }

  /** When it was used last, in nanoseconds of the clock; for reads, a moment not before that. */
  public long lastUse() {
    if (optimisticRead) {
      optimisticRead = false;
      markUsed();
    }
    return lastUse.getOpaque();
  }

  void markUsed() {
    lastUse.setOpaque(node.clock().nanoTime());
  }

  /**
   * Opens the indexes of a partition whose bulk load did not end: empty. Called with the partition
   * closed.
   */
  private void openEmpty() throws StorageException {
    changes.giveUp();
    PartitionIndexes old = indexes;
    indexes = null;
    if (old != null) {
      admission.buffer().remove(old.all());
      old.awaitMerges();
      for (LsmIndex<?> index : old.all()) {
        index.destroy();
      }
      form.clear();
    }
    PartitionIndexes.createDirectories(descriptor(), node.indexes().files());
    PartitionIndexes opened = activate();
    admission.buffer().add(opened.all());
    endLoading();
  }

  /** Declares, durably, what the partition holds void until {@link #endLoading}. */
  void beginLoading() throws StorageException {
    setLoading(true);
    node.catalog().beginLoading(descriptor().dataset().datasetId(), descriptor().number());
  }

  /** Declares, durably, what the partition holds valid. */
  void endLoading() throws StorageException {
    node.catalog().endLoading(descriptor().dataset().datasetId(), descriptor().number());
    setLoading(false);
  }

  private void setLoading(boolean now) {
    flushLock.lock();
    try {
      loading = now;
    } finally {
      flushLock.unlock();
    }
  }

  /**
   * Empties the partition after a bulk load that failed while it published its components. Called
   * by the loader, which keeps writers out and is in as a reader.
   */
  void reset() throws StorageException {
    voided = true;
    users.leaveRead();
    if (!users.closePaused(node.stallTimeoutNanos())) {
      throw ConflictException.afterWait(
          ConflictException.Reason.STALLED,
          "readers stay in "
              + descriptor().describe()
              + ", so that a failed load cannot be removed");
    }
    admitOptimisticReaders();
    openEmpty();
    saved.emptyUpTo(0);
    voided = false;
    letIn();
  }

  /** Something that is done with open indexes. */
  @FunctionalInterface
  public interface Use<T> {
    /** Does it. */
    T of(PartitionIndexes indexes) throws StorageException;
  }

  /** Does something with the indexes, as a reader, if readers are let in; does not open them. */
  public <T> Optional<T> ifOpen(Use<T> use) throws StorageException {
    if (!users.enterRead()) {
      return Optional.empty();
    }
    try {
      return Optional.of(use.of(entered()));
    } finally {
      users.leaveRead();
    }
  }

  /**
   * Tells the merge policies whether anything is written, if readers are let in.
   *
   * @return whether what was deleted in memory is worth a flush
   */
  public boolean see(Writes writes, Reclaim reclaim) {
    changes.destroyDropped();
    if (!users.enterRead()) {
      return false;
    }
    try {
      return entered().see(writes, reclaim);
    } finally {
      users.leaveRead();
    }
  }

  // ---- Called by the partition and its sessions

  PartitionDescriptor descriptor() {
    return shape.descriptor();
  }

  /** The keys of its records by now; null when it stores raw pairs. */
  @Nullable RecordSchema schema() {
    return shape.schema();
  }

  NodeContext node() {
    return node;
  }

  WriteAdmission admission() {
    return admission;
  }

  /** How the secondary indexes are kept. A writer asks inside of the partition. */
  IndexUpkeep upkeep() {
    return upkeep;
  }

  /** From now on the secondary indexes are kept so; changes under way end as they began. */
  public void keep(IndexUpkeep newUpkeep) {
    upkeep = newUpkeep;
  }

  /** What callers have opened. */
  OpenHandles handles() {
    return handles;
  }

  PartitionUsers users() {
    return users;
  }

  /** Number of aborts so far that took something back, and of calls of {@link #retracted}. */
  long retractions() {
    return retractions.get();
  }

  /** A transaction that commits has changed a key twice; its locks are still held. */
  void retracted() {
    retractions.incrementAndGet();
  }

  /** The primary keys that belong here. */
  PartitionKeys keys() {
    return keys;
  }

  /** The records that transactions have locked. */
  LockedRecords locked() {
    return locked;
  }

  /** What records were at open moments. */
  SavedVersions saved() {
    return saved;
  }

  /** The lock that stands for a primary key whose hash is known. */
  long resource(long keyHash) {
    return keyHash ^ lockSalt;
  }

  /**
   * The primary index for a reader who does not enter: null while readers are kept out. It may be
   * closed at any time, so what is read counts only if it is found open afterwards, which {@link
   * LsmIndex#findOptimistically} sees to.
   */
  @Nullable LsmIndex<KeyRange> optimisticPrimary() {
    if (!optimisticRead) {
      optimisticRead = true;
    }
    return optimisticPrimary;
  }

  /**
   * Whether what was read from memory was committed: no other owner has the key locked exclusively
   * after the read, and nothing was taken back meanwhile.
   *
   * @param retractionsBefore the {@linkplain #retractions abort epoch} before it was read
   * @param reader whose own lock is no obstacle; null for a reader that holds none
   */
  boolean isCommitted(long keyHash, long retractionsBefore, @Nullable LockOwner reader) {
    return !locks.exclusivelyLockedByOther(resource(keyHash), reader)
        && retractions.get() == retractionsBefore;
  }

  /** Enters as a reader; the caller leaves by the users. */
  PartitionIndexes enterRead() throws StorageException {
    health.requireOpen();
    while (dropped || !users.enterRead()) {
      awaitEntry(Access.READ);
    }
    return entered();
  }

  /** Enters as a writer if that takes no waiting; the caller leaves by the users. */
  @Nullable PartitionIndexes tryEnterWrite() throws StorageException {
    health.requireWritable();
    return !dropped && users.enterWrite() ? entered() : null;
  }

  /** Enters as a writer; the caller leaves by the users. */
  PartitionIndexes enterWrite() throws StorageException {
    health.requireWritable();
    while (dropped || !users.enterWrite()) {
      awaitEntry(Access.WRITE);
    }
    return entered();
  }

  /** The indexes, for one who is in. */
  PartitionIndexes entered() {
    return Objects.requireNonNull(indexes);
  }

  private void awaitEntry(Access access) throws StorageException {
    health.requireOpen();
    if (voided) {
      throw new ConflictException(
          ConflictException.Reason.ABORTED,
          "a bulk load of "
              + descriptor().describe()
              + " failed half-way; the partition is empty once the engine is opened again");
    }
    if (dropped) {
      throw new IllegalStateException("'" + descriptor().options().name() + "' was dropped");
    }
    if (users.closed() || (access == Access.WRITE && users.readOnly())) {
      activator.activate(access);
      return;
    }
    Signal.Outcome outcome = users.awaitResumed(health::closed, node.stallTimeoutNanos());
    if (outcome != Signal.Outcome.DONE) {
      throw ConflictException.afterWait(
          ConflictException.Reason.STALLED,
          "a bulk load or verification keeps writers out of " + descriptor().describe());
    }
  }
}
