package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.DeletedRanges;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.disk.ComponentBuild;
import dev.varve.common.disk.ComponentStore;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilterBuilder;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.EntryValidity;
import dev.varve.common.index.MergePlan.Placement;
import dev.varve.common.merge.RangedComponent;
import dev.varve.common.page.Destination;
import dev.varve.common.page.ReaderShare;
import dev.varve.common.page.ReaderShare.Room;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What a merge writes: one component, or below level 0 as many as its placement cuts it into, and
 * none when there is nothing to write. Each is sealed when the next one is begun. Confined to one
 * task.
 */
final class MergeOutput<Q> {
  /** Up to this many keys of a component, their hashes are kept until its filter is made. */
  private static final long KEPT_HASHES = 4 << 20;

  private final IndexVersions<Q> versions;
  private final ComponentStore<Q> store;
  private final MergePlan<Q> plan;
  private final Placement placement;
  private final long componentLsn;

  /** Of all inputs: which of their values are in which output is not known here. */
  private final RangeFilter range;

  /** How far what was written so far was checked. */
  private LongSupplier checkedTo = () -> 0;

  private final long atMostFilteredKeys;
  private final ReaderShare readers;
  private final Destination destination;
  private final List<DiskComponent<Q>> sealed = new ArrayList<>();
  private @Nullable ComponentBuild<Q> build;
  private long headerBytes;
  private long sealedBytes;
  private int behind;
  private long overlappedBytes;

  /**
   * How much a merge writes at most.
   *
   * @param bytes of all inputs
   * @param filteredKeys that may be in the filters of all outputs together
   */
  record Size(long bytes, long filteredKeys) {}

  /** Begins to write. */
  MergeOutput(IndexVersions<Q> versions, ComponentStore<Q> store, MergePlan<Q> plan, Size atMost)
      throws StorageException {
    this.versions = versions;
    this.store = store;
    this.plan = plan;
    this.placement = plan.placement();
    this.componentLsn =
        plan.inputs().stream().mapToLong(input -> input.metadata().componentLsn()).max().orElse(-1);
    this.range = rangeOf(plan);
    this.readers = store.readerShare(plan.inputs(), atMost.bytes());
    this.destination = versions.options().components().mergeDestination(readers);
    this.atMostFilteredKeys = atMostKeysOfOne(atMost.bytes(), atMost.filteredKeys());
    if (placement.level() == 0) {
      // Even one without entries has its place among the components that tile all flushes.
      begin();
    }
  }

  private static <Q> RangeFilter rangeOf(MergePlan<Q> plan) {
    RangeFilter united = RangeFilter.EMPTY;
    for (DiskComponent<Q> input : plan.inputs()) {
      united = united.with(input.metadata().filter());
    }
    return plan.dropsAntimatter() ? united.hidingNothing() : united;
  }

  private long atMostKeysOfOne(long inputBytes, long filteredKeys) {
    if (placement.componentBytes() >= inputBytes) {
      return filteredKeys;
    }
    double part = placement.componentBytes() / (double) inputBytes;
    long expected = (long) (filteredKeys * part);
    return expected <= KEPT_HASHES
        ? BloomFilterBuilder.UNKNOWN
        : Math.min(filteredKeys, 2 * expected);
  }

  /** Says who knows how far the entries were checked; before the first is added. */
  void checkedBy(LongSupplier check) {
    assert sealed.isEmpty() : "entries were written";
    checkedTo = check;
  }

  private ComponentBuild<Q> begin() throws StorageException {
    ComponentBuild<Q> begun =
        store.newBuild(
            plan.target(),
            versions.components().disk().membership(),
            versions.options().mergedBuild(atMostFilteredKeys, destination));
    build = begun;
    headerBytes = begun.writtenBytes();
    overlappedBytes = 0;
    return begun;
  }

  long writtenBytes() {
    ComponentBuild<Q> open = build;
    return sealedBytes + (open == null ? 0 : open.writtenBytes());
  }

  /** As {@link ComponentBuild#takes}; kinds with a way of their own are never cut. */
  boolean takes(List<EntryCursor> scans, EntryValidity validity) throws StorageException {
    return placement.level() == 0 && Objects.requireNonNull(build).takes(scans, validity);
  }

  /** As {@link ComponentBuild#moveOn}. */
  long moveOn() throws StorageException {
    return Objects.requireNonNull(build).moveOn();
  }

  void add(Entry entry) throws StorageException {
    ComponentBuild<Q> open = build;
    if (open != null && placement.level() > 0 && endsBefore(open, entry.key())) {
      seal(open);
      open = null;
    }
    (open == null ? begin() : open).add(entry);
  }

  void addDeletedKey(Entry primaryKey) throws StorageException {
    (build == null ? begin() : build).addDeletedKey(primaryKey);
  }

  /** Whether the component that is being written ends before a key. */
  private boolean endsBefore(ComponentBuild<Q> open, Slice key) {
    List<RangedComponent> next = placement.behind();
    while (behind < next.size() && next.get(behind).keys().largest().compareBytes(key) < 0) {
      overlappedBytes += next.get(behind).bytes();
      behind++;
    }
    return open.writtenBytes() - headerBytes >= placement.componentBytes()
        || overlappedBytes > placement.overlapBytes();
  }

  private void seal(ComponentBuild<Q> open) throws StorageException {
    open.checkedTo(checkedTo.getAsLong());
    open.deletedRanges(deletedRanges());
    if (placement.level() == 0 && !plan.dropsAntimatter()) {
      OlderComponents.countSuperseded(versions, open);
    }
    open.finish(componentLsn, range);
    build = null;
    sealedBytes += open.writtenBytes();
    DiskComponent<Q> opened = store.openSealed(open);
    opened.expectReaders(readers.expectedOf(opened.bytes()));
    sealed.add(opened);
  }

  /** What still hides something in components that are older than all inputs. */
  private DeletedRanges deletedRanges() {
    DeletedRanges united = DeletedRanges.NONE;
    for (DiskComponent<Q> input : plan.inputs()) {
      united = united.with(input.metadata().ranges());
    }
    return plan.dropsAntimatter() ? DeletedRanges.NONE : united;
  }

  /** Seals the last component and returns all of them, ascending by key. */
  List<DiskComponent<Q>> finish() throws StorageException {
    if (build != null) {
      seal(build);
    }
    return sealed;
  }

  /** Whether readers want it by now, and have only the system's cache for it. */
  boolean wantedInSystemCache() {
    ReaderShare now = store.readerShare(plan.inputs(), writtenBytes());
    return readers.room() != Room.BUFFER_CACHE
        && versions.options().components().wantsInSystemCache(now);
  }

  /** Removes everything that was written. */
  void abort(@Nullable Throwable cause) {
    if (build != null) {
      store.abandon(build, cause);
    }
    store.abandon(sealed, cause);
  }
}
