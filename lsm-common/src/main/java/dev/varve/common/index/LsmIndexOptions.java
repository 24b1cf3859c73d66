package dev.varve.common.index;

import dev.varve.common.filter.BloomShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.page.ComponentFileOptions;
import java.util.ArrayList;
import java.util.List;

/**
 * Options of one LSM index.
 *
 * @param indexId number of the index in its store, stamped into its files; behaviour
 * @param pageSizeBytes size of a page, a power of two from 4,096 to 131,072; larger pages make
 *     scans and compression cheaper, point reads and the cache dearer; shapes files
 * @param filterFalsePositiveRate target rate of the Bloom filter of each disk component, from
 *     0.0001 to below 0.5; 0 for no filter; those of flushes err a fifth as often; a lower rate
 *     costs memory and saves page reads of absent keys; in a kind with deleted keys the filter is
 *     over those, and saves looking entries up among them; performance
 * @param memoryComponents how many memory components there may be, at least 2 for writers to go on
 *     during a flush; performance
 * @param memoryComponentBytes when a memory component takes no new writer; performance
 * @param forceEveryBytes how many bytes of a component are written between two forces, so that the
 *     last one is short; performance
 * @param directMergeBytes from so many bytes of input on, what a merge writes goes past the
 *     system's cache, unless readers have a quarter of the input in the buffer cache; {@link
 *     Long#MAX_VALUE} for never; performance
 * @param mergePolicy which disk components merge; performance
 */
public record LsmIndexOptions(
    int indexId,
    int pageSizeBytes,
    double filterFalsePositiveRate,
    int memoryComponents,
    long memoryComponentBytes,
    long forceEveryBytes,
    long directMergeBytes,
    MergePolicy mergePolicy) {
  /** {@link #directMergeBytes} where nobody says otherwise. */
  public static final long DEFAULT_DIRECT_MERGE_BYTES = 64L << 20;

  private static final double FLUSH_RATE_DIVISOR = 5;

  /** The part of a merge's input, as a divisor, of which it matters that readers have it. */
  private static final int READ_SHARE = 4;

  /** Reports all problems at once. */
  public LsmIndexOptions {
    List<String> problems = new ArrayList<>();
    if (indexId < 0) {
      problems.add("indexId " + indexId + " is negative");
    }
    if (Integer.bitCount(pageSizeBytes) != 1 || pageSizeBytes < 4096 || pageSizeBytes > 131072) {
      problems.add(
          "pageSizeBytes " + pageSizeBytes + " is no power of two between 4096 and 131072");
    }
    if (!BloomShape.accepts(filterFalsePositiveRate)) {
      problems.add(
          "filterFalsePositiveRate "
              + filterFalsePositiveRate
              + " is neither 0 nor in [0.0001, 0.5)");
    }
    if (memoryComponents < 1) {
      problems.add("memoryComponents " + memoryComponents + " is below 1");
    }
    if (memoryComponentBytes < 1) {
      problems.add("memoryComponentBytes " + memoryComponentBytes + " is below 1");
    }
    if (forceEveryBytes < pageSizeBytes) {
      problems.add("forceEveryBytes " + forceEveryBytes + " is below a page");
    }
    if (directMergeBytes < 0) {
      problems.add("directMergeBytes " + directMergeBytes + " is negative");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** The same with another merge policy. */
  public LsmIndexOptions withMergePolicy(MergePolicy policy) {
    return new LsmIndexOptions(
        indexId,
        pageSizeBytes,
        filterFalsePositiveRate,
        memoryComponents,
        memoryComponentBytes,
        forceEveryBytes,
        directMergeBytes,
        policy);
  }

  /**
   * Target rate of the filter of a component that a flush makes. They are the most that a key is
   * looked for in, and the smallest, and merges soon take them away: so bits are spent where they
   * save the most pages, as in Monkey (N. Dayan, M. Athanassoulis, S. Idreos, SIGMOD 2017).
   */
  double flushFalsePositiveRate() {
    double lower = filterFalsePositiveRate / FLUSH_RATE_DIVISOR;
    return filterFalsePositiveRate == 0 ? 0 : Math.max(lower, BloomShape.LOWEST_RATE);
  }

  /**
   * Whether a merge writes past the system's cache. There its result would take the place of what
   * is of use, and each page of it costs a copy and memory that the system has to find; but where
   * readers have the input in the buffer cache they want the result next, and find it there.
   *
   * @param inputBytes of all inputs
   * @param cachedBytes of them in the buffer cache
   */
  boolean writesMergeDirectly(long inputBytes, long cachedBytes) {
    return inputBytes >= directMergeBytes && cachedBytes < inputBytes / READ_SHARE;
  }

  /**
   * Defaults: 8 KiB pages, 1 % filter, two memory components of 32 MiB, a force each 16 MiB, direct
   * merges from 64 MiB on.
   */
  public static LsmIndexOptions defaults(int indexId, MergePolicy mergePolicy) {
    return new LsmIndexOptions(
        indexId,
        ComponentFileOptions.DEFAULT_PAGE_SIZE,
        0.01,
        2,
        32L << 20,
        16L << 20,
        DEFAULT_DIRECT_MERGE_BYTES,
        mergePolicy);
  }
}
