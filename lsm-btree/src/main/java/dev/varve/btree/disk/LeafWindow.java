package dev.varve.btree.disk;

import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFile.Page;
import dev.varve.common.page.PageFile.Stamp;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * The leaves that a range touches, one of them pinned at a time, and which of its slots are in the
 * range. Confined to one cursor, which gives it back: a search of several components makes most of
 * its garbage here, so that the next search of the tree takes the window that is spare.
 */
final class LeafWindow {
  private final PageFile file;
  private final LeafDirectory directory;
  private final AtomicReference<@Nullable LeafWindow> spare;
  private final LeafReader reader;
  private final Entry entry = new Entry();
  private KeyBound low = KeyBound.unbounded();
  private KeyBound high = KeyBound.unbounded();

  /** First leaf, and where in it the range begins; see {@link LeafDirectory#locate}. */
  private long first;

  /** Last leaf, and where in it the range ends. */
  private long last;

  private @Nullable Page pinned;
  private int begin;
  private int end;

  /** Only written, so that {@link #prefetched} has an effect. */
  @SuppressWarnings("UnusedVariable")
  private int prefetched;

  private LeafWindow(
      PageFile file, LeafDirectory directory, AtomicReference<@Nullable LeafWindow> spare) {
    this.file = file;
    this.directory = directory;
    this.spare = spare;
    this.reader = new LeafReader(file);
  }

  /**
   * A window of a tree.
   *
   * @param spare one of the same tree that nobody uses, or none; takes back what is given back
   */
  static LeafWindow of(
      PageFile file, LeafDirectory directory, AtomicReference<@Nullable LeafWindow> spare) {
    LeafWindow unused = spare.getPlain() == null ? null : spare.getAndSet(null);
    return unused == null ? new LeafWindow(file, directory, spare) : unused;
  }

  /** Moves to a range; no leaf is pinned yet. */
  LeafWindow over(KeyBound newLow, KeyBound newHigh) throws StorageException {
    low = newLow;
    high = newHigh;
    first = low.isBounded() ? directory.locate(low.key()) : 0;
    last =
        high.isBounded()
            ? directory.locate(high.key())
            : LeafFences.found(directory.leafCount() - 1, 0);
    return this;
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
  @SuppressWarnings("MustBeClosedChecker") // unpin() closes what is pinned
  void load(int leaf) throws StorageException {
    unpin();
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

  /** The entry that was viewed last; the same object as long as the window is not given back. */
  Entry entry() {
    return entry;
  }

  /** Points the entry at the one in a slot of the loaded leaf. */
  void view(int slot) throws CorruptionException {
    reader.view(slot, entry);
  }

  /** Where the entry in a slot of the loaded leaf lies in the tree. */
  long position(int slot) {
    return reader.position(slot);
  }

  /** Another leaf may be loaded afterwards. */
  void unpin() {
    Page page = pinned;
    pinned = null;
    if (page != null) {
      page.close();
    }
  }

  /** Unpins; whoever gave it back does not touch it any more. */
  void giveBack() {
    unpin();
    reader.unload(entry);
    spare.setRelease(this);
  }
}
