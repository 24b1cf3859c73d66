package dev.varve.common.index;

import dev.varve.common.merge.MergePolicy;
import java.util.ArrayList;
import java.util.List;

/**
 * Options of one LSM index.
 *
 * @param indexId number of the index in its store, stamped into its files; behaviour
 * @param pageSizeBytes size of a page, a power of two from 4,096 to 131,072; larger pages make
 *     scans and compression cheaper, point reads and the cache dearer; shapes files
 * @param filterFalsePositiveRate target rate of the Bloom filter of each disk component, below 0.5;
 *     0 for no filter; a lower rate costs memory and saves page reads of absent keys; in a kind
 *     with deleted keys the filter is over those, and saves looking entries up among them;
 *     performance
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
    if (!(filterFalsePositiveRate >= 0 && filterFalsePositiveRate < 0.5)) {
      problems.add("filterFalsePositiveRate " + filterFalsePositiveRate + " is not in [0, 0.5)");
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

  /** Defaults: 16 KiB pages, 1 % filter, two memory components of 32 MiB, a force each 16 MiB. */
  public static LsmIndexOptions defaults(int indexId, MergePolicy mergePolicy) {
    return new LsmIndexOptions(indexId, 16384, 0.01, 2, 32L << 20, 16L << 20, mergePolicy);
  }
}
