package dev.varve.btree.disk;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.LookupBatch;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageFile.Page;
import dev.varve.common.page.PageFile.Stamp;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Looks many keys up in a tree, ascending, so that leaves are visited in the order in which they
 * lie in the file. Confined to one lookup.
 *
 * <p>Implementation note. A lookup begins where the one before ended (Efficient Data Ingestion and
 * Query Processing for LSM-Based Storage Systems, section 3.2): a key that lies between two keys of
 * the same leaf is found there; for another one the fences behind are searched by steps that
 * double, unless the tree's model tells at once where it is expected. Keys are taken in groups.
 * First it is made out for all keys of a group where they are expected; then the memory there is
 * prefetched for all of them, so that the processor waits for many lines at once and not for one
 * after the other; then they are looked up. Pages in the cache are not pinned, but asked afterwards
 * whether they stayed there. Where one is missing, those of many keys to come are made out, and
 * read ahead by others, several at once.
 */
final class LeafSweep {
  /** Keys whose leaves are fetched together; more would push each other out of the first cache. */
  private static final int GROUP = 16;

  /** Keys whose leaves are read ahead. */
  private static final int MOST_AHEAD = 128;

  /** So many leaves that are missing are read ahead; fewer are read one by one. */
  private static final int FEWEST_FETCHED = 3;

  /** Place of a key that only whole separators tell. */
  private static final int NO_PAGE = 0;

  private final PageFile file;
  private final LeafDirectory directory;
  private final LookupBatch batch;

  /** Of some leaf of the tree, or 0; see {@link LeafPage#prefetchAlike}. */
  private long alike;

  private final int[] pages = new int[GROUP];
  private final long[] positions = new long[GROUP];
  private final boolean[] exact = new boolean[GROUP];
  private final Slice key = new Slice();
  private final Entry found = new Entry();

  /** A leaf that no key to come is before, of those whose place is still to be made out. */
  private int expectedLeaf;

  /** The same of those that are still to be looked up. */
  private int foundLeaf;

  /** Leaves that are being read ahead. */
  private PageFile.@Nullable Fetch fetch;

  /** Behind the last key that leaves were read ahead for. */
  private int fetchedTo;

  /** Number of keys in the page that was looked into last. */
  private int count;

  /** Only written, so that prefetching has an effect. */
  @SuppressWarnings("UnusedVariable")
  private long prefetched;

  /**
   * A sweep of a tree with leaves.
   *
   * @param alike header of some leaf of the tree, or 0
   */
  LeafSweep(PageFile file, LeafDirectory directory, LookupBatch batch, long alike) {
    this.file = file;
    this.directory = directory;
    this.batch = batch;
    this.alike = alike;
  }

  /** Finds the keys that the batch asks for. */
  void run() throws StorageException {
    try {
      sweep();
    } finally {
      endFetch();
    }
  }

  private void sweep() throws StorageException {
    int count = batch.askedCount();
    for (int from = 0; from < count && !batch.isFull(); from += GROUP) {
      int size = Math.min(GROUP, count - from);
      for (int i = 0; i < size; i++) {
        expect(i, batch.key(batch.asked(from + i), key));
      }
      boolean missing = false;
      for (int i = 0; i < size; i++) {
        missing |= !prefetch(i);
      }
      if (missing && from >= fetchedTo) {
        fetchFrom(from, Math.min(count, from + MOST_AHEAD));
      }
      for (int i = 0; i < size && !batch.isFull(); i++) {
        find(i, batch.asked(from + i));
      }
    }
  }

  /** Header of some leaf that was read; 0 when there was none. */
  long alike() {
    return alike;
  }

  /** Makes out which page a key is expected in, and where in it. */
  private void expect(int i, Slice wanted) {
    long estimate = directory.estimate(wanted);
    if (estimate != LeafModel.NONE) {
      pages[i] = LeafFences.leaf(estimate);
      positions[i] = LeafFences.position(estimate);
      exact[i] = false;
      return;
    }
    long place = directory.findOptimisticallyFrom(wanted, expectedLeaf);
    exact[i] = true;
    if (place == LeafFences.TIED) {
      pages[i] = NO_PAGE;
      return;
    }
    expectedLeaf = LeafFences.leaf(place);
    pages[i] = directory.leafPage(expectedLeaf);
    positions[i] = LeafFences.position(place);
  }

  /** False where the page is not in the cache. */
  private boolean prefetch(int i) {
    byte[] page = file.optimisticBytes(pages[i]);
    if (page != null) {
      prefetched += LeafPage.prefetchAlike(page, file.optimisticAt(pages[i]), alike, positions[i]);
    }
    return page != null || pages[i] == NO_PAGE;
  }

  /** Has the leaves of keys that are not in the cache read ahead. */
  private void fetchFrom(int from, int to) {
    endFetch();
    fetchedTo = to;
    int[] wanted = new int[to - from];
    int size = 0;
    int leaf = foundLeaf;
    for (int n = from; n < to; n++) {
      long place = directory.findOptimisticallyFrom(batch.key(batch.asked(n), key), leaf);
      if (place == LeafFences.TIED) {
        continue;
      }
      leaf = LeafFences.leaf(place);
      int page = directory.leafPage(leaf);
      boolean repeated = size > 0 && wanted[size - 1] == page;
      if (!repeated && file.optimisticBytes(page) == null) {
        wanted[size++] = page;
      }
    }
    if (size >= FEWEST_FETCHED) {
      fetch = file.fetch(Arrays.copyOf(wanted, size));
    }
  }

  private void endFetch() {
    PageFile.Fetch begun = fetch;
    if (begun != null) {
      fetch = null;
      begun.close();
    }
  }

  private void find(int i, int position) throws StorageException {
    batch.key(position, key);
    int slot = pages[i] == NO_PAGE ? LeafPage.DAMAGED : look(pages[i], positions[i], position);
    if (slot == LeafPage.DAMAGED || (!exact[i] && isBesideAll(slot))) {
      long place = directory.locateFrom(key, foundLeaf);
      foundLeaf = LeafFences.leaf(place);
      int pageNumber = directory.leafPage(foundLeaf);
      // The page that was looked into already is pinned; another one may well be in the cache.
      if (pageNumber == pages[i]
          || look(pageNumber, LeafFences.position(place), position) == LeafPage.DAMAGED) {
        findPinned(pageNumber, LeafFences.position(place), position);
      }
    }
    if (batch.isFull()) {
      batch.endBehind(position);
    }
  }

  /** Whether the page that was looked into last need not be the key's. */
  private boolean isBesideAll(int slot) {
    return slot == ~0 || slot == ~count;
  }

  /**
   * Looks into a page without pinning it.
   *
   * @return as {@link LeafPage#findInPlace}; {@link LeafPage#DAMAGED} also when the page is not in
   *     the cache, or did not stay there
   */
  private int look(int pageNumber, long near, int position) {
    // In this order: a stamp says nothing of bytes that were found before it was taken.
    Stamp stamp = file.stamp(pageNumber);
    byte[] page = file.optimisticBytes(pageNumber);
    if (stamp == null || page == null) {
      return LeafPage.DAMAGED;
    }
    int at = file.optimisticAt(pageNumber);
    if (LeafPage.headerProblem(page, at, file.pageSize()) != null) {
      return LeafPage.DAMAGED;
    }
    int slot = LeafPage.findInPlace(page, at, key, near, found);
    count = LeafPage.count(LeafPage.header(page, at));
    int mark = slot < 0 ? 0 : found(position, pageNumber, slot);
    if (file.validate(pageNumber, stamp)) {
      remember(page, at);
      return slot;
    }
    if (slot >= 0) {
      batch.retract(position, mark);
    }
    return LeafPage.DAMAGED;
  }

  private void findPinned(int pageNumber, long near, int position) throws StorageException {
    try (Page pinned = file.pin(pageNumber)) {
      byte[] page = pinned.bytes();
      int at = pinned.at();
      String problem = LeafPage.headerProblem(page, at, file.pageSize());
      if (problem != null) {
        throw damaged(pageNumber, problem);
      }
      remember(page, at);
      int slot = LeafPage.findInPlace(page, at, key, near, found);
      if (slot == LeafPage.DAMAGED) {
        throw damaged(pageNumber, "entry out of bounds");
      }
      if (slot >= 0) {
        found(position, pageNumber, slot);
      }
    }
  }

  private int found(int position, int pageNumber, int slot) {
    batch.liesAt(position, LeafReader.position(file, pageNumber, slot));
    return batch.found(position, found, LookupBatch.Place.DISK);
  }

  private void remember(byte[] page, int at) {
    if (alike == 0) {
      alike = LeafPage.header(page, at);
    }
  }

  private CorruptionException damaged(int pageNumber, String problem) {
    return new CorruptionException(file.name(), (long) pageNumber * file.pageSize(), problem);
  }
}
