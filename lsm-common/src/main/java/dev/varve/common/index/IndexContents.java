package dev.varve.common.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.DeletedRanges;
import dev.varve.common.disk.ComponentVerifier;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.ComponentFile;
import java.util.List;
import java.util.Objects;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/**
 * All that an index holds, for those who read the whole of it (checks, builds of other indexes, and
 * what fills the cache) or delete ranges of it. Each call pins the components that there are when
 * it is made. Thread-safe.
 *
 * @param <Q> the kind's search predicate
 */
public final class IndexContents<Q> {
  private final IndexVersions<Q> versions;
  private final IndexTasks<Q> tasks;
  private final ComponentFormat<Q> format;
  private final String index;

  /**
   * What an index holds.
   *
   * @param index its kind and place, for messages
   */
  IndexContents(
      IndexVersions<Q> versions, IndexTasks<Q> tasks, ComponentFormat<Q> format, String index) {
    this.index = index;
    this.versions = versions;
    this.tasks = tasks;
    this.format = format;
  }

  /**
   * Has the maintenance of the index find out which entries of its components are dead, because
   * newer ones have their keys, at once and whenever components change: then searches for values
   * leave components out that only hide what is dead. For kinds that keep antimatter among the
   * entries and say {@link EntryCursor#position}.
   *
   * @param wanted asked each time; false when it need not be found out
   */
  public void findDeadEntries(BooleanSupplier wanted) {
    tasks.findDeadEntries(wanted);
  }

  /**
   * All entries ascending by key, read as a merge reads them, past the cache: for checks. Nothing
   * may be written meanwhile.
   */
  @MustBeClosed
  public EntryCursor scan() throws StorageException {
    return scan(Extent.MEMORY_AND_DISK);
  }

  /** The same of what disk components hold, while memory components are written. */
  @MustBeClosed
  public EntryCursor scanDisk() throws StorageException {
    return scan(Extent.DISK);
  }

  private enum Extent {
    MEMORY_AND_DISK,
    DISK
  }

  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the outer cursor closes the inner one, which releases
  private EntryCursor scan(Extent extent) throws StorageException {
    ComponentList<Q> list = versions.acquire();
    try {
      return new MatterCursor(list.scan(extent == Extent.DISK ? List.of() : list.memory()));
    } catch (StorageException | RuntimeException | Error e) {
      list.release();
      throw e;
    }
  }

  /**
   * Begins to delete ranges of keys, with whatever the index has of them. The caller keeps writers
   * out until the result is closed.
   *
   * @throws RequestException with {@code UNSUPPORTED} where components are cut by key range
   */
  @MustBeClosed
  public RangeDeletion<Q> newRangeDeletion() throws StorageException {
    return new RangeDeletion<>(versions, index);
  }

  /** Tells, for one thread, the entries that deleted ranges speak of by their keys. */
  public Predicate<Slice> entriesIn(DeletedRanges ranges) {
    DeletedKeys.PrimaryKeyView view = format.newPrimaryKeyView();
    Slice primaryKey = new Slice();
    return key -> ranges.contains(view.viewPrimaryKey(key, primaryKey));
  }

  /**
   * What the disk components hold that have a flush after one.
   *
   * @param states of each component its own, ascending by key, the newest component first
   * @param count how many there are
   * @param olderLeftOut whether there are older components
   */
  public record Newer(EntryCursor states, long count, boolean olderLeftOut) {}

  /** Something that is done with what the newest disk components hold. */
  @FunctionalInterface
  public interface NewerUse<T> {
    /** Does it. */
    T of(Newer newer) throws StorageException;
  }

  /**
   * Reads the disk components that hold a flush after one, as merges read: what {@link
   * LsmIndex#findAllOnDisk} looks at for a batch that leaves out what is older.
   */
  @SuppressWarnings("MustBeClosedChecker") // the cursor of a component is closed with that of all
  public <T> T withNewer(long flush, NewerUse<T> use) throws StorageException {
    ComponentList<Q> list = versions.acquire();
    try {
      List<DiskComponent<Q>> all = list.disk().all();
      List<DiskComponent<Q>> newer = list.disk().newerThan(flush);
      long count = newer.stream().mapToLong(component -> component.metadata().entries()).sum();
      try (EntryCursor states =
          RunCursor.ascending(
              newer, component -> Objects.requireNonNull(component.index()).scan())) {
        return use.of(new Newer(states, count, newer.size() < all.size()));
      }
    } finally {
      list.release();
    }
  }

  /** Something that is done with files of disk components, which stay open meanwhile. */
  @FunctionalInterface
  public interface FileUse<T> {
    /** Does it; the newest component comes first. */
    T of(List<ComponentFile> files) throws StorageException;
  }

  /** Does something with the files of the disk components that there are now. */
  public <T> T withFiles(FileUse<T> use) throws StorageException {
    ComponentList<Q> list = versions.acquire();
    try {
      return use.of(list.disk().all().stream().map(DiskComponent::file).toList());
    } finally {
      list.release();
    }
  }

  /**
   * Reads everything on disk and checks every rule: checksums, the kind's structure and that of
   * deleted-key trees, counts, filters without false negatives, components that tile, or levels
   * whose components hold the keys that the manifest says and do not overlap; that just what is
   * known to be dead is; and frames before values, where operands may be among them.
   *
   * @return number of entries on disk, antimatter and superseded states included
   * @throws CorruptionException naming the first place that breaks a rule
   */
  public long verify() throws StorageException {
    ComponentList<Q> list = versions.acquire();
    try {
      long entries = ComponentVerifier.verify(list.disk(), format.keyRanges());
      tasks.dead().verify(list.disk());
      if (Operands.of(format) != null) {
        verifyFrames(list);
      }
      return entries;
    } finally {
      list.release();
    }
  }

  private void verifyFrames(ComponentList<Q> list) throws StorageException {
    for (DiskComponent<Q> component : list.disk().all()) {
      if (component.hasEntries()) {
        try (EntryCursor entries = LiveCursor.scan(component)) {
          Operands.verify(entries);
        }
      }
    }
  }

  /**
   * Checks that each entry that counts lies between the bounds of its component. Nothing may be
   * written meanwhile.
   *
   * @throws CorruptionException naming the first component and entry for which that is not so
   */
  public void verifyRanges(FilterValues values) throws StorageException {
    ComponentList<Q> list = versions.acquire();
    try {
      list.verifyRanges(values);
    } finally {
      list.release();
    }
  }
}
