package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.disk.ComponentStore;
import dev.varve.common.disk.IndexFiles;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.Observation;
import java.lang.invoke.VarHandle;
import java.nio.file.Path;
import java.util.List;
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
  private final ComponentStore<Q> store;
  private final IndexVersions<Q> versions;
  private final IndexTasks<Q> tasks;
  private final IndexState<Q> state;
  private final IndexContents<Q> contents;
  private final IndexSearches<Q> searches;
  private final IndexCounters counters;
  private final long memoryComponentBytes;

  /**
   * Whether the newest entry of a key does not tell all of its state: deletions lie beside the
   * entries, or it may be an operand.
   */
  private final boolean looksFurther;

  private LsmIndex(ComponentStore<Q> store, LsmIndexOptions options, LsmIndexContext context)
      throws StorageException {
    this.store = store;
    this.versions = new IndexVersions<>(store, options, context, this::flushMayBegin);
    this.tasks = new IndexTasks<>(versions, store, context.queue());
    this.state = new IndexState<>(versions);
    this.contents = new IndexContents<>(versions, tasks, store.format(), store.describe());
    this.searches = new IndexSearches<>(versions, tasks.dead());
    this.counters = versions.counters();
    this.memoryComponentBytes = options.memoryComponentBytes();
    this.looksFurther =
        store.format().deletedKeys() != null || store.format().mergeOperator() != null;
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
    LsmIndex<Q> index = new LsmIndex<>(store, options, context);
    try {
      index.versions.beginManifest();
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
      if (versions.closed) {
        versions.requireOpen();
      }
      MemoryComponent<Q> component = versions.current.memory().get(0);
      if (component.usedBytes() >= memoryComponentBytes) {
        if (!seal() && component == versions.current.memory().get(0)) {
          return null;
        }
      } else if (component.tryEnter()) {
        return component;
      }
    }
  }

  /**
   * Closes the current memory component to writers, so that it is flushed once the writers inside
   * have left, and publishes an empty one. Readers see what it gathered, sealed or not.
   *
   * @return false when there is nothing to flush, or no room for another memory component
   */
  public boolean seal() {
    return versions.seal();
  }

  // ---- Readers ---------------------------------------------------------------------------------

  /**
   * Finds the newest state of a key, from the newest component to the oldest.
   *
   * @param found filled with copies unless the result is {@code NOWHERE}; may be antimatter
   * @return where it was found
   */
  public Origin find(Slice key, Entry found) throws StorageException {
    long hash = KeyHash.hash(key);
    Origin optimistic = findOptimistically(key, hash, found);
    return optimistic != null ? optimistic : findBelowMemory(key, hash, found);
  }

  /**
   * Finds the newest state of a key as {@link #find} does, if everything that is needed is in
   * memory. Takes no hold of anything, so that readers share no counter; may be called while the
   * index is being closed, and after that.
   *
   * @param hash of the key; see {@link KeyHash}
   * @param found overwritten, whatever the result
   * @return null when the answer needs a page that has to be read or pinned, which {@link
   *     #findBelowMemory} does, or the index is closed
   */
  public @Nullable Origin findOptimistically(Slice key, long hash, Entry found) {
    if (looksFurther) {
      return null;
    }
    ComponentList<Q> list = versions.current;
    long possible = list.mayHold(key, hash);
    List<MemoryComponent<Q>> memory = list.memory();
    for (int i = 0; i < memory.size(); i++, possible >>= 1) {
      MemoryComponent<Q> component = memory.get(i);
      component.countQuestion(hash);
      if ((possible & 1) != 0 && component.index().find(key, found)) {
        // Nothing is emptied for reuse, so that it does not matter whether the list is current.
        return versions.closed ? null : Origin.MEMORY;
      }
      if (list.hidesBelow(i, key)) {
        return versions.closed ? null : Origin.NOWHERE;
      }
    }
    Origin onDisk = list.findOnDiskOptimistically(key, hash, possible, found);
    // A list's files are closed only once another list is current, or the index is closed. So if
    // neither is the case after the last read, every byte that was read was theirs.
    VarHandle.acquireFence();
    return versions.current == list && !versions.closed ? onDisk : null;
  }

  /**
   * Goes on where {@link #findOptimistically} returned null: finds the newest state of the key in
   * disk components, pinned, and with pages from disk. What memory components had of the key would
   * have been found before; what is flushed from them since is found here. Where the newest entry
   * does not tell all, memory components are looked into, too.
   *
   * @param hash of the key; see {@link KeyHash}
   * @param found filled with copies unless the result is {@code NOWHERE}; may be antimatter
   */
  public Origin findBelowMemory(Slice key, long hash, Entry found) throws StorageException {
    ComponentList<Q> list = versions.acquire();
    try {
      return list.findBelowMemory(key, hash, found);
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
    ComponentList<Q> list = versions.acquire();
    try {
      list.findAll(batch);
    } finally {
      list.release();
    }
  }

  /**
   * Finds the newest states of many keys that disk components have, as {@link #findAll} does: what
   * is in memory, committed or not, is not seen. For kinds that keep antimatter among the entries.
   */
  public void findAllOnDisk(LookupBatch batch) throws StorageException {
    ComponentList<Q> list = versions.acquire();
    try {
      list.findAllOnDisk(batch);
    } finally {
      list.release();
    }
  }

  /** Searches all components; deleted entries are left out. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the outer cursor closes the inner one
  public EntryCursor search(Q predicate) throws StorageException {
    return new MatterCursor(searchStates(predicate));
  }

  /**
   * Searches all components for the newest state of each key, antimatter included, each with where
   * it was found: for callers that must tell what is committed.
   */
  @MustBeClosed
  public LsmCursor searchStates(Q predicate) throws StorageException {
    return searches.all(predicate);
  }

  /**
   * The same for a reader that wants only records whose value of the filter field lies in a range.
   * The search leaves out components that have no such record. Other records may be found, too, and
   * older states of them, also of such that are gone if the reader {@linkplain
   * RangeFilter.Wanted#looksAtRecords looks at records}; of a record in the range the newest state
   * is found.
   */
  @MustBeClosed
  public LsmCursor searchStates(Q predicate, RangeFilter.Wanted wanted) throws StorageException {
    return searches.selected(predicate, wanted);
  }

  // ---- Maintenance -----------------------------------------------------------------------------

  /** Seals what is in memory and returns when it is on disk. */
  public void flush() throws StorageException {
    new AwaitedMaintenance<>(versions, describe()).flush();
  }

  /** Flushes, merges all disk components into one, and returns when that is done. */
  public void compact() throws StorageException {
    new AwaitedMaintenance<>(versions, describe()).compact(tasks::submitCompaction);
  }

  /**
   * Has each disk component looked at for entries that the {@link MergeSieve} leaves out, and
   * returns when readers leave them out, too. No component is written again. What components hold
   * that are made meanwhile may stay. Nothing is done where the sieve does not repair.
   */
  public void repair() throws StorageException {
    new AwaitedMaintenance<>(versions, describe()).repair(tasks);
  }

  /** Submits the flush that failed last once more, for when its cause is gone. */
  public void retryFlush() {
    versions.forgetFlushFailure();
    tasks.flushMayBegin();
  }

  /** From now on this policy decides, instead of the one among the options; asks it at once. */
  public void setMergePolicy(MergePolicy policy) throws StorageException {
    versions.setMergePolicy(policy);
    scheduleMerges();
  }

  /** Merges that begin from now on use the sieve; for kinds with antimatter among the entries. */
  public void setMergeSieve(MergeSieve sieve) {
    versions.setMergeSieve(sieve);
  }

  /**
   * Passes an observation to the policy from now on, with the searches that the index has counted
   * itself; asks the policy at once when the observation is new.
   */
  public void see(Observation observation) {
    if (versions.see(observation.searched(counters.searchesSinceChange()))) {
      scheduleMerges();
    }
  }

  /** Asks the policy again, as after every flush and merge; for when the policy changed. */
  public void scheduleMerges() {
    tasks.scheduleMerges();
  }

  /**
   * Starts loading sorted entries past memory and log.
   *
   * @throws ConflictException with {@code NOT_EMPTY} when memory components hold operations, which
   *     the load would overtake; flush first
   */
  @MustBeClosed
  public BulkLoad<Q> newBulkLoad() throws StorageException {
    return tasks.newBulkLoad();
  }

  /**
   * Starts loading sorted entries as the oldest component of an index that has just been made,
   * beside its writers: what they delete is kept for that component, and nothing merges before it
   * is published, or the load is closed without that. Only when it was published the directory may
   * be opened again.
   */
  @MustBeClosed
  public BulkLoad<Q> newOldestLoad() throws StorageException {
    return tasks.newOldestLoad();
  }

  // ---- State -----------------------------------------------------------------------------------

  /** The disk components as a policy of whole components sees them. */
  public IndexShape shape() {
    return versions.shape();
  }

  /** What the index holds now. */
  public IndexState<Q> state() {
    return state;
  }

  /** All that the index holds, to be read whole. */
  public IndexContents<Q> contents() {
    return contents;
  }

  /** What the index holds and has done. */
  public LsmIndexStats stats() {
    return counters.describe(versions.current.disk(), versions.current.memory());
  }

  /** Raised whenever the list of components changes, a flush fails or a merge ends. */
  public Signal changed() {
    return versions.changed();
  }

  /** Kind and place, for reports. */
  public String describe() {
    return store.describe();
  }

  @Override
  public void close() {
    versions.close(false);
  }

  /** Closes the index and deletes its files once no reader is left. */
  public void destroy() throws StorageException {
    store.unused().deleteHere(() -> versions.close(true));
    // Those of a task, too: the caller may delete the directory next.
    store.unused().deleteAll();
    store.deleteLeftovers();
    store.deleteManifest();
  }

  /** The current components, without a pin. */
  ComponentList<Q> components() {
    return versions.current;
  }

  /** A writer left the last sealed component, or a component was sealed. */
  private void flushMayBegin() {
    tasks.flushMayBegin();
  }
}
