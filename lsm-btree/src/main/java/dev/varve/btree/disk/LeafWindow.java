package dev.varve.btree.disk;

import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFile.Page;
import dev.varve.common.page.PageFile.Stamp;
import org.jspecify.annotations.Nullable;

/**
 * The leaves that a range touches, one of them pinned at a time, and which of its slots are in the
 * range. Confined to one cursor, which closes it.
 */
final class LeafWindow implements AutoCloseable {
  private final PageFile file;
  private final LeafDirectory directory;
  private final KeyBound low;
  private final KeyBound high;

  /** First leaf, and where in it the range begins; see {@link LeafDirectory#locate}. */
  private final long first;

  /** Last leaf, and where in it the range ends. */
  private final long last;

  private final LeafReader reader;
  private @Nullable Page pinned;
  private int begin;
  private int end;

  /** Only written, so that {@link #prefetched} has an effect. */
  @SuppressWarnings("UnusedVariable")
  private int prefetched;

  LeafWindow(PageFile file, LeafDirectory directory, KeyBound low, KeyBound high)
      throws StorageException {
    this.file = file;
    this.directory = directory;
    this.low = low;
    this.high = high;
    this.first = low.isBounded() ? directory.locate(low.key()) : 0;
    this.last =
        high.isBounded()
            ? directory.locate(high.key())
            : LeafFences.found(directory.leafCount() - 1, 0);
    this.reader = new LeafReader(file);
  }

  /**
   * Has the memory fetched where a walk from one end of the range begins, if it is in the cache.
   *
   * @param alike header of some leaf of the tree, or 0: those of one tree are much alike
   */
  LeafWindow prefetched(long alike, boolean upwards) {
    long place = upwards ? first : last;
    int pageNumber = directory.leafPage(LeafFences.leaf(place));
    Stamp stamp = file.stamp(pageNumber);
    byte[] page = file.optimisticBytes(pageNumber);
    if (stamp != null && page != null) {
      int at = file.optimisticAt(pageNumber);
      long position = LeafFences.position(place);
      prefetched = stamp.prefetch() + LeafPage.prefetch(page, at, alike, position, upwards);
    }
    return this;
  }

  /** The first leaf of the range. */
  int firstLeaf() {
    return LeafFences.leaf(first);
  }

  /** The last leaf of the range; before the first one when the bounds cross. */
  int lastLeaf() {
    return LeafFences.leaf(last);
  }

  /** First slot of the loaded leaf in the range. */
  int begin() {
    return begin;
  }

  /** Slot behind the last one of the loaded leaf in the range. */
  int end() {
    return end;
  }

  /** Pins a leaf instead of the one before. */
  @SuppressWarnings("MustBeClosedChecker") // close() unpins what is pinned
  void load(int leaf) throws StorageException {
    close();
    int pageNumber = directory.leafPage(leaf);
    Page page = file.pin(pageNumber);
    pinned = page;
    reader.load(page, pageNumber);
    begin = 0;
    end = reader.count();
    if (leaf == firstLeaf() && low.isBounded()) {
      begin = slot(low.key(), first, !low.isInclusive());
    }
    if (leaf == lastLeaf() && high.isBounded()) {
      end = slot(high.key(), last, high.isInclusive());
    }
  }

  /** The slot of a key, or behind it, or where it would be. */
  private int slot(Slice key, long place, boolean behind) throws CorruptionException {
    int slot = reader.search(key, LeafFences.position(place));
    if (slot == LeafPage.DAMAGED) {
      throw reader.damaged("entry out of bounds");
    }
    if (slot < 0) {
      return ~slot;
    }
    return behind ? slot + 1 : slot;
  }

  /** Points an entry at the one in a slot of the loaded leaf. */
  void view(int slot, Entry entry) throws CorruptionException {
    reader.view(slot, entry);
  }

  /** Where the entry in a slot of the loaded leaf lies in the tree. */
  long position(int slot) {
    return reader.position(slot);
  }

  /** Unpins; another leaf may be loaded afterwards. */
  @Override
  public void close() {
    Page page = pinned;
    pinned = null;
    if (page != null) {
      page.close();
    }
  }
}
