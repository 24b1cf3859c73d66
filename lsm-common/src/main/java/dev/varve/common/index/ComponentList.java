package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentState;
import dev.varve.common.component.DeletedRanges;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskComponents;
import dev.varve.common.disk.KeyRun;
import dev.varve.common.disk.RefCounted;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilter;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.EntryValidity;
import dev.varve.common.format.KeyRanges;
import dev.varve.common.format.Lookup;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.format.Validity;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * An immutable snapshot of an index's components, newest first, held by its readers. The index
 * itself holds the current one; a flush or merge publishes a new one in one step. A reader that
 * acquired a list releases it; the last release lets go of the disk components. An optimistic read
 * does neither, so memory components are left to the garbage collector and never emptied for reuse.
 */
final class ComponentList<Q> {
  /**
   * A value that no sum of prefetched bytes has: comparing with it keeps the compiler from leaving
   * the prefetch out.
   */
  private static final int NEVER_PREFETCHED = Integer.MIN_VALUE;

  /** Components of which filters speak at once; a bit of a number each, and one is left. */
  private static final int MOST_RULED_OUT = Long.SIZE - 1;

  /**
   * The number of components, largest first, that a point read prefetches before it asks the
   * filters. Most policies leave the third component with less than a tenth of the keys:
   * prefetching it would cost more instructions than it saves.
   */
  private static final int MOST_TOUCHED = 2;

  private final List<MemoryComponent<Q>> memory;
  private final DiskComponents<Q> disk;

  /** Those of level 0, newest first, and the levels below, as {@link #disk} has them. */
  private final List<DiskComponent<Q>> flushed;

  private final List<KeyRun<Q>> levels;
  private final FlushedRuns<Q> runs;
  private final SharedFilters shared;

  /** Whether there is a filter or a disk component to ask for a key. */
  private final boolean filtered;

  /** How many components may hold a key. */
  private final int candidates;

  /** Whether a component has ranges of keys that hide what is in older ones. */
  private final boolean hasRanges;

  /** Of level 0, newest first: a component's own filter; null where a shared one is asked. */
  private final @Nullable BloomFilter[] ownFilters;

  /** A bit for each disk component where filters can rule all of them out; otherwise all bits. */
  private final long decided;

  /** The indexes of level 0 that most keys are found in. */
  private final DiskIndex<?>[] largest;

  private final ComponentFormat<Q> format;
  private final @Nullable DeletedKeys deletedKeys;
  private final @Nullable Operands operands;
  private final IndexCounters counters;
  private final RefCounted users = new RefCounted(this::releaseComponents);

  /** What every search that asks for no range of values reads, and does at its end. */
  final ComponentSelection<Q> all;

  private final Runnable onClose = this::release;

  /** Acquires every disk component; the caller holds them alive meanwhile. */
  ComponentList(
      ComponentFormat<Q> format,
      List<MemoryComponent<Q>> memory,
      DiskComponents<Q> disk,
      IndexCounters counters) {
    this.format = format;
    this.counters = counters;
    this.deletedKeys = format.deletedKeys();
    this.operands = Operands.of(format);
    this.memory = List.copyOf(memory);
    this.disk = disk;
    this.flushed = disk.flushed();
    this.levels = disk.levels();
    this.all = ComponentSelection.of(disk);
    this.shared = SharedFilters.of(this.memory, flushed);
    this.candidates = flushed.size() + levels.size();
    this.hasRanges =
        memory.stream().anyMatch(each -> !each.deletedRanges().isEmpty())
            || disk.all().stream().anyMatch(each -> !each.metadata().ranges().isEmpty());
    // Where ranges hide entries, what they hide goes by the component that has it.
    this.runs = new FlushedRuns<>(flushed, hasRanges ? null : format.keyRanges());
    this.filtered = candidates > 0 || !shared.isEmpty();
    shared.dropOthers(flushed);
    this.ownFilters =
        new BloomFilter[Math.max(0, Math.min(MOST_RULED_OUT - memory.size(), flushed.size()))];
    for (int i = 0; i < ownFilters.length; i++) {
      ownFilters[i] = shared.coversFlushed(i) ? null : flushed.get(i).filter();
    }
    this.decided = ownFilters.length == candidates ? (1L << candidates) - 1 : -1L;
    this.largest = largest(flushed);
    for (DiskComponent<Q> component : disk.all()) {
      if (!component.acquire()) {
        throw new IllegalStateException("component " + component.id() + " is closed");
      }
    }
  }

  private static <Q> DiskIndex<?>[] largest(List<DiskComponent<Q>> flushed) {
    return flushed.stream()
        .sorted(Comparator.comparingLong((DiskComponent<Q> each) -> -each.metadata().entries()))
        .map(DiskComponent::index)
        .filter(Objects::nonNull)
        .limit(MOST_TOUCHED)
        .toArray(DiskIndex<?>[]::new);
  }

  /** Memory components, the one that takes writers first. */
  List<MemoryComponent<Q>> memory() {
    return memory;
  }

  /** Bytes of all ranges of keys that hide what is in older components. */
  long rangeBytes() {
    long bytes = 0;
    for (MemoryComponent<Q> component : memory) {
      bytes += component.deletedRanges().bytes();
    }
    for (DiskComponent<Q> component : disk.all()) {
      bytes += component.metadata().ranges().bytes();
    }
    return hasRanges ? bytes : 0;
  }

  /** Whether a memory component hides what components that are older than it have of a key. */
  boolean hidesBelow(int memoryComponent, Slice key) {
    return hasRanges && hides(memory.get(memoryComponent).deletedRanges(), key);
  }

  private boolean hides(DeletedRanges ranges, Slice key) {
    return !ranges.isEmpty()
        && ranges.contains(format.newPrimaryKeyView().viewPrimaryKey(key, new Slice()));
  }

  /** Whether every component is on disk. */
  boolean memoryIsEmpty() {
    return memory.size() == 1 && !memory.get(0).holdsOperations();
  }

  /** Whether a memory component is sealed whose flush waits for a writer that has not left. */
  boolean flushWaitsForWriter() {
    MemoryComponent<Q> oldest = memory.get(memory.size() - 1);
    return oldest.state() == ComponentState.SEALED && !oldest.flushable();
  }

  /** Disk components. */
  DiskComponents<Q> disk() {
    return disk;
  }

  /** Bytes of heap in all memory components. */
  long memoryBytes() {
    long bytes = 0;
    for (int i = 0; i < memory.size(); i++) {
      bytes += memory.get(i).usedBytes();
    }
    return bytes;
  }

  /** What operations take of the heap. */
  MemoryUse memoryUse() {
    long sealed = 0;
    for (int i = 1; i < memory.size(); i++) {
      sealed += memory.get(i).takenBytes();
    }
    return new MemoryUse(memory.get(0).takenBytes(), sealed, memory.size() - 1);
  }

  /** See {@link LsmIndex#redoPosition}. */
  long redoPosition() {
    long position = Long.MAX_VALUE;
    for (MemoryComponent<Q> component : memory) {
      if (component.holdsOperations()) {
        position = Math.min(position, component.startLsn());
      }
    }
    return position;
  }

  boolean acquire() {
    return users.acquire();
  }

  void release() {
    users.release();
  }

  /**
   * What filters say of a key: those of the components of level 0 and those that memory components
   * share are asked at once. Has the processor fetch where the key may lie before that.
   *
   * @return a bit for each component, the memory components first, then those of level 0, newest
   *     first: zero where one word of a filter rules the key out. The sign is set, and stands for
   *     all further components
   */
  long mayHold(Slice key, long hash) {
    if (!filtered) {
      return -1L;
    }
    int prefetched = prefetchLargest(key) + shared.prefetch(hash);
    long positions = BloomFilter.positions(hash);
    long ruledOut = 0;
    for (int i = 0; i < ownFilters.length; i++) {
      BloomFilter filter = ownFilters[i];
      ruledOut |= (filter != null && filter.rulesOut(hash, positions) ? 1L : 0L) << i;
    }
    ruledOut = ruledOut << memory.size() | shared.ruledOut(hash);
    return prefetched == NEVER_PREFETCHED ? -1L : ~ruledOut;
  }

  /**
   * Finds the newest state of a key that no memory component had before this list was acquired; see
   * {@link LsmIndex#findBelowMemory}.
   */
  Origin findBelowMemory(Slice key, long hash, Entry found) throws StorageException {
    if (operands != null) {
      return new OperandLookup(operands, found).in(this, key, hash);
    }
    // What a memory component hides was hidden from the reader before, or is being deleted now.
    return deletedKeys == null
        ? findOnDisk(key, hash, found, null)
        : findValid(deletedKeys, key, found);
  }

  /** Finds the newest state of a key where some components hide what is in older ones. */
  private Origin findUnhidden(Slice key, long hash, Entry found) throws StorageException {
    for (int i = 0; i < memory.size(); i++) {
      if (memory.get(i).index().find(key, found)) {
        return Origin.MEMORY;
      }
      if (hidesBelow(i, key)) {
        return Origin.NOWHERE;
      }
    }
    return findOnDisk(key, hash, found, null);
  }

  /** Finds the newest states of many keys; see {@link LsmIndex#findAll}. */
  void findAll(LookupBatch batch) throws StorageException {
    batch.begin();
    if (deletedKeys != null || hasRanges) {
      findEach(batch);
      return;
    }
    sweepMemory(batch);
    sweepDisk(batch);
    if (operands != null) {
      OperandLookup.complete(batch, this, operands);
    }
  }

  /** Finds the newest states of many keys on disk; see {@link LsmIndex#findAllOnDisk}. */
  void findAllOnDisk(LookupBatch batch) throws StorageException {
    assert deletedKeys == null && operands == null : "an entry alone does not say what counts";
    batch.begin();
    sweepDisk(batch);
  }

  private void sweepDisk(LookupBatch batch) throws StorageException {
    new BatchSweep<Q>(shared::flushedMayHold, batch).run(disk, counters.filters);
  }

  private void sweepMemory(LookupBatch batch) {
    for (int i = 0; i < memory.size() && batch.pendingCount() > 0; i++) {
      MemoryComponent<Q> component = memory.get(i);
      if (component.index().entryCount() == 0) {
        // A put that has returned is counted.
        continue;
      }
      for (int n = 0; n < batch.pendingCount(); n++) {
        long hash = batch.hash(batch.pending(n));
        component.countQuestion(hash);
        if (shared.memoryMayHold(i, hash)) {
          batch.ask(batch.pending(n));
        }
      }
      component.index().findAll(batch);
      batch.endTurn();
    }
  }

  private void findEach(LookupBatch batch) throws StorageException {
    DeletedKeys kind = deletedKeys;
    Slice key = new Slice();
    Entry found = new Entry();
    for (int position = batch.from(); position < batch.to(); position++) {
      batch.key(position, key);
      Origin origin =
          kind == null && operands == null
              ? findUnhidden(key, batch.hash(position), found)
              : findBelowMemory(key, batch.hash(position), found);
      if (origin != Origin.NOWHERE) {
        boolean inMemory = origin == Origin.MEMORY;
        batch.found(position, found, inMemory ? LookupBatch.Place.MEMORY : LookupBatch.Place.DISK);
      }
      if (batch.isFull()) {
        batch.endBehind(position);
      }
    }
  }

  /**
   * Finds the newest state of a key in disk components, for a reader that has not acquired the
   * list; see {@link LsmIndex#findOptimistically}.
   *
   * @param possible what {@link #mayHold} says of the disk components
   * @return null when a page has to be pinned or read for the answer
   */
  @Nullable Origin findOnDiskOptimistically(Slice key, long hash, long possible, Entry found) {
    if ((possible & decided) == 0) {
      counters.filters.count(candidates, candidates);
      return Origin.NOWHERE;
    }
    int skipped = 0;
    Lookup outcome = Lookup.ABSENT;
    int looked = 0;
    long rest = possible;
    // Shifted with its sign, which stands for all that are not ruled out.
    for (int i = 0; outcome == Lookup.ABSENT && i < candidates; i++, rest >>= 1) {
      if ((rest & 1) == 0 && !hasRanges) {
        looked++;
        skipped++;
        continue;
      }
      DiskComponent<Q> component = candidate(i, key);
      if (component == null) {
        continue;
      }
      looked++;
      BloomFilter.Answer own = component.answerFromFilter(hash);
      if (own == BloomFilter.Answer.ABSENT) {
        skipped++;
      } else if (own == BloomFilter.Answer.UNREAD) {
        return null;
      } else {
        outcome = component.findOptimistically(key, found);
      }
      if (hasRanges && outcome == Lookup.ABSENT && hides(component.metadata().ranges(), key)) {
        break;
      }
    }
    if (outcome == Lookup.RETRY) {
      return null;
    }
    counters.filters.count(looked, skipped);
    return outcome == Lookup.FOUND ? Origin.DISK : Origin.NOWHERE;
  }

  /** Has the processor fetch where a key may lie while filters are still being asked. */
  private int prefetchLargest(Slice key) {
    int sum = 0;
    for (DiskIndex<?> index : largest) {
      sum += index.touchGlance(key);
    }
    return sum;
  }

  /**
   * Finds a key where deletions are kept beside the entries. The newest entry decides: whatever
   * deletes it deletes older ones with its key, too.
   */
  private Origin findValid(DeletedKeys kind, Slice key, Entry found) throws StorageException {
    int source = 0;
    for (MemoryComponent<Q> component : memory) {
      if (component.index().find(key, found)) {
        return found.antimatter() ? Origin.MEMORY : settle(kind, source, found, Origin.MEMORY);
      }
      source++;
    }
    for (DiskComponent<Q> component : flushed) {
      if (component.find(key, found)) {
        return settle(kind, source, found, Origin.DISK);
      }
      source += component.index() == null ? 0 : 1;
    }
    return Origin.NOWHERE;
  }

  private Origin settle(DeletedKeys kind, int source, Entry found, Origin origin)
      throws StorageException {
    Validity validity =
        new NewerDeletedKeys(kind, memory, flushed, newerRanges(memory, flushed))
            .validity(source, found.key());
    found.antimatter(validity != Validity.VALID);
    return switch (validity) {
      case VALID -> origin;
      case DELETED_IN_MEMORY -> Origin.MEMORY;
      case DELETED_ON_DISK -> Origin.NOWHERE;
    };
  }

  /** The component of level 0 with this number, or the one of a level behind that, for a key. */
  private @Nullable DiskComponent<Q> candidate(int number, Slice key) {
    int level = number - flushed.size();
    return level < 0 ? flushed.get(number) : levels.get(level).holding(key);
  }

  /**
   * Finds the newest state of a key in disk components.
   *
   * @param operands says whether a state is all that there is of the key; null where each is
   */
  Origin findOnDisk(Slice key, long hash, Entry found, @Nullable OperandLookup operands)
      throws StorageException {
    int probed = 0;
    int skipped = 0;
    try {
      for (int i = 0; i < candidates; i++) {
        DiskComponent<Q> component = candidate(i, key);
        if (component == null) {
          continue;
        }
        probed += component.hasFilter() ? 1 : 0;
        if (component.filterExcludes(hash)) {
          skipped++;
        } else if (component.find(key, found) && (operands == null || operands.settles(found))) {
          return Origin.DISK;
        }
        if (hasRanges && hides(component.metadata().ranges(), key)) {
          return Origin.NOWHERE;
        }
      }
      return Origin.NOWHERE;
    } finally {
      counters.filters.count(probed, skipped);
    }
  }

  /**
   * Searches every component; the cursor releases this list when it is closed, so the caller hands
   * over its own hold. When this throws, the hold stays with the caller.
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the merging cursor closes the components' cursors
  LsmCursor search(Q predicate, ComponentSelection<Q> selected) throws StorageException {
    boolean descending = format.descending(predicate);
    // The sum is looked at so that what it is made of is read.
    boolean never = touchIndexes(selected.flushed(), predicate) == NEVER_PREFETCHED;
    List<EntryCursor> cursors = new ArrayList<>(never ? 0 : memory.size() + candidates);
    try {
      for (MemoryComponent<Q> component : memory) {
        cursors.add(component.index().search(predicate));
      }
      runs.addSearch(selected, predicate, descending, cursors);
      counters.searched(cursors.size() - memory.size());
      KeyRanges<Q> ranges = format.keyRanges();
      for (int i = 0; ranges != null && i < levels.size(); i++) {
        List<DiskComponent<Q>> reached = levels.get(i).reachedBy(predicate, ranges);
        RunCursor.add(selected.of(reached), selected.opening(predicate), descending, cursors);
      }
      return states(cursors, memory, selected.flushed(), descending);
    } catch (StorageException | RuntimeException | Error e) {
      cursors.forEach(EntryCursor::close);
      throw e;
    }
  }

  /** Reconciles what was opened in the memory components and in some of those of level 0. */
  private LsmCursor states(
      List<EntryCursor> cursors,
      List<MemoryComponent<Q>> inMemory,
      List<DiskComponent<Q>> opened,
      boolean descending)
      throws StorageException {
    MergingCursor states = new MergingCursor(cursors, inMemory.size(), descending, onClose);
    NewerRanges ranges = newerRanges(inMemory, opened);
    if (operands != null) {
      LsmCursor unhidden = ranges.unhidden(states.withOlderStates());
      return new OperandCursor(unhidden, operands, OperandCursor.Form.VALUES);
    }
    if (deletedKeys == null) {
      return ranges.unhidden(states);
    }
    NewerDeletedKeys newer = new NewerDeletedKeys(deletedKeys, inMemory, opened, ranges);
    return newer.isEmpty() ? states : new ValidCursor(states, newer);
  }

  /** What ranges hide, of components that were not opened, too. */
  private NewerRanges newerRanges(
      List<MemoryComponent<Q>> inMemory, List<DiskComponent<Q>> opened) {
    if (!hasRanges) {
      return NewerRanges.NONE;
    }
    NewerRanges newer = new NewerRanges(format);
    for (MemoryComponent<Q> component : inMemory) {
      newer.source();
      newer.add(component.deletedRanges());
    }
    for (DiskComponent<Q> component : flushed) {
      if (component.index() != null && opened.contains(component)) {
        newer.source();
      }
      newer.add(component.metadata().ranges());
    }
    for (int level = 0; level < levels.size(); level++) {
      newer.source();
    }
    return newer;
  }

  /** All entries of some memory components and all on disk, as a merge reads them. */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // as in search
  LsmCursor scan(List<MemoryComponent<Q>> inMemory) throws StorageException {
    List<EntryCursor> cursors = new ArrayList<>();
    try {
      for (MemoryComponent<Q> component : inMemory) {
        cursors.add(component.index().scan());
      }
      for (DiskComponent<Q> component : flushed) {
        if (component.hasEntries()) {
          cursors.add(LiveCursor.scan(component));
        }
      }
      for (KeyRun<Q> level : levels) {
        cursors.add(RunCursor.ascending(level.components(), LiveCursor::scan));
      }
      return states(cursors, inMemory, flushed, false);
    } catch (StorageException | RuntimeException | Error e) {
      cursors.forEach(EntryCursor::close);
      throw e;
    }
  }

  /** See {@link LsmIndex#verifyRanges}. */
  @SuppressWarnings("MustBeClosedChecker") // the merging cursor closes the components' cursors
  void verifyRanges(FilterValues values) throws StorageException {
    NewerRanges ranges = newerRanges(memory, flushed);
    EntryValidity validity =
        deletedKeys == null
            ? (source, key) -> ranges.hide(source, key) ? Validity.DELETED_ON_DISK : Validity.VALID
            : new NewerDeletedKeys(deletedKeys, memory, flushed, ranges)::validity;
    List<EntryCursor> cursors = new ArrayList<>();
    List<RangeVerifier.Covering> sources = new ArrayList<>();
    try {
      for (MemoryComponent<Q> component : memory) {
        cursors.add(component.index().scan());
        sources.add(new RangeVerifier.Covering("a memory component", component.rangeFilter()));
      }
      for (DiskComponent<Q> component : disk.all()) {
        if (component.hasEntries()) {
          cursors.add(LiveCursor.scan(component));
          sources.add(
              new RangeVerifier.Covering(component.file().name(), component.metadata().filter()));
        }
      }
      MergingCursor states = new MergingCursor(cursors, memory.size(), false, () -> {});
      RangeVerifier.verify(states, validity, sources, values);
    } finally {
      cursors.forEach(EntryCursor::close);
    }
  }

  /** Has the processor fetch what searches of level 0 begin with, of all components at once. */
  private int touchIndexes(List<DiskComponent<Q>> searched, Q predicate) {
    int sum = 0;
    for (DiskComponent<Q> component : searched) {
      DiskIndex<Q> index = component.index();
      sum += index == null ? 0 : index.prefetch(predicate);
    }
    return sum;
  }

  private void releaseComponents() {
    for (DiskComponent<Q> component : disk.all()) {
      component.release();
    }
  }
}
