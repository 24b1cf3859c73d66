package dev.varve.common.index;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentState;
import dev.varve.common.disk.ComponentBuild;
import dev.varve.common.disk.ComponentStore;
import dev.varve.common.disk.ComponentVerifier;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.DiskComponents.Membership;
import dev.varve.common.env.Signal;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.IndexVersion.Pending;
import dev.varve.common.merge.IndexShape;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.Observation;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The versions of an index, one after the other: decides under one lock what may begin, and
 * replaces the version by the next one, durably first where a manifest says which components count.
 * It runs nothing: what it says may begin is run by tasks, which tell it the end. Thread-safe.
 */
final class IndexVersions<Q> {
  /*
   * Implementation note.
   * Locks. Disk components are replaced one replacement at a time, under `publishing`, which is
   * held while a manifest is forced; so it is not `lock`, under which writers seal.
   *
   * Lists. `current` is the snapshot that new readers take. Each list holds its disk components
   * alive until its last reader has let go, so a replaced component's file is closed and deleted
   * then, and not before.
   *
   * Flushes. A memory component is submitted by whichever comes last, the seal or the exit of its
   * last writer; both call flushMayBegin.
   *
   * Positions. A seal reads the end of the log before the next memory component is published, so
   * every operation in the next one is at or above it; see MemoryComponent.componentLsn.
   */
  private final ComponentStore<Q> store;
  private final WriteAheadLog log;
  private final Runnable flushMayBegin;
  private final Signal changed;
  private final IndexCounters counters = new IndexCounters();
  private final ReentrantLock publishing = new ReentrantLock();
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private IndexVersion<Q> version;

  /**
   * The components of the version, held for readers; replaced with it, under the lock. A field that
   * the index reads, as it does {@link #closed}: each put and get does, without a step over here.
   */
  volatile ComponentList<Q> current;

  private volatile LsmIndexOptions options;
  private volatile MergeSieve sieve = MergeSieve.OPEN;

  /** Set once, by {@link #close}. */
  volatile boolean closed;

  private volatile @Nullable Throwable flushFailure;

  /**
   * Opens what a directory holds, with an empty memory component.
   *
   * @param flushMayBegin called without a lock when a memory component may have become flushable
   */
  IndexVersions(
      ComponentStore<Q> store,
      LsmIndexOptions options,
      LsmIndexContext context,
      Runnable flushMayBegin)
      throws StorageException {
    this.store = store;
    this.options = options;
    this.log = context.log();
    this.flushMayBegin = flushMayBegin;
    this.changed = context.executor().newSignal();
    ComponentStore.Opened<Q> opened = store.openAll();
    MemoryComponent<Q> first = new MemoryComponent<>(flushMayBegin, store.format(), log.endLsn());
    this.version =
        new IndexVersion<>(
            List.of(first),
            opened.disk(),
            new MergePlanner<>(opened.rounds(), Observation.NONE),
            Set.of());
    this.current = new ComponentList<>(store.format(), List.of(first), opened.disk(), counters);
  }

  // ---- State -----------------------------------------------------------------------------------

  /** The components as they are now; who reads files acquires them. */
  ComponentList<Q> components() {
    return current;
  }

  /** The components as they are now, to be released by the caller. */
  ComponentList<Q> acquire() {
    while (true) {
      ComponentList<Q> list = current;
      if (list.acquire()) {
        return list;
      }
      requireOpen();
    }
  }

  LsmIndexOptions options() {
    return options;
  }

  /** What merges that begin now leave out. */
  MergeSieve sieve() {
    return sieve;
  }

  void setMergeSieve(MergeSieve newSieve) {
    sieve = newSieve;
  }

  IndexCounters counters() {
    return counters;
  }

  void requireOpen() {
    if (closed) {
      throw new IllegalStateException(store.describe() + " is closed");
    }
  }

  /** See {@link LsmIndex#changed}. */
  Signal changed() {
    return changed;
  }

  /** See {@link LsmIndex#canSeal}. */
  boolean canSeal() {
    return current.memory().size() < options.memoryComponents();
  }

  /** See {@link LsmIndex#flushFailure}. */
  @Nullable Throwable flushFailure() {
    return flushFailure;
  }

  /** See {@link LsmIndex#shape}. */
  IndexShape shape() {
    lock.lock();
    try {
      return version.disk().shape();
    } finally {
      lock.unlock();
    }
  }

  /** See {@link LsmIndex#mergesGoOn}. */
  boolean mergesGoOn() {
    lock.lock();
    try {
      return version.isPending(Pending.DECISION) || version.isMerging();
    } finally {
      lock.unlock();
    }
  }

  /** Whether disk components are merging, or one moves, or none may. */
  boolean isMerging() {
    lock.lock();
    try {
      return version.isMerging() || version.isPending(Pending.OLDEST_LOAD);
    } finally {
      lock.unlock();
    }
  }

  // ---- What begins -----------------------------------------------------------------------------

  /** See {@link LsmIndex#seal}. */
  boolean seal() {
    lock.lock();
    try {
      requireOpen();
      MemoryComponent<Q> component = version.newest();
      component.index().settle();
      if (!component.holdsOperations() || !canSeal()) {
        return false;
      }
      component.seal(log::endLsn);
      long position = sieve.position();
      replace(version.with(component.successor(log.endLsn(), options, position)));
    } finally {
      lock.unlock();
    }
    flushMayBegin.run();
    changed.raise();
    return true;
  }

  /**
   * Begins to flush the oldest memory component if it is sealed and its writers have left.
   *
   * @return null when it is not so, a flush runs or the last one failed
   */
  @Nullable FlushPlan<Q> beginFlush() {
    lock.lock();
    try {
      FlushPlan<Q> plan = closed || flushFailure != null ? null : version.nextFlush();
      if (plan != null) {
        plan.source().move(ComponentState.Event.FLUSH_BEGINS);
        replace(version.begun(Pending.FLUSH));
      }
      return plan;
    } finally {
      lock.unlock();
    }
  }

  /** Lets the flush that failed last begin once more. */
  void forgetFlushFailure() {
    flushFailure = null;
  }

  /** Begins a bulk load, in the place of a flush; see {@link LsmIndex#newBulkLoad}. */
  ComponentId beginBulkLoad() throws ConflictException {
    lock.lock();
    try {
      requireOpen();
      if (version.isPending(Pending.FLUSH) || !version.memoryIsEmpty()) {
        throw new ConflictException(
            ConflictException.Reason.NOT_EMPTY,
            "bulk load into " + store.describe() + ": its memory component is in use, flush first");
      }
      replace(version.begun(Pending.FLUSH));
      return version.nextFlushId();
    } finally {
      lock.unlock();
    }
  }

  /** Begins a load of the oldest component; see {@link LsmIndex#newOldestLoad}. */
  ComponentId beginOldestLoad() {
    lock.lock();
    try {
      requireOpen();
      if (version.disk().newestFlush() > 0
          || !version.memoryIsEmpty()
          || !version.pending().isEmpty()) {
        throw new IllegalStateException(store.describe() + " is not new");
      }
      replace(version.begun(Pending.OLDEST_LOAD));
      return IndexVersion.OLDEST;
    } finally {
      lock.unlock();
    }
  }

  /** Begins what the policy wants next; null when it wants nothing. */
  @Nullable MergePlan<Q> beginMerge() {
    lock.lock();
    try {
      MergePlanner.Planned<Q> planned = closed ? null : version.nextMerge(options.mergePolicy());
      if (planned != null) {
        mark(planned.plan());
        replace(version.with(planned.after()));
      }
      replace(version.ended(Pending.DECISION));
      return planned == null ? null : planned.plan();
    } finally {
      lock.unlock();
    }
  }

  /** Begins to merge everything; null when a merge is under way, or there is nothing to merge. */
  @Nullable MergePlan<Q> beginCompaction() {
    lock.lock();
    try {
      MergePlan<Q> plan = closed ? null : version.compaction(options.mergePolicy());
      if (plan != null) {
        mark(plan);
      }
      return plan;
    } finally {
      lock.unlock();
    }
  }

  private void mark(MergePlan<Q> plan) {
    for (DiskComponent<Q> input : plan.inputs()) {
      input.move(ComponentState.Event.MERGE_BEGINS);
      if (!plan.moves() && !input.acquire()) {
        throw new IllegalStateException("component " + input.id() + " is closed");
      }
    }
  }

  /** See {@link LsmIndex#see}; false when the policy is told this already. */
  boolean see(Observation observation) {
    lock.lock();
    try {
      boolean news = !observation.equals(version.planner().observation());
      replace(version.seeing(observation));
      return news;
    } finally {
      lock.unlock();
    }
  }

  /** From now on this policy decides, which the caller has asked next. */
  void setMergePolicy(MergePolicy policy) throws StorageException {
    options = options.withMergePolicy(policy);
    beginManifest();
  }

  /**
   * Has a manifest say which components count, if the policy is one that cuts them and the kind one
   * that may be cut.
   */
  void beginManifest() throws StorageException {
    if (wantsManifest(current.disk())) {
      publish(List.of(), disk -> disk, last -> last);
    }
  }

  private boolean wantsManifest(DiskComponents<Q> disk) {
    return disk.membership() == Membership.NAMES
        && store.format().keyRanges() != null
        && options.mergePolicy().partitioned().isPresent()
        && disk.mayGoUnderManifest();
  }

  // ---- What ends -------------------------------------------------------------------------------

  /** Makes durable what must be so before the component of a flush may be. */
  void forceLog(MemoryComponent<Q> source) throws StorageException {
    if (source.standsAlone()) {
      log.forceOthers(options.indexId(), source.lastLsn());
    } else {
      log.force();
    }
  }

  /** Publishes what a flush made. */
  void flushed(MemoryComponent<Q> source, ComponentBuild<Q> build) throws StorageException {
    DiskComponent<Q> made = store.openSealed(build);
    made.setSharedFilter(source.filter());
    publishFresh(
        made,
        disk -> disk.withNewest(made),
        last -> {
          source.move(ComponentState.Event.FLUSH_ENDS);
          counters.flushes.increment();
          return last.without(source).ended(Pending.FLUSH);
        });
    counters.flushedBytes.add(build.writtenBytes());
  }

  /** Takes the source back; a cause of null means that the task was cancelled. */
  void flushFailed(MemoryComponent<Q> source, @Nullable Throwable cause) {
    lock.lock();
    try {
      source.move(ComponentState.Event.FLUSH_FAILS);
      replace(version.ended(Pending.FLUSH));
      // Whoever waits for a flush that was given up must learn of it: nobody will run it again.
      flushFailure =
          cause == null ? new IllegalStateException(store.describe() + ": flush cancelled") : cause;
    } finally {
      lock.unlock();
    }
    changed.raise();
  }

  /** Publishes what a bulk load made. */
  void bulkLoaded(ComponentBuild<Q> build) throws StorageException {
    DiskComponent<Q> made = store.openSealed(build);
    publishFresh(made, disk -> disk.withNewest(made), last -> last.ended(Pending.FLUSH));
    counters.flushedBytes.add(build.writtenBytes());
  }

  /** Publishes what a load of the oldest component made, once it was read back. */
  void oldestLoaded(ComponentBuild<Q> build, long entries) throws StorageException {
    DiskComponent<Q> made = store.openSealed(build);
    try {
      ComponentVerifier.requireEntries(made, entries, store.describe());
    } catch (StorageException | RuntimeException | Error e) {
      store.abandon(List.of(made), e);
      throw e;
    }
    publishFresh(made, disk -> disk.withOldest(made), last -> last.ended(Pending.OLDEST_LOAD));
    counters.flushedBytes.add(build.writtenBytes());
  }

  void bulkLoadGivenUp(Pending load) {
    lock.lock();
    try {
      replace(version.ended(load));
    } finally {
      lock.unlock();
    }
  }

  /** Publishes what a merge made; the inputs stay acquired. */
  void merged(MergePlan<Q> plan, List<DiskComponent<Q>> outputs, long bytes)
      throws StorageException {
    replaceInputs(plan, outputs, ComponentState.Event.MERGE_ENDS);
    counters.merges.increment();
    counters.mergedBytes.add(bytes);
  }

  /** Publishes that a component is at the next level. */
  void moved(MergePlan<Q> plan) throws StorageException {
    replaceInputs(plan, List.of(), ComponentState.Event.MOVE_ENDS);
  }

  private void replaceInputs(
      MergePlan<Q> plan, List<DiskComponent<Q>> fresh, ComponentState.Event end)
      throws StorageException {
    List<DiskComponent<Q>> outputs = plan.moves() ? plan.inputs() : fresh;
    publish(
        fresh,
        disk -> disk.after(plan.placement().level(), plan.inputs(), outputs),
        last -> {
          plan.inputs().forEach(input -> input.move(end));
          return last;
        });
  }

  /** Gives the inputs of a merge or a move back. */
  void mergeFailed(MergePlan<Q> plan) {
    lock.lock();
    try {
      plan.inputs().forEach(input -> input.move(ComponentState.Event.MERGE_FAILS));
    } finally {
      lock.unlock();
    }
    changed.raise();
  }

  /**
   * Ends the last version.
   *
   * @param deleteFiles whether its files go once no reader is left
   */
  void close(boolean deleteFiles) {
    lock.lock();
    try {
      if (closed) {
        return;
      }
      closed = true;
      version.disk().all().forEach(deleteFiles ? DiskComponent::giveUp : DiskComponent::release);
      current.release();
      if (!deleteFiles) {
        store.close();
      }
    } finally {
      lock.unlock();
    }
    changed.raise();
  }

  // ---- Publication -----------------------------------------------------------------------------

  /** Publishes what a flush or bulk load made. */
  private void publishFresh(
      DiskComponent<Q> component,
      UnaryOperator<DiskComponents<Q>> change,
      UnaryOperator<IndexVersion<Q>> end)
      throws StorageException {
    try {
      publish(List.of(component), change, end);
    } catch (StorageException | RuntimeException | Error e) {
      store.abandon(List.of(component), e);
      throw e;
    }
  }

  /**
   * Replaces disk components, first in the directory and then for readers.
   *
   * @param fresh components that were not there before; when this throws they stay the caller's
   * @param end called under the lock once the change is durable, with the version before; says what
   *     else ends with it
   */
  private void publish(
      List<DiskComponent<Q>> fresh,
      UnaryOperator<DiskComponents<Q>> change,
      UnaryOperator<IndexVersion<Q>> end)
      throws StorageException {
    publishing.lock();
    try {
      DiskComponents<Q> before = current.disk();
      if (before.membership() == Membership.MANIFEST) {
        store.findRanges(fresh);
      }
      DiskComponents<Q> after = underManifestIfWanted(change.apply(before));
      store.keep(after, rounds());
      List<DiskComponent<Q>> without = new ArrayList<>(before.flushed());
      without.addAll(fresh);
      without.removeAll(after.flushed());
      without.removeIf(each -> each.hasEntries() || each.state() != ComponentState.ACTIVE);
      install(after, end);
      // Under a manifest a component without entries does not count.
      without.forEach(DiskComponent::giveUp);
    } finally {
      firstManifestEnded();
      publishing.unlock();
    }
  }

  /**
   * The components as the first manifest of a directory has them, if it gets one now. No merge
   * begins until {@link #firstManifestEnded} then, for it might read what does not count any more.
   */
  private DiskComponents<Q> underManifestIfWanted(DiskComponents<Q> disk) throws StorageException {
    lock.lock();
    try {
      if (!wantsManifest(disk) || version.isPending(Pending.RANGES) || current.rangeBytes() > 0) {
        return disk;
      }
      replace(version.begun(Pending.FIRST_MANIFEST));
    } finally {
      lock.unlock();
    }
    store.findRanges(disk.flushed());
    return disk.underManifest();
  }

  private void firstManifestEnded() {
    lock.lock();
    try {
      replace(version.ended(Pending.FIRST_MANIFEST));
    } finally {
      lock.unlock();
    }
  }

  private List<Optional<KeyInterval>> rounds() {
    lock.lock();
    try {
      return version.planner().rounds();
    } finally {
      lock.unlock();
    }
  }

  private void install(DiskComponents<Q> disk, UnaryOperator<IndexVersion<Q>> end) {
    lock.lock();
    try {
      replace(end.apply(version).with(disk));
      counters.forgetSearches();
    } finally {
      lock.unlock();
    }
  }

  /** Takes the next version over, with a new list for readers if its components are others. */
  @GuardedBy("lock")
  private void replace(IndexVersion<Q> next) {
    if (!next.hasComponentsOf(version)) {
      renewList(next);
    }
    version = next;
  }

  @GuardedBy("lock")
  private void renewList(IndexVersion<Q> next) {
    ComponentList<Q> previous = current;
    current = new ComponentList<>(store.format(), next.memory(), next.disk(), counters);
    previous.release();
  }

  /** Changes something that a list says of its components; returns the version with it. */
  IndexVersion<Q> renew(UnaryOperator<IndexVersion<Q>> change) {
    lock.lock();
    try {
      IndexVersion<Q> next = change.apply(version);
      if (!closed) {
        renewList(next);
        version = next;
      }
      return next;
    } finally {
      lock.unlock();
    }
  }
}
