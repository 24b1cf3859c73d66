package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentState;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.disk.ComponentBuild;
import dev.varve.common.disk.ComponentName;
import dev.varve.common.disk.ComponentStore;
import dev.varve.common.disk.ComponentVerifier;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.IndexFiles;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.filter.MemoryFilter;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.Observation;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Any index made an LSM index: owns memory and disk components of one {@link ComponentFormat}, and
 * with them flush, merge, reconciliation, reader snapshots and life cycle (Storage Management in
 * AsterixDB, sections 2.1, 3.4 and 4.2).
 *
 * <p>Writers enter the current memory component, put, and leave when their commit record is logged;
 * readers take a snapshot of the component list and never wait. Flushes and merges are handed to
 * the node's queue as stepped tasks; what they make is published in one step. The index does no
 * logging and no locking of keys: that is its owner's, as is calling one writer at a time for one
 * key.
 *
 * <p>Thread-safe. The owner closes it, after the queue has ended or cancelled its tasks.
 *
 * @param <Q> the kind's search predicate
 */
public final class LsmIndex<Q> implements AutoCloseable {
  /*
   * Implementation note.
   * Lists. `current` is the snapshot that new readers take. It is replaced under `lock` by seal
   * and, one replacement of disk components at a time, by the publisher; each list holds its disk
   * components alive until its last reader has let go, so a replaced component's file is closed and
   * deleted then, and not before.
   *
   * Flushes run one at a time and oldest first, because a disk component's place in the order of
   * age is given when it is published. `flushRunning` says that one is submitted; a bulk load holds
   * the same place. A memory component is submitted by whichever comes last, the seal or the exit
   * of its last writer; both call flushMayBegin, which looks at the oldest one only.
   *
   * Positions. A seal reads the end of the log before the next memory component is published, so
   * every operation in the next one is at or above it; see MemoryComponent.componentLsn.
   */
  private final ComponentStore<Q> store;
  private volatile LsmIndexOptions options;
  private final long memoryComponentBytes;
  private final LsmIndexContext context;
  private final ReentrantLock lock = new ReentrantLock();
  private final Signal changed;
  private final IndexCounters counters = new IndexCounters();

  private final DiskPublisher<Q> publisher;
  private final MergeCoordinator<Q> merges;

  private volatile ComponentList<Q> current;

  /** Changes under the lock only. */
  private volatile boolean flushRunning;

  private volatile boolean closed;
  private volatile @Nullable Throwable flushFailure;

  private LsmIndex(
      ComponentStore<Q> store,
      LsmIndexOptions options,
      LsmIndexContext context,
      ComponentStore.Opened<Q> opened) {
    this.store = store;
    this.options = options;
    this.memoryComponentBytes = options.memoryComponentBytes();
    this.context = context;
    this.changed = context.executor().newSignal();
    this.publisher = new DiskPublisher<>(this, store);
    this.merges = new MergeCoordinator<>(this, publisher, lock, opened.rounds());
    this.current =
        new ComponentList<>(store.format(), List.of(newMemoryComponent()), opened.disk());
  }

  /**
   * Opens the index in a directory, creating the directory when it is not there. What a crash left
   * half-done is removed: components being built, and inputs of merges that ended.
   *
   * @throws CorruptionException when a component is damaged or missing
   */
  @MustBeClosed
  public static <Q> LsmIndex<Q> open(
      Path directory, ComponentFormat<Q> format, LsmIndexOptions options, LsmIndexContext context)
      throws StorageException {
    ComponentStore<Q> store =
        new ComponentStore<>(
            new IndexFiles.Place<>(directory, format, options.indexId(), context.storeId()),
            context.files(),
            context.cache(),
            context.quarantine());
    LsmIndex<Q> index = new LsmIndex<>(store, options, context, store.openAll());
    try {
      index.merges.beginManifest();
      index.scheduleMerges();
      return index;
    } catch (StorageException | RuntimeException | Error e) {
      index.close();
      throw e;
    }
  }

  // ---- Writers ---------------------------------------------------------------------------------

  /**
   * Enters the memory component that takes writers. A full one is sealed, and the next one taken.
   *
   * @return the component, to be left by {@link MemoryComponent#exit} exactly once; null when it is
   *     full and as many memory components as allowed wait for their flush: the caller then lets go
   *     of everything and waits outside
   */
  public @Nullable MemoryComponent<Q> tryEnter() {
    while (true) {
      requireOpen();
      MemoryComponent<Q> component = current.memory().get(0);
      if (component.usedBytes() >= memoryComponentBytes) {
        if (!seal() && component == current.memory().get(0)) {
          return null;
        }
      } else if (component.tryEnter()) {
        return component;
      }
    }
  }

  /**
   * Closes the current memory component to writers, so that it is flushed once the writers inside
   * have left, and publishes an empty one.
   *
   * @return false when there is nothing to flush, or no room for another memory component
   */
  public boolean seal() {
    lock.lock();
    try {
      requireOpen();
      ComponentList<Q> list = current;
      MemoryComponent<Q> component = list.memory().get(0);
      if (!component.holdsOperations() || list.memory().size() >= options.memoryComponents()) {
        return false;
      }
      component.seal(context.log().endLsn());
      publish(list.memoryWith(component.successor(context.log().endLsn(), options)), list.disk());
    } finally {
      lock.unlock();
    }
    flushMayBegin();
    changed.raise();
    return true;
  }

  // ---- Readers ---------------------------------------------------------------------------------

  /**
   * Finds the newest state of a key, from the newest component to the oldest.
   *
   * @param found filled with copies unless the result is {@code NOWHERE}; may be antimatter
   * @return where it was found
   */
  public Origin find(Slice key, Entry found) throws StorageException {
    Origin optimistic = findOptimistically(key, found);
    return optimistic != null ? optimistic : findPinned(key, found);
  }

  /** The same with components pinned from the start: for a reader whose optimistic read failed. */
  public Origin findPinned(Slice key, Entry found) throws StorageException {
    ComponentList<Q> list = acquireCurrent();
    try {
      return list.find(key, found, counters);
    } finally {
      list.release();
    }
  }

  /**
   * Finds the newest states of many keys in one sweep over the components, all in one snapshot of
   * them: those of a batch that were not looked up yet, or the first of them when much is found. A
   * caller goes on until {@link LookupBatch#to} is the batch's size.
   */
  public void findAll(LookupBatch batch) throws StorageException {
    ComponentList<Q> list = acquireCurrent();
    try {
      list.findAll(batch, counters);
    } finally {
      list.release();
    }
  }

  /**
   * Finds the newest state of a key as {@link #find} does, if everything that is needed is in
   * memory. Takes no hold of anything, so that readers share no counter; may be called while the
   * index is being closed, and after that.
   *
   * @param found overwritten, whatever the result
   * @return null when the answer needs a proper look, or the index is closed
   */
  public @Nullable Origin findOptimistically(Slice key, Entry found) {
    ComponentList<Q> list = current;
    Origin optimistic = list.findOptimistically(key, found, counters);
    // A list's files are closed only once another list is current, or the index is closed. So if
    // neither is the case after the last read, every byte that was read was theirs.
    VarHandle.acquireFence();
    return current == list && !closed ? optimistic : null;
  }

  /** Searches all components; deleted entries are left out. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the outer cursor closes the inner one
  public EntryCursor search(Q predicate) throws StorageException {
    return new MatterCursor(searchStates(predicate));
  }

  /**
   * All entries ascending by key, read as a merge reads them, past the cache: for checks. Nothing
   * may be written meanwhile.
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the cursor that is returned
  public EntryCursor scan() throws StorageException {
    ComponentList<Q> list = acquireCurrent();
    try {
      return new MatterCursor(list.scan());
    } catch (StorageException | RuntimeException | Error e) {
      list.release();
      throw e;
    }
  }

  /**
   * Searches all components for the newest state of each key, antimatter included, each with where
   * it was found: for callers that must tell what is committed.
   */
  @MustBeClosed
  public LsmCursor searchStates(Q predicate) throws StorageException {
    return searchSelected(predicate, ComponentSelection::of);
  }

  /**
   * The same for a reader that wants only records whose value of the filter field lies in a range.
   * The search leaves out components that have no such record. Other records may be found, too, and
   * older states of them; of a record in the range the newest state is found.
   */
  @MustBeClosed
  public LsmCursor searchStates(Q predicate, RangeFilter.Wanted wanted) throws StorageException {
    return searchSelected(
        predicate,
        disk -> {
          ComponentSelection<Q> selection = ComponentSelection.of(disk, wanted);
          counters.rangeReads.add(selection.read());
          counters.rangeSkips.add(selection.skipped());
          return selection;
        });
  }

  @MustBeClosed
  private LsmCursor searchSelected(
      Q predicate, Function<DiskComponents<Q>, ComponentSelection<Q>> selecting)
      throws StorageException {
    ComponentList<Q> list = acquireCurrent();
    try {
      return list.search(predicate, selecting.apply(list.disk()));
    } catch (StorageException | RuntimeException | Error e) {
      list.release();
      throw e;
    }
  }

  // ---- Maintenance -----------------------------------------------------------------------------

  /** Seals what is in memory and returns when it is on disk. */
  public void flush() throws StorageException {
    new AwaitedMaintenance<>(this).flush();
  }

  /** Flushes, merges all disk components into one, and returns when that is done. */
  public void compact() throws StorageException {
    new AwaitedMaintenance<>(this).compact();
  }

  /** Submits the flush that failed last once more, for when its cause is gone. */
  public void retryFlush() {
    flushFailure = null;
    flushMayBegin();
  }

  /** From now on this policy decides, instead of the one among the options; asks it at once. */
  public void setMergePolicy(MergePolicy policy) throws StorageException {
    options = options.withMergePolicy(policy);
    merges.beginManifest();
    scheduleMerges();
  }

  /**
   * Passes an observation to the policy from now on; asks the policy at once when the observation
   * is new.
   */
  public void see(Observation observation) {
    if (merges.see(observation)) {
      scheduleMerges();
    }
  }

  /** Asks the policy again, as after every flush and merge; for when the policy changed. */
  public void scheduleMerges() {
    DiskComponents<Q> before;
    MaintenanceTask task;
    do {
      before = current.disk();
      task = merges.next(options.mergePolicy());
      if (task != null) {
        context.queue().submit(task);
      }
      // A queue that is being closed cancels it at once, and the policy would ask for it again.
    } while (task != null && !(task.done() && current.disk().equals(before)));
  }

  /**
   * Starts loading sorted entries past memory and log.
   *
   * @throws ConflictException with {@code NOT_EMPTY} when memory components hold operations, which
   *     the load would overtake; flush first
   */
  @MustBeClosed
  public BulkLoad<Q> newBulkLoad() throws StorageException {
    ComponentId id;
    lock.lock();
    try {
      requireOpen();
      if (flushRunning || !memoryIsEmpty()) {
        throw new ConflictException(
            ConflictException.Reason.NOT_EMPTY,
            "bulk load into " + describe() + ": its memory component is in use, flush first");
      }
      flushRunning = true;
      id = nextFlush();
    } finally {
      lock.unlock();
    }
    try {
      return new BulkLoad<>(this, newBuild(id, BloomFilterBuilder.UNKNOWN, false));
    } catch (StorageException | RuntimeException | Error e) {
      bulkLoadGivenUp();
      throw e;
    }
  }

  // ---- State -----------------------------------------------------------------------------------

  /** The disk components as a policy of whole components sees them. */
  public IndexShape shape() {
    lock.lock();
    try {
      return current.disk().shape();
    } finally {
      lock.unlock();
    }
  }

  /** What the index holds and has done. */
  public LsmIndexStats stats() {
    return counters.describe(current.disk(), current.memory());
  }

  /** Bytes of heap that memory components hold, those that are being flushed included. */
  public long memoryBytes() {
    return current.memoryBytes();
  }

  /** The bytes of memory components that their operations take up. */
  public MemoryUse memoryUse() {
    return current.memoryUse();
  }

  /** Whether {@link #seal} would find room for another memory component. */
  public boolean canSeal() {
    return current.memory().size() < options.memoryComponents();
  }

  /** Whether a memory component is sealed whose flush waits for a writer that has not left. */
  public boolean flushWaitsForWriter() {
    return current.flushWaitsForWriter();
  }

  /** About how many antimatter entries and deleted keys memory components hold. */
  public long deletionsInMemory() {
    return current.memory().stream().mapToLong(MemoryComponent::deletions).sum();
  }

  /** A number that a write or flush changes, unless an unlogged write replaced a value. */
  public long writeMark() {
    ComponentList<Q> list = current;
    return list.disk().newestFlush()
        + list.memory().stream().mapToLong(MemoryComponent::writeMark).sum();
  }

  /** Whether every component is on disk. */
  public boolean memoryIsEmpty() {
    return current.memoryIsEmpty();
  }

  /** Every logged operation at or below this LSN is on disk; -1 when none is. */
  public long indexLsn() {
    return current.disk().indexLsn();
  }

  /**
   * The position of the log from which redo must start for this index; {@link Long#MAX_VALUE} when
   * everything is on disk. Callers that derive a low-water mark read the log's end first.
   */
  public long redoPosition() {
    return current.redoPosition();
  }

  /** Sequence number of the newest flush that is on disk; 0 when there is none. */
  public long newestFlush() {
    return current.disk().newestFlush();
  }

  /** The cause of the last flush's failure, until it is retried; null when there is none. */
  public @Nullable Throwable flushFailure() {
    return flushFailure;
  }

  /** Raised whenever the list of components changes, a flush fails or a merge ends. */
  public Signal changed() {
    return changed;
  }

  /** Kind and place, for reports. */
  public String describe() {
    return store.format().name() + " index " + store.directory();
  }

  /**
   * Reads everything on disk and checks every rule: checksums, the kind's structure and that of
   * deleted-key trees, counts, filters without false negatives, components that tile, or levels
   * whose components hold the keys that the manifest says and do not overlap.
   *
   * @return number of entries on disk, antimatter and superseded states included
   * @throws CorruptionException naming the first place that breaks a rule
   */
  public long verify() throws StorageException {
    ComponentList<Q> list = acquireCurrent();
    try {
      return ComponentVerifier.verify(list.disk(), store.format().keyRanges());
    } finally {
      list.release();
    }
  }

  /**
   * Checks that each entry that counts lies between the bounds of its component. Nothing may be
   * written meanwhile.
   *
   * @throws CorruptionException naming the first component and entry for which that is not so
   */
  public void verifyRanges(FilterValues values) throws StorageException {
    ComponentList<Q> list = acquireCurrent();
    try {
      list.verifyRanges(values);
    } finally {
      list.release();
    }
  }

  @Override
  public void close() {
    end(false);
  }

  /** Closes the index and deletes its files once no reader is left. */
  public void destroy() throws StorageException {
    end(true);
    store.deleteLeftovers();
    store.deleteManifest();
  }

  private void end(boolean deleteFiles) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      current.disk().all().forEach(deleteFiles ? DiskComponent::giveUp : DiskComponent::release);
      current.release();
      if (!deleteFiles) {
        store.close();
      }
    } finally {
      lock.unlock();
    }
    changed.raise();
  }

  // ---- Called by tasks and by threads that wait for them ---------------------------------------

  /** Submits the flush of the oldest memory component if it is sealed and its writers have left. */
  void flushMayBegin() {
    FlushTask<Q> task;
    lock.lock();
    try {
      List<MemoryComponent<Q>> memory = current.memory();
      MemoryComponent<Q> oldest = memory.get(memory.size() - 1);
      if (closed || flushRunning || flushFailure != null || !oldest.flushable()) {
        return;
      }
      flushRunning = true;
      oldest.move(ComponentState.Event.FLUSH_BEGINS);
      ComponentId id = nextFlush();
      task = new FlushTask<>(this, oldest, id, current.disk().isEmpty());
    } finally {
      lock.unlock();
    }
    context.queue().submit(task);
  }

  /** The current components, without a pin. */
  ComponentList<Q> components() {
    return current;
  }

  boolean isClosed() {
    return closed;
  }

  /** Whether something merges, or the policy is still to be asked what does after a change. */
  public boolean mergesGoOn() {
    return merges.goOn();
  }

  /** How the kind keeps deletions beside entries; null when it does not. */
  @Nullable DeletedKeys deletedKeys() {
    return store.format().deletedKeys();
  }

  /** Begins to merge everything; null when a merge is under way, or there is nothing to merge. */
  @Nullable MergeTask<Q> submitCompaction() {
    MergeTask<Q> task = merges.nextOfAll(options.mergePolicy());
    if (task != null) {
      context.queue().submit(task);
    }
    return task;
  }

  /** What begins merges and publishes their results. */
  MergeCoordinator<Q> merges() {
    return merges;
  }

  /** Whether the policy and the kind are such that components are cut by key range. */
  boolean cutsComponents() {
    return store.format().keyRanges() != null && options.mergePolicy().partitioned().isPresent();
  }

  /** A build for what a bulk load or a merge writes. */
  ComponentBuild<Q> newBuild(ComponentId id, long atMostFilteredKeys, boolean direct)
      throws StorageException {
    return store.newBuild(
        id, current.disk().membership(), options.mergedBuild(atMostFilteredKeys, direct));
  }

  /** A build for what a flush writes. */
  ComponentBuild<Q> newFlushBuild(ComponentId id, long atMostFilteredKeys) throws StorageException {
    return store.newBuild(
        id, current.disk().membership(), options.flushedBuild(atMostFilteredKeys));
  }

  /**
   * Whether a merge of these components writes past the system's cache.
   *
   * @param bytes of all of them
   */
  boolean writesDirectly(List<DiskComponent<Q>> inputs, long bytes) {
    long cached = inputs.stream().mapToLong(input -> input.file().wantedBytes()).sum();
    return options.components().writesMergeDirectly(bytes, cached);
  }

  /** Makes durable what must be so before a component may be. */
  void forceLog(MemoryComponent<Q> source) throws StorageException {
    if (source.standsAlone()) {
      context.log().forceOthers(options.indexId(), source.lastLsn());
    } else {
      context.log().force();
    }
  }

  DiskComponent<Q> open(ComponentName name) throws StorageException {
    return store.open(name);
  }

  void flushed(MemoryComponent<Q> source, ComponentName name, long bytes) throws StorageException {
    publishNewest(
        name,
        source.filter(),
        () -> {
          source.move(ComponentState.Event.FLUSH_ENDS);
          counters.flushes.increment();
          return current.memoryWithout(source);
        });
    counters.flushedBytes.add(bytes);
  }

  /** Takes the source back; a cause of null means that the task was cancelled. */
  void flushFailed(MemoryComponent<Q> source, @Nullable Throwable cause) {
    lock.lock();
    try {
      source.move(ComponentState.Event.FLUSH_FAILS);
      flushRunning = false;
      // Whoever waits for a flush that was given up must learn of it: nobody will run it again.
      flushFailure =
          cause == null ? new IllegalStateException(describe() + ": flush cancelled") : cause;
    } finally {
      lock.unlock();
    }
    changed.raise();
  }

  void merged(MergePlan<Q> plan, List<DiskComponent<Q>> outputs, long bytes)
      throws StorageException {
    merges.merged(plan, outputs);
    counters.merges.increment();
    counters.mergedBytes.add(bytes);
  }

  void bulkLoaded(ComponentName name, long bytes) throws StorageException {
    publishNewest(name, null, current::memory);
    counters.flushedBytes.add(bytes);
  }

  void bulkLoadGivenUp() {
    lock.lock();
    try {
      flushRunning = false;
    } finally {
      lock.unlock();
    }
    afterPublish();
  }

  /** Called by the publisher when the change is durable. */
  void install(Supplier<List<MemoryComponent<Q>>> memory, DiskComponents<Q> disk) {
    lock.lock();
    try {
      publish(memory.get(), disk);
    } finally {
      lock.unlock();
    }
  }

  // ---- Private ---------------------------------------------------------------------------------

  /**
   * Begins what a published component may make due; called when nothing of the publication is left
   * to undo.
   */
  void afterPublish() {
    flushMayBegin();
    scheduleMerges();
    changed.raise();
  }

  private ComponentId nextFlush() {
    long next = newestFlush() + 1;
    return new ComponentId(next, next);
  }

  /** Publishes what a flush or bulk load made. */
  private void publishNewest(
      ComponentName name, @Nullable MemoryFilter shared, Supplier<List<MemoryComponent<Q>>> memory)
      throws StorageException {
    DiskComponent<Q> component = store.open(name);
    component.setSharedFilter(shared);
    boolean published = false;
    try {
      publisher.publish(
          List.of(component),
          disk -> disk.withNewest(component),
          () -> {
            flushRunning = false;
            return memory.get();
          });
      published = true;
    } finally {
      if (!published) {
        component.giveUp();
      }
    }
  }

  @GuardedBy("lock")
  private void publish(List<MemoryComponent<Q>> memory, DiskComponents<Q> disk) {
    ComponentList<Q> previous = current;
    current = new ComponentList<>(store.format(), memory, disk);
    previous.release();
  }

  private MemoryComponent<Q> newMemoryComponent() {
    return new MemoryComponent<>(this::flushMayBegin, store.format(), context.log().endLsn());
  }

  private ComponentList<Q> acquireCurrent() {
    while (true) {
      ComponentList<Q> list = current;
      if (list.acquire()) {
        return list;
      }
      requireOpen();
    }
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException(describe() + " is closed");
    }
  }
}
