package dev.varve.common.disk;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentState;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.filter.BloomFilter;
import dev.varve.common.filter.MemoryFilter;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.Entry;
import dev.varve.common.format.KeyRanges;
import dev.varve.common.format.Lookup;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.RangedComponent;
import dev.varve.common.page.ComponentFile;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A disk component: a sealed file, the kind's index in it, its Bloom filter, and how many snapshots
 * read it. Immutable but for its state, which the owner's lock guards, and for its range, which is
 * known from the moment on that its index has a manifest.
 */
public final class DiskComponent<Q> {
  private final Path path;
  private final ComponentFile file;
  private final ComponentMetadata metadata;
  private final @Nullable DiskIndex<Q> index;
  private final @Nullable BloomFilter filter;
  private final @Nullable DiskDeletedKeys deletedKeys;

  /** Has every key that is in here, and those of neighbours. */
  private volatile @Nullable MemoryFilter sharedFilter;

  private final RefCounted users;
  private final Consumer<DiskComponent<?>> whenUnused;
  private volatile boolean deleteWhenUnused;
  private volatile ComponentState state = ComponentState.ACTIVE;

  /** What is known of the entries by now, and the file that says it; null for none. */
  private volatile Repair repair;

  private @Nullable RepairFile repairFile;

  /** Where a manifest says what counts: the file, its size and its keys. */
  private volatile @Nullable RangedComponent range;

  /** Null until somebody has asked for them. */
  private volatile @Nullable KeyInterval keys;

  /** What readers are taken to want of it until they have had time to ask for it. */
  private volatile long expectedBytes;

  private DiskComponent(
      Path path,
      ComponentFile file,
      ComponentMetadata metadata,
      ComponentFormat<Q> format,
      Consumer<DiskComponent<?>> whenUnused)
      throws StorageException {
    this.path = path;
    this.file = file;
    this.metadata = metadata;
    this.repair = Repair.of(metadata);
    this.index = metadata.rootPage() == 0 ? null : format.open(file, metadata.rootPage());
    DeletedKeys kind = format.deletedKeys();
    this.filter =
        kind != null || metadata.filterPage() == 0
            ? null
            : BloomFilter.open(file, metadata.filterPage());
    this.deletedKeys =
        kind == null || metadata.deletedRootPage() == 0
            ? null
            : DiskDeletedKeys.open(kind, file, metadata);
    this.whenUnused = whenUnused;
    this.users = new RefCounted(this::lastUserLeft);
  }

  /**
   * Opens a component and takes the file over.
   *
   * @param whenUnused takes a component that was given up and that nobody reads any more, to close
   *     and delete its files
   */
  public static <Q> DiskComponent<Q> open(
      Path path,
      ComponentFile file,
      ComponentFormat<Q> format,
      Consumer<DiskComponent<?>> whenUnused)
      throws StorageException {
    ComponentMetadata metadata = ComponentMetadata.decode(file.metadata(), file.name());
    if (!metadata.format().equals(format.name())) {
      throw new CorruptionException(
          file.name(),
          -1,
          "written by index kind " + metadata.format() + ", opened as " + format.name());
    }
    boolean stated = metadata.deletedRootPage() != 0;
    if (stated != metadata.deletedKeys() > 0 || (stated && format.deletedKeys() == null)) {
      throw new CorruptionException(
          file.name(),
          -1,
          metadata.deletedKeys()
              + " deleted keys under page "
              + metadata.deletedRootPage()
              + " in a component of index kind "
              + metadata.format());
    }
    return new DiskComponent<>(path, file, metadata, format, whenUnused);
  }

  public ComponentId id() {
    return metadata.id();
  }

  public ComponentMetadata metadata() {
    return metadata;
  }

  public ComponentFile file() {
    return file;
  }

  public ComponentStats stats() {
    // A kind has one or the other.
    long deletions = metadata.antimatter() + metadata.deletedKeys();
    return new ComponentStats(
        metadata.id(),
        bytes(),
        metadata.entries(),
        deletions,
        metadata.superseding(),
        metadata.componentLsn());
  }

  public long bytes() {
    return file.sizeBytes();
  }

  /** How many of its bytes readers want, as far as is known. Visits every page's frame. */
  public long wantedBytes() {
    return Math.max(expectedBytes, file.wantedBytes());
  }

  /**
   * Says how much readers are taken to want of it, which was written in place of what they had, or
   * is read into the cache for them.
   */
  public void expectReaders(long bytes) {
    expectedBytes = bytes;
  }

  public boolean hasEntries() {
    return index != null;
  }

  /**
   * Finds out which keys it holds, if nobody has said so yet.
   *
   * @param number which component of its index it is
   */
  void findRange(long number, KeyRanges<Q> ranges) throws StorageException {
    if (range == null && index != null) {
      setRange(number, keys(ranges));
    }
  }

  /** The smallest and the largest key of one with entries; the first caller reads two leaves. */
  public KeyInterval keys(KeyRanges<Q> ranges) throws StorageException {
    KeyInterval known = keys;
    if (known == null) {
      known = ranges.keys(Objects.requireNonNull(index));
      keys = known;
    }
    return known;
  }

  /** Says which keys it holds; before anybody else sees it. */
  void setRange(long number, KeyInterval stated) {
    keys = stated;
    range = new RangedComponent(number, bytes(), metadata.entries(), metadata.antimatter(), stated);
  }

  /** Its number, size and keys, in an index with a manifest. */
  public RangedComponent range() {
    RangedComponent known = range;
    if (known == null) {
      throw new IllegalStateException("nobody knows the keys of component " + id());
    }
    return known;
  }

  /** Which entries are dead, and how far they were checked, as far as it is known now. */
  public Repair repair() {
    return repair;
  }

  /** The file that says more of that than the component's own; null for none. */
  @Nullable RepairFile repairFile() {
    return repairFile;
  }

  /** From now on more is known of the entries; one thread at a time says so, and has it open. */
  void setRepair(Repair more, RepairFile says) {
    assert more.covers(repair) : "entries that come back in " + path;
    repairFile = says;
    repair = more;
  }

  /** The file's name. */
  String fileName() {
    return String.valueOf(path.getFileName());
  }

  /** The primary keys that are deleted here; null when there are none. */
  @Nullable
  public DiskDeletedKeys deletedKeys() {
    return deletedKeys;
  }

  /**
   * The filter of the memory component that it was flushed from; null for one that had none, and
   * for one that was not flushed.
   */
  @Nullable
  public MemoryFilter sharedFilter() {
    return sharedFilter;
  }

  /** Takes a shared filter, or lets it go. */
  public void setSharedFilter(@Nullable MemoryFilter filter) {
    sharedFilter = filter;
  }

  /** Whether there is a filter over the keys of entries. */
  public boolean hasFilter() {
    return filter != null;
  }

  /** Whether the filter rules the key out. */
  public boolean filterExcludes(long keyHash) throws StorageException {
    return filter != null && !filter.mightContain(keyHash);
  }

  /** The filter over the keys of entries. */
  @Nullable
  public BloomFilter filter() {
    return filter;
  }

  /** What the filter says as far as it is in memory; see {@link BloomFilter#answerFromMemory}. */
  public BloomFilter.Answer answerFromFilter(long keyHash) {
    return filter == null ? BloomFilter.Answer.POSSIBLE : filter.answerFromMemory(keyHash);
  }

  /** See {@link DiskIndex#findOptimistically}. */
  public Lookup findOptimistically(Slice key, Entry found) {
    return index == null ? Lookup.ABSENT : index.findOptimistically(key, found);
  }

  public boolean find(Slice key, Entry found) throws StorageException {
    return index != null && index.find(key, found);
  }

  /** The kind's index, or null when the component has no entries. */
  @Nullable
  public DiskIndex<Q> index() {
    return index;
  }

  public ComponentState state() {
    return state;
  }

  public void move(ComponentState.Event event) {
    state = state.after(event);
  }

  /** Lets the owner go and has the file deleted once the last snapshot has let go, too. */
  public void giveUp() {
    deleteWhenUnused = true;
    users.release();
  }

  public boolean acquire() {
    return users.acquire();
  }

  public void release() {
    users.release();
  }

  private void lastUserLeft() {
    if (deleteWhenUnused) {
      whenUnused.accept(this);
    } else {
      file.close();
    }
  }

  /**
   * Closes a component that nobody uses.
   *
   * @return its files
   */
  List<Path> close() {
    file.close();
    RepairFile beside = repairFile;
    return beside == null ? List.of(path) : List.of(beside.path(), path);
  }
}
