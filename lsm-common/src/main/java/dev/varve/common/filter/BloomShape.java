package dev.varve.common.filter;

/**
 * How much a filter spends on a key. Made once from a target rate and used for every filter.
 *
 * @param falsePositiveRate share of absent keys for which the filter says "maybe"
 * @param probes bits that a key sets
 * @param bitsPerKey bits of the filter per key
 */
public record BloomShape(double falsePositiveRate, int probes, double bitsPerKey) {
  /** The rate where nobody says otherwise. */
  public static final double DEFAULT_RATE = 0.01;

  /** The lowest rate that a filter can have. */
  public static final double LOWEST_RATE = 0.0001;

  private static final double HIGHEST_RATE = 0.5;

  /**
   * The cheapest shape with a false-positive rate.
   *
   * <p>The keys of a block are a Poisson variable, and a block with more than its share answers
   * "maybe" more than its share of times; so a blocked filter needs more bits than a plain one of
   * the same rate. The rate of a shape is summed over that distribution, and the bits are searched
   * for which it is met.
   *
   * @param falsePositiveRate from 0.0001 to 0.5
   */
  public static BloomShape forRate(double falsePositiveRate) {
    if (!(falsePositiveRate >= LOWEST_RATE && falsePositiveRate <= HIGHEST_RATE)) {
      throw new IllegalArgumentException(
          "false-positive rate " + falsePositiveRate + ", 0.0001 to 0.5 expected");
    }
    int best = 1;
    double bestBits = bitsFor(falsePositiveRate, best);
    for (int probes = 2; probes <= FilterLayout.MAX_PROBES; probes++) {
      double bits = bitsFor(falsePositiveRate, probes);
      if (bits < bestBits) {
        best = probes;
        bestBits = bits;
      }
    }
    return new BloomShape(falsePositiveRate, best, bestBits);
  }

  /** Whether an option may have this rate: 0, which is no filter, or one that filters can have. */
  public static boolean accepts(double falsePositiveRate) {
    return falsePositiveRate == 0
        || (falsePositiveRate >= LOWEST_RATE && falsePositiveRate < HIGHEST_RATE);
  }

  /** Pages that a filter over so many keys takes. */
  int pagesFor(long keys, int pageSize) {
    double blocks = Math.ceil(keys * bitsPerKey / FilterLayout.BLOCK_BITS);
    double pages = Math.ceil(blocks / FilterLayout.blocksPerPage(pageSize));
    return (int) Math.min(Integer.MAX_VALUE, pages);
  }

  private static double bitsFor(double rate, int probes) {
    double tooFew = 1;
    double enough = 64;
    while (enough - tooFew > 0.01) {
      double middle = (tooFew + enough) / 2;
      if (rateOf(middle, probes) <= rate) {
        enough = middle;
      } else {
        tooFew = middle;
      }
    }
    return enough;
  }

  /** Rate of a filter: over all numbers of keys in a block, likelihood times rate of the block. */
  static double rateOf(double bitsPerKey, int probes) {
    double mean = FilterLayout.BLOCK_BITS / bitsPerKey;
    double likelihood = Math.exp(-mean);
    // Share of bits that are still zero, which each key of the block lowers by a factor.
    double factor = Math.pow(1 - 1.0 / FilterLayout.BLOCK_BITS, probes);
    double zeros = 1;
    double rate = 0;
    int last = (int) (mean + 10 * Math.sqrt(mean) + 10);
    for (int keys = 1; keys <= last; keys++) {
      likelihood *= mean / keys;
      zeros *= factor;
      rate += likelihood * Math.pow(1 - zeros, probes);
    }
    return rate;
  }
}
