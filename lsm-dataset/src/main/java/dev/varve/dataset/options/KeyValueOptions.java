package dev.varve.dataset.options;

import dev.varve.common.filter.BloomShape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Options of a key-value store: one primary index over raw key and value bytes.
 *
 * @param memoryBytes memory for its memory components; performance
 * @param mergePolicy which components merge; performance
 * @param filterFalsePositiveRate target rate of the Bloom filters of merged components, from 0.0001
 *     to below 0.5, 0 for none; performance
 * @param timeToLive how long pairs can be read after they were written last; values have eight
 *     bytes more on disk then, and eight less that they may have; shapes files
 */
public record KeyValueOptions(
    long memoryBytes,
    MergePolicyOptions mergePolicy,
    double filterFalsePositiveRate,
    Optional<TimeToLive> timeToLive) {
  /**
   * 64 MiB of memory, tiering by fives in at most half as much again as the pairs that count take,
   * one false positive in 2,000. Of the policies that write each record about twice while data fits
   * in memory, this one leaves point reads and short scans the fewest components. A false positive
   * costs an insert that checks its key a page, which comes from the disk where a merge wrote past
   * the system's cache: as much as a hundred inserts. Four bits more for each key make four of five
   * go away. docs/lab/loads.md has the measurements.
   */
  public static final KeyValueOptions DEFAULTS =
      new KeyValueOptions(
          DatasetOptions.DEFAULT_MEMORY_BYTES,
          new MergePolicyOptions("tiering(5) space 1.5"),
          0.0005,
          Optional.empty());

  /** Reports all problems at once. */
  public KeyValueOptions {
    List<String> problems = new ArrayList<>();
    if (memoryBytes < DatasetOptions.MIN_MEMORY_BYTES) {
      problems.add("memoryBytes " + memoryBytes + " is below " + DatasetOptions.MIN_MEMORY_BYTES);
    }
    if (!BloomShape.accepts(filterFalsePositiveRate)) {
      problems.add(
          "filterFalsePositiveRate "
              + filterFalsePositiveRate
              + " is neither 0 nor in [0.0001, 0.5)");
    }
    if (timeToLive.isPresent() && timeToLive.get().field().isPresent()) {
      problems.add("timeToLive of pairs begins when they are written, not with a field");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** The same with another memory budget. */
  public KeyValueOptions withMemoryBytes(long newMemoryBytes) {
    return new KeyValueOptions(newMemoryBytes, mergePolicy, filterFalsePositiveRate, timeToLive);
  }

  /** The same with another merge policy. */
  public KeyValueOptions withMergePolicy(MergePolicyOptions newMergePolicy) {
    return new KeyValueOptions(memoryBytes, newMergePolicy, filterFalsePositiveRate, timeToLive);
  }

  /** The same with pairs that can be read for so long after they were written last. */
  public KeyValueOptions withTimeToLive(Duration life) {
    return new KeyValueOptions(
        memoryBytes,
        mergePolicy,
        filterFalsePositiveRate,
        Optional.of(TimeToLive.sinceWrite(life)));
  }
}
