package dev.varve.common.filter;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFileWriter;
import dev.varve.common.page.PageLayout;
import java.util.ArrayList;
import java.util.List;

/**
 * Builds the filter of a component while its entries stream by, and writes it behind them. Confined
 * to one task.
 *
 * <p>Implementation note. The size of a filter depends on the number of keys, which is known only
 * at the end. Two ways:
 *
 * <ol>
 *   <li>Few keys, or no bound known: the hashes are kept, 8 bytes each in chunks that never move,
 *       and the filter is made at the end, exactly as large as it must be.
 *   <li>Many keys and a bound known (a flush knows its entries, a merge the sum of its inputs): the
 *       bits are set at once in a filter for the bound, some 1.3 bytes a key. If there turn out to
 *       be much fewer keys, because the merge dropped old versions, the filter is folded: with n
 *       pages and a divisor d of n, pages d*i .. d*i+d-1 or-ed together are page i of the filter
 *       with n/d pages, because a key's page is its hash scaled by the number of pages. The number
 *       of pages is chosen a little above what is needed so that there are divisors.
 * </ol>
 */
public final class BloomFilterBuilder {
  /** For {@link #BloomFilterBuilder} when nobody knows how many keys will come. */
  public static final long UNKNOWN = Long.MAX_VALUE;

  /** Up to this many keys the hashes are kept. */
  private static final int KEPT_HASHES = 1 << 20;

  private static final int CHUNK = 1 << 14;

  private static final int WAITING = 256;

  /** Divisors that a number of pages is folded by, largest first. */
  private static final int[] FOLDS = {12, 6, 4, 3, 2, 1};

  private final BloomShape shape;
  private final PageFileWriter writer;
  private final int blocksPerPage;
  private final List<long[]> chunks = new ArrayList<>();
  private byte[][] pages = {};
  private long keys;

  /**
   * Hashes that wait for their bits to be set together: each set misses the processor's cache, and
   * one after the other without anything in between many of them are fetched at once.
   */
  private final long[] waiting = new long[WAITING];

  private int waitingCount;

  /** Only written, so that the reads of {@link #setWaiting} have an effect. */
  @SuppressWarnings("UnusedVariable")
  private int prefetched;

  /**
   * Starts a filter.
   *
   * @param atMostKeys no more keys than this will be added; {@link #UNKNOWN} costs 8 bytes of
   *     memory for each key
   */
  public BloomFilterBuilder(BloomShape shape, long atMostKeys, PageFileWriter writer) {
    this.shape = shape;
    this.writer = writer;
    this.blocksPerPage = FilterLayout.blocksPerPage(writer.pageSize());
    if (atMostKeys > KEPT_HASHES && atMostKeys != UNKNOWN) {
      pages = newPages(foldable(shape.pagesFor(atMostKeys, writer.pageSize())));
    }
  }

  /** Adds the hash of a key; the same key twice counts twice. */
  public void add(long hash) {
    if (pages.length > 0) {
      waiting[waitingCount++] = hash;
      if (waitingCount == WAITING) {
        setWaiting();
      }
    } else {
      int slot = (int) (keys % CHUNK);
      if (slot == 0) {
        chunks.add(new long[CHUNK]);
      }
      chunks.get(chunks.size() - 1)[slot] = hash;
    }
    keys++;
  }

  /** Bytes of memory that the builder holds now. */
  public long usedBytes() {
    return (long) chunks.size() * CHUNK * Long.BYTES + (long) pages.length * writer.pageSize();
  }

  /**
   * Appends the filter's pages to the file.
   *
   * @return number of its first page, for {@link BloomFilter#open}; 0 when there were no keys
   */
  public int finish() throws StorageException {
    if (keys == 0) {
      return 0;
    }
    int needed = shape.pagesFor(keys, writer.pageSize());
    if (pages.length == 0) {
      pages = newPages(needed);
      for (long i = 0; i < keys; i++) {
        set(chunks.get((int) (i / CHUNK))[(int) (i % CHUNK)]);
      }
      chunks.clear();
    } else {
      setWaiting();
      fold(needed);
    }
    int first = writer.nextPage();
    for (int i = 0; i < pages.length; i++) {
      byte[] page = pages[i];
      page[FilterLayout.VERSION] = FilterLayout.CURRENT_VERSION;
      page[FilterLayout.PROBES] = (byte) shape.probes();
      Bytes.putInt(page, FilterLayout.INDEX, i);
      Bytes.putInt(page, FilterLayout.PAGES, pages.length);
      Bytes.putLong(page, FilterLayout.KEYS, keys);
      int number = writer.append(PageLayout.KIND_FILTER, page, 1);
      assert number == first + i;
    }
    return first;
  }

  private void setWaiting() {
    // To set a bit takes a line for writing, and the next set waits behind it; reads do not wait
    // for each other. Java aligns arrays to eight bytes only, so a block reaches over two lines.
    int sum = 0;
    for (int i = 0; i < waitingCount; i++) {
      long hash = waiting[i];
      byte[] page = pages[FilterLayout.page(hash, pages.length)];
      int block = FilterLayout.block(hash, blocksPerPage);
      sum += page[block] + page[block + FilterLayout.BLOCK_BYTES - 1];
    }
    prefetched += sum;
    for (int i = 0; i < waitingCount; i++) {
      set(waiting[i]);
    }
    waitingCount = 0;
  }

  private void set(long hash) {
    byte[] page = pages[FilterLayout.page(hash, pages.length)];
    FilterLayout.set(page, FilterLayout.block(hash, blocksPerPage), hash, shape.probes());
  }

  /** The number with the most ways to fold among those that are at most 2 % above a number. */
  private static int foldable(int needed) {
    int best = needed;
    int mostWays = 0;
    for (int pages = needed; pages <= needed + needed / 50; pages++) {
      int ways = 0;
      for (int fold : FOLDS) {
        ways += pages % fold == 0 ? 1 : 0;
      }
      if (ways > mostWays) {
        best = pages;
        mostWays = ways;
      }
    }
    return best;
  }

  /** Or-s neighbouring pages together while enough pages stay. */
  private void fold(int needed) {
    int fold = 1;
    for (int candidate : FOLDS) {
      if (pages.length % candidate == 0 && pages.length / candidate >= needed) {
        fold = candidate;
        break;
      }
    }
    byte[][] folded = new byte[pages.length / fold][];
    for (int i = 0; i < folded.length; i++) {
      byte[] into = pages[i * fold];
      for (int j = 1; j < fold; j++) {
        byte[] from = pages[i * fold + j];
        for (int at = FilterLayout.BLOCKS; at < into.length; at += Long.BYTES) {
          Bytes.putLong(into, at, Bytes.getLong(into, at) | Bytes.getLong(from, at));
        }
      }
      folded[i] = into;
    }
    pages = folded;
  }

  private byte[][] newPages(int count) {
    byte[][] fresh = new byte[count][];
    for (int i = 0; i < count; i++) {
      fresh[i] = new byte[writer.pageSize()];
    }
    return fresh;
  }
}
