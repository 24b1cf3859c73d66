package dev.varve.dataset;

import dev.varve.common.env.BoundedFileSystem;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.error.LimitException;
import dev.varve.common.page.ComponentOptions;
import dev.varve.common.page.PageCache;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.MemoryOptions;
import dev.varve.scheduler.admission.MemoryPool;

/**
 * An engine's options held against what its process has: numbers that were given are kept or
 * refused, those that were not are made to fit.
 *
 * @param options the options, with every number that depended on the process
 * @param heapBytes what the engine takes of the heap
 * @param mostDatasetBytes memory for writes that one dataset gets at most
 * @param refusedAbove a new dataset that asks for more is refused
 */
record ResourceFit(
    EngineOptions options, long heapBytes, long mostDatasetBytes, long refusedAbove) {
  /** The buffer cache, and memory for writes, where the heap is large enough. */
  private static final long MOST_CACHE_BYTES = 128L << 20;

  private static final long MOST_WRITE_BYTES = 512L << 20;

  /** Less is not worth opening an engine for. */
  private static final long LEAST_WRITE_BYTES = 1 << 20;

  /** Parts of the heap, as divisors. */
  private static final int CACHE_SHARE = 8;

  private static final int WRITE_SHARE = 2;

  /** Log, catalog and the engine itself. */
  private static final long ENGINE_BYTES = 4 << 20;

  /**
   * Pages, hashes of keys for filters and buffers of a flush or merge. A filter of more than a
   * million keys takes more, a byte and a half for each.
   */
  private static final long TASK_BYTES = 2 << 20;

  /** A small heap leaves each of two datasets some memory, rather than all of it to one. */
  private static final int DATASETS_IN_LITTLE_MEMORY = 2;

  /** Part of the files that a process may open which component files take, as a divisor. */
  private static final int FILES_SHARE = 4;

  private static final int LEAST_FILES = 8;
  private static final int MOST_FILES = 1 << 14;

  /** An open component takes so much heap and more. */
  private static final long HEAP_BYTES_PER_FILE = 64 << 10;

  /**
   * Files beside those of components: log segments, what flushes and merges write, directories that
   * are forced.
   */
  private static final int OTHER_FILES = 16;

  /**
   * Fits options to a process.
   *
   * @param taken bytes of the heap that other engines of the process have
   * @throws LimitException when they ask for more than there is; the message says what would fit
   */
  static ResourceFit of(EngineOptions options, ProcessLimits limits, long taken)
      throws LimitException {
    long heap = limits.heapBytes(taken);
    long work = ENGINE_BYTES + options.maintenance().tasksAtOnce() * TASK_BYTES;
    long leastCache = ComponentOptions.leastCacheBytes(options.newStorePageBytes());
    MemoryOptions memory = options.memory();
    boolean shared = memory.sharedMemoryBytes() != 0;
    long write = shared ? memory.sharedMemoryBytes() : memory.activeDatasetBytes();
    boolean given = write != 0;
    long cache = options.components().cacheBytes();
    if (cache == 0) {
      long left = heap - work - (given ? write : LEAST_WRITE_BYTES);
      cache = Math.max(leastCache, Math.min(Math.min(MOST_CACHE_BYTES, heap / CACHE_SHARE), left));
    }
    if (!given) {
      long left = heap - work - cache;
      long most = Math.min(MOST_WRITE_BYTES, heap / WRITE_SHARE);
      write = Math.max(LEAST_WRITE_BYTES, Math.min(most, left));
    }
    if (cache > heap - work - write) {
      throw new LimitException(
          "bytes of heap for cacheBytes "
              + cache
              + (shared ? ", sharedMemoryBytes " : ", activeDatasetBytes ")
              + write
              + ", log, flushes and merges (lower these options so that both are "
              + Math.max(0, heap - work)
              + " together, or raise -Xmx"
              + (taken > 0 ? ", or close other engines of the process, which have " + taken : "")
              + ")",
          saturatedSum(saturatedSum(cache, write), work),
          heap);
    }
    EngineOptions fitted =
        options.withResources(
            options.components().withResources(cache, openFiles(options, limits.files(), heap)),
            shared ? memory : memory.withActiveDatasetBytes(write));
    boolean little = !given && write < MOST_WRITE_BYTES;
    long most = little ? write / DATASETS_IN_LITTLE_MEMORY : write;
    long refusedAbove = little ? Math.max(most, DatasetOptions.DEFAULT_MEMORY_BYTES) : write;
    return new ResourceFit(
        fitted, saturatedSum(saturatedSum(cache, write), work), most, refusedAbove);
  }

  /** The sum of two numbers that are not negative, or the largest number there is. */
  static long saturatedSum(long one, long two) {
    return one > Long.MAX_VALUE - two ? Long.MAX_VALUE : one + two;
  }

  private static int openFiles(EngineOptions options, long files, long heap) throws LimitException {
    long available = files - OTHER_FILES;
    int given = options.components().openFiles();
    if (given == 0) {
      long share = Math.min(files / FILES_SHARE, heap / HEAP_BYTES_PER_FILE);
      if (available < LEAST_FILES) {
        throw new LimitException(
            "files that the engine opens (raise the limit of the process: ulimit -n)",
            OTHER_FILES + LEAST_FILES,
            files);
      }
      return (int) Math.max(LEAST_FILES, Math.min(Math.min(share, available), MOST_FILES));
    }
    if (given > available) {
      throw new LimitException(
          "openFiles, with "
              + OTHER_FILES
              + " others (lower it, or raise the limit of the process: ulimit -n)",
          given + (long) OTHER_FILES,
          files);
    }
    return given;
  }

  /** The file system of the engine, which keeps as many files open as fit. */
  BoundedFileSystem bound(FileSystem files) {
    ComponentOptions components = options.components();
    return new BoundedFileSystem(
        files,
        components.openFiles(),
        components.direct().directReads() ? OpenMode.READ_ONLY_DIRECT : OpenMode.READ_ONLY);
  }

  /** The buffer cache of the engine, of the size that fits. */
  PageCache newCache(ProcessLimits limits) {
    PageCache cache = new PageCache(options.components().cacheBytes(), limits::spareMemoryBytes);
    if (!options.opening().coldCache()) {
      cache.fillAtOpening();
    }
    return cache;
  }

  /** Memory of all datasets that are active at a time, in bytes. */
  long activeDatasetBytes() {
    return options.memory().activeDatasetBytes();
  }

  /** The memory that the engine's datasets write to. */
  MemoryPool newPool() {
    return new MemoryPool(options.memory().sharedMemoryBytes(), mostDatasetBytes, refusedAbove);
  }
}
