package dev.varve.common.filter;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageLayout;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * A component's filter. Its pages are read when they are first asked for, and then held in the
 * cache; when the cache holds too much already they are pinned for each question. Thread-safe; does
 * not own the file, and must not be used once that is closed.
 */
public final class BloomFilter {
  // An array of its own type, as the tables of a file: nobody waits for a cast to read the page.
  private static final VarHandle BYTES = MethodHandles.arrayElementVarHandle(byte[][].class);

  private final PageFile file;
  private final int firstPage;
  private final boolean scattered;
  private final int probes;
  private final long keys;
  private final int blocksPerPage;

  /** By index in the filter; accessed through {@link #BYTES}. */
  private final byte[] @Nullable [] held;

  /** Where in these each page begins; written before them. */
  private final int[] heldAt;

  private BloomFilter(PageFile file, int firstPage, byte[] header, int at) {
    this.file = file;
    this.firstPage = firstPage;
    this.scattered = header[at + FilterLayout.VERSION] == FilterLayout.SCATTERED_VERSION;
    this.probes = header[at + FilterLayout.PROBES];
    this.keys = Bytes.getLong(header, at + FilterLayout.KEYS);
    this.blocksPerPage = FilterLayout.blocksPerPage(file.pageSize());
    this.held = new byte[Bytes.getInt(header, at + FilterLayout.PAGES)][];
    this.heldAt = new int[held.length];
  }

  /**
   * Opens a filter.
   *
   * @param firstPage what {@link BloomFilterBuilder#finish} returned, not 0
   */
  public static BloomFilter open(PageFile file, int firstPage) throws StorageException {
    try (PageFile.Page page = file.pin(firstPage)) {
      byte[] header = page.bytes();
      int at = page.at();
      int pages = Bytes.getInt(header, at + FilterLayout.PAGES);
      int version = header[at + FilterLayout.VERSION];
      int probes = header[at + FilterLayout.PROBES];
      if (header[at + PageLayout.KIND] != PageLayout.KIND_FILTER
          || version < FilterLayout.SCATTERED_VERSION
          || version > FilterLayout.CURRENT_VERSION
          || probes < (version == FilterLayout.CURRENT_VERSION ? FilterLayout.TOGETHER : 1)
          || probes > FilterLayout.MAX_PROBES
          || pages < 1
          || pages > file.pageCount() - firstPage
          || Bytes.getInt(header, at + FilterLayout.INDEX) != 0) {
        throw corrupt(file, firstPage, "not the first page of a filter");
      }
      return new BloomFilter(file, firstPage, header, at);
    }
  }

  /** False when no key with this hash was added; true for all that were, and some others. */
  public boolean mightContain(long hash) throws StorageException {
    int index = FilterLayout.page(hash, held.length);
    int block = FilterLayout.block(hash, blocksPerPage);
    byte[] page = held(index);
    if (page != null) {
      return test(page, heldAt[index] + block, hash);
    }
    return mightContainUnheld(index, block, hash);
  }

  /** What a filter says without reading its pages from disk. */
  public enum Answer {
    /** No key with this hash was added. */
    ABSENT,
    /** One was, or looks as if. */
    POSSIBLE,
    /** The page that knows is not held; ask {@link BloomFilter#mightContain}. */
    UNREAD
  }

  /**
   * Asks pages that are held only. May be called while the file is being closed, and after that:
   * the answer counts if the file is found open afterwards.
   */
  public Answer answerFromMemory(long hash) {
    int index = FilterLayout.page(hash, held.length);
    byte[] page = held(index);
    if (page == null) {
      return Answer.UNREAD;
    }
    int block = heldAt[index] + FilterLayout.block(hash, blocksPerPage);
    return test(page, block, hash) ? Answer.POSSIBLE : Answer.ABSENT;
  }

  /** Where the bits of keys with a hash lie, the same in all filters: for {@link #rulesOut}. */
  public static long positions(long hash) {
    return FilterLayout.positions(hash);
  }

  /**
   * What can be said by one word, as long as its page is held. Asked of many filters before any
   * answer is looked at, it has their words fetched at once, and not each when the one before has
   * answered. May be called when {@link #answerFromMemory} may.
   *
   * @param positions of the hash
   * @return true for nearly every hash that is {@link Answer#ABSENT}, and for no other
   */
  public boolean rulesOut(long hash, long positions) {
    int index = FilterLayout.page(hash, held.length);
    byte[] page = held(index);
    if (page == null || scattered) {
      return false;
    }
    int block = heldAt[index] + FilterLayout.block(hash, blocksPerPage);
    return !FilterLayout.testTogether(page, block, positions);
  }

  /** Number of keys that were added. */
  public long keys() {
    return keys;
  }

  /** Bytes of the filter's pages. */
  public long sizeBytes() {
    return (long) held.length * file.pageSize();
  }

  private byte @Nullable [] held(int index) {
    return (byte[]) BYTES.getAcquire(held, index);
  }

  private boolean mightContainUnheld(int index, int block, long hash) throws StorageException {
    PageFile.View view = file.tryHold(firstPage + index);
    if (view != null) {
      check(index, view);
      heldAt[index] = view.at();
      BYTES.setRelease(held, index, view.bytes());
      return test(view.bytes(), view.at() + block, hash);
    }
    try (PageFile.Page page = file.pin(firstPage + index)) {
      check(index, page);
      return test(page.bytes(), page.at() + block, hash);
    }
  }

  private boolean test(byte[] page, int block, long hash) {
    return scattered
        ? FilterLayout.testScattered(page, block, hash, probes)
        : FilterLayout.test(page, block, hash, probes);
  }

  private void check(int index, PageFile.View view) throws CorruptionException {
    byte[] page = view.bytes();
    int at = view.at();
    if (page[at + PageLayout.KIND] != PageLayout.KIND_FILTER
        || page[at + PageLayout.UNITS] != 1
        || Bytes.getInt(page, at + FilterLayout.INDEX) != index
        || Bytes.getInt(page, at + FilterLayout.PAGES) != held.length) {
      throw corrupt(file, firstPage + index, "not page " + index + " of a filter");
    }
  }

  private static CorruptionException corrupt(PageFile file, int pageNumber, String problem) {
    return new CorruptionException(file.name(), (long) pageNumber * file.pageSize(), problem);
  }
}
