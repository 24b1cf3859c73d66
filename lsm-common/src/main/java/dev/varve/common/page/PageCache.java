package dev.varve.common.page;

import dev.varve.common.env.TaskExecutor;
import java.util.Arrays;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The buffer cache: pages of sealed files, kept within a budget of bytes by a clock. Thread-safe.
 *
 * <p>Implementation note.
 *
 * <ol>
 *   <li>Each file has a table of its pages' frames, indexed by page number. A hit is one read of
 *       that table and one atomic addition to the frame ({@link Frame}): no lock, no hashing, no
 *       allocation. A stamp is a hit that does not even look at the frame: it sets a mark in
 *       another table of the file, unless that is set, which the clock takes away.
 *   <li>A miss takes one of {@value #LOADING_LOCKS} locks, chosen by the page, and looks again, so
 *       that a page is read once however many want it. It holds no other lock while it reads.
 *   <li>What is evicted and when is decided shard by shard ({@link CacheShard}), so that misses of
 *       many threads do not queue up at one lock; only misses and the closing of files take a
 *       shard's. Order: turn ({@link #awaitTurn}), loading lock, a shard's, that of the blocks.
 *   <li>Pages of one unit are parts of long arrays ({@link PageBlocks}), which no collector has to
 *       copy, and in which pages that were read one after the other lie side by side. A reader
 *       takes the array and the place in it from two tables of the file, at the same time.
 *   <li>A page that was never hit after it was read goes at the hand's first visit, one that was
 *       hit at its second: a scan that reads each page once does not push out what is used.
 *   <li>While all open files fit in together, a miss close to a cached page also brings the pages
 *       behind the one that was missing ({@link CacheFill}). A thread that reads ahead only tries
 *       locks.
 *   <li>When everything in a shard is pinned the cache exceeds its budget rather than wait for a
 *       pin that may be its own caller's, counts that, and shrinks with the next misses.
 * </ol>
 */
public final class PageCache {
  /**
   * Whether assertions are on: then pins are checked one by one, and dead pages are overwritten.
   */
  static final boolean CHECKED = PageCache.class.desiredAssertionStatus();

  /** What a page is overwritten with when it is evicted and assertions are on. */
  static final byte DEAD_BYTE = (byte) 0xCC;

  private static final int LOADING_LOCK_BITS = 8;

  private static final int LOADING_LOCKS = 1 << LOADING_LOCK_BITS;

  private static final int MOST_SHARD_BITS = 4;

  /**
   * A shard has room for eight of the longest pages, so that shards fill as evenly as one would.
   */
  private static final long LEAST_SHARD_BYTES = 16L << 20;

  /** More than several reads of a disk take. */
  static final long TURN_NANOS = 10_000_000;

  /** Pages that are read ahead for one lookup take at most this part of the budget. */
  private static final int MOST_FETCHED_PART = 8;

  private final ReentrantLock[] loadingLocks = new ReentrantLock[LOADING_LOCKS];
  private final CacheShard[] shards;
  private final StripedCounter optimisticHits = new StripedCounter();
  private final CacheFill fill = new CacheFill();
  private final Semaphore turns = new Semaphore(Runtime.getRuntime().availableProcessors());
  private final long turnNanos;
  private final AtomicLong openBytes = new AtomicLong();
  private final long budgetBytes;
  private final LongSupplier spareBytes;
  private volatile @Nullable PageFetcher fetcher;
  private volatile boolean filling;
  private volatile boolean fillsAtOpening;

  /** A cache without pages that may hold so many bytes of them, above a system of any memory. */
  public PageCache(long budgetBytes) {
    this(budgetBytes, () -> Long.MAX_VALUE);
  }

  /**
   * A cache without pages.
   *
   * @param budgetBytes that it may hold
   * @param spareBytes asked, by any thread, for memory that the system can have for files
   */
  public PageCache(long budgetBytes, LongSupplier spareBytes) {
    this(budgetBytes, shardBits(budgetBytes), TURN_NANOS, spareBytes);
  }

  /**
   * A cache of 2 to the power of so many shards.
   *
   * @param turnNanos how long a reader waits for a turn at most
   */
  PageCache(long budgetBytes, int shardBits, long turnNanos) {
    this(budgetBytes, shardBits, turnNanos, () -> Long.MAX_VALUE);
  }

  private PageCache(long budgetBytes, int shardBits, long turnNanos, LongSupplier spareBytes) {
    if (budgetBytes < 0) {
      throw new IllegalArgumentException("a cache of " + budgetBytes + " bytes");
    }
    this.budgetBytes = budgetBytes;
    this.turnNanos = turnNanos;
    this.spareBytes = spareBytes;
    this.shards = new CacheShard[1 << shardBits];
    Arrays.setAll(loadingLocks, i -> new ReentrantLock());
    PageBlocks blocks = new PageBlocks(budgetBytes);
    Arrays.setAll(shards, i -> new CacheShard((budgetBytes + i) >>> shardBits, blocks));
  }

  /** One shard for a small cache, up to 16 for one of 256 MiB and more. */
  static int shardBits(long budgetBytes) {
    int bits = 0;
    while (bits < MOST_SHARD_BITS && budgetBytes >>> (bits + 1) >= LEAST_SHARD_BYTES) {
      bits++;
    }
    return bits;
  }

  /** What the cache did so far, and what it holds. Visits every page's frame. */
  public PageCacheStats stats() {
    return Arrays.stream(shards)
        .map(CacheShard::stats)
        .reduce(
            new PageCacheStats(optimisticHits.sum(0), 0, 0, 0, 0, 0, 0, 0), PageCacheStats::plus);
  }

  /** Counts a hit of somebody who pinned nothing. */
  void countOptimisticHit() {
    optimisticHits.add(StripedCounter.stripe(), 0, 1);
  }

  /** Expects pages of a file that was opened, until they are dropped. */
  void expect(ComponentFile file) {
    openBytes.addAndGet(file.sizeBytes());
  }

  /** Says that somebody reads into it, or beneath it, what an index has when it is opened. */
  public void fillAtOpening() {
    fillsAtOpening = true;
  }

  /** Whether somebody does: then readers want it, although they have not asked for it yet. */
  public boolean fillsAtOpening() {
    return fillsAtOpening;
  }

  /**
   * A thread has begun to read all open files into the cache, or into the system's: until {@link
   * #endFill} readers bring the page that they ask for and none besides, and as many at a time as
   * there are processors. Idempotent.
   */
  public void beginFill() {
    filling = true;
  }

  /** No thread reads them all any more. Idempotent. */
  public void endFill() {
    filling = false;
  }

  /**
   * Waits for a turn to read a page, while a thread reads them all: readers who outnumber the
   * processors would take them from that thread, to read in pieces what it reads at once. Goes on
   * without one where the disk is slow, or the thread was interrupted.
   *
   * @return to be released when the page was read; null for none
   */
  @Nullable Semaphore awaitTurn() {
    try {
      return filling && turns.tryAcquire(turnNanos, TimeUnit.NANOSECONDS) ? turns : null;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return null;
    }
  }

  /** Reads pages ahead behind one that was read just now, if that cannot push out others. */
  void readBehind(ComponentFile file, Frame read) {
    if (!filling && fitsAll()) {
      fill.readBehind(file, read);
    }
  }

  /**
   * Has pages that lookups of many keys are about to ask for read by threads of their own, until
   * the result is closed. At most once.
   */
  public TaskExecutor.Handle fetchBy(TaskExecutor executor) {
    assert fetcher == null : "fetched by others already";
    PageFetcher made = new PageFetcher(executor);
    fetcher = made;
    return made;
  }

  /**
   * Begins to read pages ahead; null while all open files fit in, which {@link CacheFill} sees to,
   * and where so many pages would push out what the cache is for.
   */
  PageFile.@Nullable Fetch fetch(PageFetch.Source source, int[] pages, int pageSize) {
    return fitsAll() ? null : fetchAtOpening(source, pages, pageSize);
  }

  /** The same whether all open files fit in or not, since hardly any of these pages is there. */
  PageFile.@Nullable Fetch fetchAtOpening(PageFetch.Source source, int[] pages, int pageSize) {
    PageFetcher by = fetcher;
    return by == null || (long) pages.length * pageSize > budgetBytes / MOST_FETCHED_PART
        ? null
        : by.begin(source, pages);
  }

  /** Whether all pages of all open files fit in together. */
  public boolean fitsAll() {
    return openBytes.get() <= budgetBytes;
  }

  /** How many bytes of pages it may have. */
  public long budgetBytes() {
    return budgetBytes;
  }

  /** Whether they do together with so many bytes of files that are being written. */
  public boolean fitsAllWith(long bytes) {
    return openBytes.get() + bytes <= budgetBytes;
  }

  /** Where so many bytes have room beside all open files. */
  public ReaderShare.Room roomFor(long bytes) {
    if (fitsAllWith(bytes)) {
      return ReaderShare.Room.BUFFER_CACHE;
    }
    return bytes <= spareBytes.getAsLong() ? ReaderShare.Room.SYSTEM_CACHE : ReaderShare.Room.NONE;
  }

  /** The lock under which a page is looked for and read. */
  ReentrantLock loadingLock(ComponentFile file, int pageNumber) {
    return loadingLocks[mixed(file.fileId(), pageNumber) >>> (Integer.SIZE - LOADING_LOCK_BITS)];
  }

  /** Where a page is kept. */
  CacheShard shard(ComponentFile file, int pageNumber) {
    return shard(file.fileId(), pageNumber);
  }

  /** Where a page of a file is kept that is perhaps not open yet. */
  CacheShard shard(long fileId, int pageNumber) {
    // Not the bits that choose the lock: threads that share one need not share the other.
    int bits = mixed(fileId, pageNumber) >>> (Integer.SIZE - LOADING_LOCK_BITS - MOST_SHARD_BITS);
    return shards[bits & (shards.length - 1)];
  }

  /** Consecutive pages get locks and shards far apart: the golden ratio, scaled to 32 bits. */
  private static int mixed(long fileId, int pageNumber) {
    return (Long.hashCode(fileId) * 31 + pageNumber) * 0x9E3779B1;
  }

  /**
   * Forgets the pages of a file that is being closed. The memory of a page that somebody still has
   * pinned is used no more.
   *
   * @return the number of pins that are out
   */
  int dropAll(ComponentFile file) {
    file.refusePages();
    openBytes.addAndGet(-file.sizeBytes());
    // Whoever is past its question whether the file is closed puts its page into the table first.
    for (CacheShard shard : shards) {
      shard.awaitPublishers();
    }
    int pins = 0;
    for (Frame frame : file.unpublishAll()) {
      pins += shard(file, frame.pageNumber).drop(frame);
    }
    return pins;
  }
}
