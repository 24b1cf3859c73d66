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
 * @param mergePolicy which disk components merge; performance
 */
public record LsmIndexOptions(
    int indexId,
    int pageSizeBytes,
    double filterFalsePositiveRate,
    int memoryComponents,
    long memoryComponentBytes,
    long forceEveryBytes,
    MergePolicy mergePolicy) {
  private static final double FLUSH_RATE_DIVISOR = 5;

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

  /** Defaults: 8 KiB pages, 1 % filter, two memory components of 32 MiB, a force each 16 MiB. */
  public static LsmIndexOptions defaults(int indexId, MergePolicy mergePolicy) {
    return new LsmIndexOptions(
        indexId,
        ComponentFileOptions.DEFAULT_PAGE_SIZE,
        0.01,
        2,
        32L << 20,
        16L << 20,
        mergePolicy);
  }
}
