package dev.varve.common.index;

import dev.varve.common.disk.BuildPlan;
import dev.varve.common.error.OptionProblems;
import dev.varve.common.filter.BloomShape;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.page.ComponentFileOptions;
import dev.varve.common.page.ComponentOptions;
import dev.varve.common.page.Destination;
import dev.varve.common.page.ReaderShare;

/**
 * Options of one LSM index.
 *
 * @param indexId number of the index in its store, stamped into its files; behaviour
 * @param components how its disk components are written; its page size is given
 * @param filterFalsePositiveRate target rate of the Bloom filter of each disk component, from
 *     0.0001 to below 0.5; 0 for no filter; those of flushes err a fifth as often; a lower rate
 *     costs memory and saves page reads of absent keys; in a kind with deleted keys the filter is
 *     over those, and saves looking entries up among them; performance
 * @param memoryComponents how many memory components there may be, at least 2 for writers to go on
 *     during a flush; performance
 * @param memoryComponentBytes when a memory component takes no new writer; performance
 * @param mergePolicy which disk components merge; performance
 */
public record LsmIndexOptions(
    int indexId,
    ComponentOptions components,
    double filterFalsePositiveRate,
    int memoryComponents,
    long memoryComponentBytes,
    MergePolicy mergePolicy) {
  private static final double FLUSH_RATE_DIVISOR = 5;

  /** Reports all problems at once. */
  public LsmIndexOptions {
    OptionProblems problems = new OptionProblems();
    problems.atLeast("indexId", indexId, 0);
    components.requirePageBytes(problems);
    if (!BloomShape.accepts(filterFalsePositiveRate)) {
      problems.add(
          "filterFalsePositiveRate "
              + filterFalsePositiveRate
              + " is neither 0 nor in [0.0001, 0.5)");
    }
    problems.atLeast("memoryComponents", memoryComponents, 1);
    problems.atLeast("memoryComponentBytes", memoryComponentBytes, 1);
    problems.report();
  }

  /** The same with another merge policy. */
  public LsmIndexOptions withMergePolicy(MergePolicy policy) {
    return new LsmIndexOptions(
        indexId,
        components,
        filterFalsePositiveRate,
        memoryComponents,
        memoryComponentBytes,
        policy);
  }

  /**
   * How a flush makes a component. They are the most that a key is looked for in, and the smallest,
   * and merges soon take them away: so bits of the filter are spent where they save the most pages,
   * as in Monkey (N. Dayan, M. Athanassoulis, S. Idreos, SIGMOD 2017).
   */
  BuildPlan flushedBuild(long atMostFilteredKeys, ReaderShare others) {
    double lower = filterFalsePositiveRate / FLUSH_RATE_DIVISOR;
    double rate = filterFalsePositiveRate == 0 ? 0 : Math.max(lower, BloomShape.LOWEST_RATE);
    return new BuildPlan(components, rate, atMostFilteredKeys, components.flushDestination(others));
  }

  /** How a merge or a bulk load makes one. */
  BuildPlan mergedBuild(long atMostFilteredKeys, Destination destination) {
    return new BuildPlan(components, filterFalsePositiveRate, atMostFilteredKeys, destination);
  }

  /**
   * Defaults: 8 KiB pages, 1 % filter, two memory components of 32 MiB, a force each 16 MiB, direct
   * merges from 64 MiB on.
   */
  public static LsmIndexOptions defaults(int indexId, MergePolicy mergePolicy) {
    return new LsmIndexOptions(
        indexId,
        ComponentOptions.DEFAULTS.withPageBytes(ComponentFileOptions.DEFAULT_PAGE_SIZE),
        0.01,
        2,
        32L << 20,
        mergePolicy);
  }
}
