package dev.varve.common.page;

import dev.varve.common.error.OptionProblems;
import dev.varve.common.page.ReaderShare.Room;

/**
 * How disk components are written, opened and cached.
 *
 * @param pageBytes size of a page, a power of two from 4,096 to 131,072; larger pages make scans
 *     and compression cheaper, point reads and the cache dearer; or 0 for what the store was made
 *     with; shapes files
 * @param cacheBytes size of the buffer cache, at least 64 pages; or 0 for a part of the heap;
 *     performance
 * @param openFiles how many component files are kept open; others are opened when they are read; or
 *     0 for a part of what the process may open; performance
 * @param forceEveryBytes how much of a component is written between two forces of its file, so that
 *     none has much to write back at once and readers are not held up; at least a page, or 0 to
 *     force a file once, when it is complete; performance
 * @param direct what goes past the system's cache
 * @param repairAfterFlushes how many flushes may have come since the entries of a component of a
 *     secondary index were held against the primary keys, until that is done without a merge; 0 for
 *     never; performance
 */
public record ComponentOptions(
    int pageBytes,
    long cacheBytes,
    int openFiles,
    long forceEveryBytes,
    DirectIo direct,
    int repairAfterFlushes) {
  /**
   * What goes past the system's cache, where the file system has such reads and writes.
   *
   * @param directMergeBytes from so many bytes of input on, what a merge writes; but where readers
   *     have a quarter of the components in the buffer cache, or of what fits in there of them,
   *     what merges and flushes write if all fits in there, and is kept there, and nothing else; 0
   *     for never; performance
   * @param directReads whether components are read so: what the process has of them is in its
   *     buffer cache and nowhere else, and what is not there costs a read of the device;
   *     performance
   */
  public record DirectIo(long directMergeBytes, boolean directReads) {
    /** Merges of 64 MiB and more, and no reads. */
    public static final DirectIo DEFAULTS = new DirectIo(64L << 20, false);
  }

  /** The store's own pages, cache and files by the process, a force each 16 MiB, direct merges. */
  public static final ComponentOptions DEFAULTS =
      new ComponentOptions(0, 0, 0, 16L << 20, DirectIo.DEFAULTS, 16);

  /** The fewest pages that a cache holds. */
  private static final int LEAST_CACHE_PAGES = 64;

  /** Reports all problems at once. */
  public ComponentOptions {
    OptionProblems problems = new OptionProblems();
    int anyPageBytes = pageBytes == 0 ? ComponentFileOptions.DEFAULT_PAGE_SIZE : pageBytes;
    problems.powerOfTwo("pageBytes", anyPageBytes, 4096, 131072);
    if (cacheBytes != 0 && cacheBytes < leastCacheBytes(anyPageBytes)) {
      problems.add("cacheBytes " + cacheBytes + " is below " + LEAST_CACHE_PAGES + " pages");
    }
    if (openFiles != 0) {
      problems.atLeast("openFiles", openFiles, 8);
    }
    if (forceEveryBytes != 0) {
      problems.atLeast("forceEveryBytes", forceEveryBytes, anyPageBytes);
    }
    problems.atLeast("directMergeBytes", direct.directMergeBytes(), 0);
    problems.report();
  }

  /** The smallest buffer cache for pages of a size. */
  public static long leastCacheBytes(int pageBytes) {
    return (long) LEAST_CACHE_PAGES * pageBytes;
  }

  /** Reports pages that have no size yet: those of a store that is not known. */
  public void requirePageBytes(OptionProblems problems) {
    problems.atLeast("pageBytes", pageBytes, 1);
  }

  /** The same with pages of another size. */
  public ComponentOptions withPageBytes(int bytes) {
    return new ComponentOptions(
        bytes, cacheBytes, openFiles, forceEveryBytes, direct, repairAfterFlushes);
  }

  /** The same with another cache and another number of open files. */
  public ComponentOptions withResources(long newCacheBytes, int newOpenFiles) {
    return new ComponentOptions(
        pageBytes, newCacheBytes, newOpenFiles, forceEveryBytes, direct, repairAfterFlushes);
  }

  /** How many bytes are written between two forces of a file. */
  public long bytesBetweenForces() {
    return forceEveryBytes == 0 ? Long.MAX_VALUE : forceEveryBytes;
  }

  /**
   * Where a merge writes to. In the system's cache its result would take the place of what is of
   * use, and each page of it costs a copy and memory that the system has to find; but where readers
   * have the inputs in the buffer cache they want the result next, and find it there, or in the
   * system's where the buffer cache has no room for it and the system has, unless they read past
   * that.
   *
   * @param inputs of the merge, in whose place it writes as much
   */
  public Destination mergeDestination(ReaderShare inputs) {
    if (direct.directMergeBytes() == 0) {
      return Destination.SYSTEM_CACHE;
    }
    if (inputs.wanted() && inputs.room() == Room.BUFFER_CACHE) {
      return Destination.BUFFER_CACHE;
    }
    return inputs.bytes() >= direct.directMergeBytes() && !wantsInSystemCache(inputs)
        ? Destination.DEVICE
        : Destination.SYSTEM_CACHE;
  }

  /**
   * Whether what a merge writes, and does not leave in the buffer cache, ought to be in the
   * system's because readers want it, and not because it is small.
   *
   * @param inputs of the merge
   */
  public boolean wantsInSystemCache(ReaderShare inputs) {
    return direct.directMergeBytes() != 0
        && inputs.bytes() >= direct.directMergeBytes()
        && inputs.wanted()
        && inputs.room() != Room.NONE
        && !direct.directReads();
  }

  /**
   * Where a flush writes to. A merge reads it soon: from the buffer cache where readers have the
   * index in there, else from the system's.
   *
   * @param others all components of the index
   */
  public Destination flushDestination(ReaderShare others) {
    return direct.directMergeBytes() != 0 && others.wanted() && others.room() == Room.BUFFER_CACHE
        ? Destination.BUFFER_CACHE
        : Destination.SYSTEM_CACHE;
  }
}
