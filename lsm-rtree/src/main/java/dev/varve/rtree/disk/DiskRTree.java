package dev.varve.rtree.disk;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DiskIndex;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageFile;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.rtree.query.Frontier;
import dev.varve.rtree.query.RegionQuery;
import dev.varve.rtree.query.SpatialQuery;
import dev.varve.rtree.query.SpatialSource;
import org.jspecify.annotations.Nullable;

/**
 * A bulk-loaded R-tree on the pages of a sealed file. Immutable and thread-safe; it does not own
 * the file, which stays open as long as the tree is used.
 *
 * <p>Format: docs/format/rtree.md.
 */
public final class DiskRTree implements DiskIndex<SpatialQuery>, SpatialSource {
  /** Root page of a tree without entries, which has no pages at all. */
  public static final int NO_ROOT = 0;

  private final PageFile file;
  private final int rootPage;
  private final Directory directory;

  private DiskRTree(PageFile file, int rootPage, Directory directory) {
    this.file = file;
    this.rootPage = rootPage;
    this.directory = directory;
  }

  /**
   * Opens a tree with entries, reading its interior pages.
   *
   * @param rootPage what {@link RTreeBuilder#finish} returned
   */
  public static DiskRTree open(PageFile file, int rootPage) throws StorageException {
    return new DiskRTree(file, rootPage, new Directory(file, rootPage));
  }

  @Override
  public boolean find(Slice key, Entry found) throws StorageException {
    if (!SpatialKey.isWellFormed(key)) {
      return false;
    }
    LeafReader reader = new LeafReader(file);
    Entry view = new Entry();
    // Entries of one position may go on over several leaves.
    for (int leaf = directory.firstLeafAt(SpatialKey.position(key));
        leaf < directory.leafCount();
        leaf++) {
      int pageNumber = directory.leafPage(leaf);
      try (PageFile.Page page = file.pin(pageNumber)) {
        reader.load(page, pageNumber);
        int slot = slotAtOrAbove(reader, key, view);
        if (slot < reader.count()) {
          reader.view(slot, view);
          if (!view.key().sameBytes(key)) {
            return false;
          }
          found.copyOf(view);
          return true;
        }
      }
    }
    return false;
  }

  private static int slotAtOrAbove(LeafReader reader, Slice key, Entry view)
      throws CorruptionException {
    int low = 0;
    int high = reader.count();
    while (low < high) {
      int middle = (low + high) >>> 1;
      reader.view(middle, view);
      if (view.key().compareBytes(key) < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }

  @Override
  @MustBeClosed
  public EntryCursor search(SpatialQuery query) throws StorageException {
    return query.openIn(this);
  }

  @Override
  @MustBeClosed
  public EntryCursor search(RegionQuery query) {
    return new RegionCursor(file, directory, query);
  }

  @Override
  @MustBeClosed
  public EntryCursor scan() {
    return new ScanCursor(file, directory);
  }

  @Override
  public void expand(@Nullable Object branch, Frontier frontier) throws StorageException {
    Branch.of(branch, directory).expand(file, directory, frontier);
  }

  @Override
  public long verify() throws StorageException {
    return new RTreeVerifier(file).verify(rootPage);
  }
}
