package dev.varve.btree.disk;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.Lookup;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFile.Page;
import dev.varve.common.page.PageFile.Stamp;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * A bulk-loaded B+-tree on the pages of a sealed file. Immutable and thread-safe; it does not own
 * the file, which stays open as long as the tree is used.
 *
 * <p>Format: docs/format/btree.md.
 */
public final class DiskTree {
  /** Root page of a tree without entries, which has no pages at all. */
  public static final int NO_ROOT = 0;

  /** What a look for a key into the page of one leaf, and no other, says. */
  private enum Look {
    FOUND,
    /** Keys of the leaf lie on both sides: no leaf has it. */
    BETWEEN_TWO,
    /** It lies below or above all keys of the leaf: another leaf may have it. */
    BESIDE_ALL,
    /** The page is not in the cache, did not stay there, is damaged, or no leaf. */
    NOT_SEEN
  }

  private final PageFile file;
  private final int rootPage;
  private final @Nullable LeafDirectory directory;

  /** What a search left to the next one. */
  private final AtomicReference<@Nullable LeafWindow> spareWindow = new AtomicReference<>();

  /** {@linkplain LeafPage Header} of some leaf that was read: those of one tree are much alike. */
  private long alike;

  private DiskTree(PageFile file, int rootPage, @Nullable LeafDirectory directory) {
    this.file = file;
    this.rootPage = rootPage;
    this.directory = directory;
  }

  /**
   * Opens a tree, reading its interior pages.
   *
   * @param rootPage what {@link TreeBuilder#finish} returned
   */
  public static DiskTree open(PageFile file, int rootPage) throws StorageException {
    return new DiskTree(
        file, rootPage, rootPage == NO_ROOT ? null : new LeafDirectory(file, rootPage));
  }

  /**
   * Finds the entry with a key and copies it, if its leaf is in the cache; see {@link
   * dev.varve.common.format.DiskIndex#findOptimistically}.
   */
  public Lookup findOptimistically(Slice key, Entry found) {
    if (directory == null) {
      return Lookup.ABSENT;
    }
    long estimate = directory.estimate(key);
    Look look = Look.BESIDE_ALL;
    if (estimate != LeafModel.NONE) {
      int pageNumber = LeafFences.leaf(estimate);
      look = look(pageNumber, LeafFences.position(estimate), key, found);
    }
    if (look == Look.BESIDE_ALL) {
      long place = directory.findOptimistically(key);
      if (place == LeafFences.TIED) {
        return Lookup.RETRY;
      }
      int pageNumber = directory.leafPage(LeafFences.leaf(place));
      look = look(pageNumber, LeafFences.position(place), key, found);
    }
    return switch (look) {
      case FOUND -> Lookup.FOUND;
      case BETWEEN_TWO, BESIDE_ALL -> Lookup.ABSENT;
      case NOT_SEEN -> Lookup.RETRY;
    };
  }

  /** Looks for a key in the page of one leaf, without pinning it. */
  private Look look(int pageNumber, long position, Slice key, Entry found) {
    // In this order: a stamp says nothing of bytes that were found before it was taken.
    Stamp stamp = file.stamp(pageNumber);
    byte[] page = file.optimisticBytes(pageNumber);
    if (stamp == null || page == null) {
      return Look.NOT_SEEN;
    }
    int at = file.optimisticAt(pageNumber);
    long prefetched = LeafPage.prefetchAlike(page, at, alike, position);
    int slot = LeafPage.DAMAGED;
    int count = 0;
    if (LeafPage.headerProblem(page, at, file.pageSize()) == null) {
      if (alike == 0) {
        alike = LeafPage.header(page, at);
      }
      count = LeafPage.count(LeafPage.header(page, at));
      slot = LeafPage.find(page, at, key, position, found);
    }
    if (slot == LeafPage.DAMAGED
        || prefetched == LeafPage.NEVER_PREFETCHED
        || !file.validate(pageNumber, stamp)) {
      // Damage is reported by the reader with a pin, whose page cannot have changed meanwhile.
      return Look.NOT_SEEN;
    }
    if (slot >= 0) {
      return Look.FOUND;
    }
    return slot != ~0 && slot != ~count ? Look.BETWEEN_TWO : Look.BESIDE_ALL;
  }

  /** Has the processor fetch what {@link #findOptimistically} looks at first. */
  public int touchGlance(Slice key) {
    return directory == null ? 0 : directory.touchEstimate(key);
  }

  /**
   * Has the processor fetch what a search from a key begins with; see {@link
   * dev.varve.common.format.DiskIndex#prefetch}.
   */
  public int prefetch(Slice key) {
    return directory == null ? 0 : directory.prefetch(key);
  }

  /** Finds the entry with a key and copies it; false when there is none. */
  public boolean find(Slice key, Entry found) throws StorageException {
    if (directory == null) {
      return false;
    }
    long place = directory.locate(key);
    int pageNumber = directory.leafPage(LeafFences.leaf(place));
    try (Page pinned = file.pin(pageNumber)) {
      byte[] page = pinned.bytes();
      int at = pinned.at();
      String problem = LeafPage.headerProblem(page, at, file.pageSize());
      if (problem != null) {
        throw damaged(pageNumber, problem);
      }
      if (alike == 0) {
        alike = LeafPage.header(page, at);
      }
      int slot = LeafPage.find(page, at, key, LeafFences.position(place), found);
      if (slot == LeafPage.DAMAGED) {
        throw damaged(pageNumber, "entry out of bounds");
      }
      return slot >= 0;
    }
  }

  /**
   * Finds the entries with the keys that a batch asks for; see {@link
   * dev.varve.common.format.DiskIndex#findAll}.
   */
  public void findAll(LookupBatch batch) throws StorageException {
    if (directory != null) {
      LeafSweep sweep = new LeafSweep(file, directory, batch, alike);
      sweep.run();
      alike = sweep.alike();
    }
  }

  /** The entries between two bounds, lowest key first, read through the cache. */
  @MustBeClosed
  public EntryCursor ascending(KeyBound low, KeyBound high) throws StorageException {
    return directory == null
        ? new ScanCursor(file, null)
        : new AscendingCursor(window(directory, low, high).prefetched(alike, true));
  }

  /** The entries between two bounds, highest key first, read through the cache. */
  @MustBeClosed
  public EntryCursor descending(KeyBound low, KeyBound high) throws StorageException {
    return directory == null
        ? new ScanCursor(file, null)
        : new DescendingCursor(window(directory, low, high).prefetched(alike, false));
  }

  private LeafWindow window(LeafDirectory leaves, KeyBound low, KeyBound high)
      throws StorageException {
    return LeafWindow.of(file, leaves, spareWindow).over(low, high);
  }

  /** All entries, lowest key first, read sequentially and past the cache. */
  @MustBeClosed
  public EntryCursor scan() {
    return new ScanCursor(file, directory);
  }

  /**
   * Checks every rule of the format, reading each page from disk.
   *
   * @return the number of entries
   * @throws CorruptionException naming the first page that breaks a rule
   */
  public long verify() throws StorageException {
    return rootPage == NO_ROOT ? 0 : new TreeVerifier(file).verify(rootPage);
  }

  private CorruptionException damaged(int pageNumber, String problem) {
    return new CorruptionException(file.name(), (long) pageNumber * file.pageSize(), problem);
  }
}
