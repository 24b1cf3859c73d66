package dev.varve.common.filter;

import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * How much a filter spends on a key, which follows from a target rate.
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

  /** By rate. A process has a handful of rates, and each flush asks for the shape of one. */
  private static final Map<Double, BloomShape> KNOWN = new ConcurrentHashMap<>();

  private static final int WORDS = FilterLayout.BLOCK_BITS / FilterLayout.WORD_BITS;

  /**
   * A shape with a false-positive rate, and hardly more bits than the cheapest.
   *
   * <p>The keys of a block are a Poisson variable, and so are those of each of its words; a block
   * or word with more than its share answers "maybe" more than its share of times. So a blocked
   * filter needs more bits than a plain one of the same rate. The rate of a shape is summed over
   * those distributions, and the bits are searched for which it is met.
   *
   * @param falsePositiveRate from 0.0001 to 0.5
   */
  public static BloomShape forRate(double falsePositiveRate) {
    if (!(falsePositiveRate >= LOWEST_RATE && falsePositiveRate <= HIGHEST_RATE)) {
      throw new IllegalArgumentException(
          "false-positive rate " + falsePositiveRate + ", 0.0001 to 0.5 expected");
    }
    return KNOWN.computeIfAbsent(falsePositiveRate, BloomShape::search);
  }

  private static BloomShape search(double falsePositiveRate) {
    // A probe halves the rate at best, where half of the bits are set. Fewer are better by so
    // little that it is not worth a search, and each is a bit to look at.
    int halvings = (int) (-Math.log(falsePositiveRate) / Math.log(2));
    int probes = Math.max(FilterLayout.TOGETHER, Math.min(halvings, FilterLayout.MAX_PROBES));
    return new BloomShape(falsePositiveRate, probes, bitsFor(falsePositiveRate, probes));
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

  /**
   * Rate of a filter: over all numbers of keys that have their word in common with the one that is
   * asked for, and of those that have only the block, likelihood times rate.
   */
  static double rateOf(double bitsPerKey, int probes) {
    double meanInWord = FilterLayout.WORD_BITS / bitsPerKey;
    double[] inWordOdds = poisson(meanInWord);
    double[] elsewhereOdds = poisson((WORDS - 1) * meanInWord);
    int scattered = probes - FilterLayout.TOGETHER;
    // Share of bits that a key leaves zero: in its word, by those in one of the other words on an
    // average, and by those that lie anywhere in the block.
    double own = Math.pow(1 - 1.0 / FilterLayout.WORD_BITS, FilterLayout.TOGETHER);
    double others = 1 - (1 - own) / (WORDS - 1);
    double anywhere = Math.pow(1 - 1.0 / FilterLayout.BLOCK_BITS, scattered);
    double rate = 0;
    double zerosOfOthers = 1;
    double zerosAnywhere = 1;
    for (double elsewhereOdd : elsewhereOdds) {
      double zerosOfOwn = 1;
      double zeros = zerosAnywhere;
      for (double inWordOdd : inWordOdds) {
        double word = 1 - zerosOfOwn * zeros;
        double block = 1 - (zerosOfOwn + (WORDS - 1) * zerosOfOthers) / WORDS * zeros;
        rate +=
            elsewhereOdd * inWordOdd * power(word, FilterLayout.TOGETHER) * power(block, scattered);
        zerosOfOwn *= own;
        zeros *= anywhere;
      }
      zerosOfOthers *= others;
      zerosAnywhere *= anywhere;
    }
    return rate;
  }

  /** Many times as fast as powers that are no integers. */
  private static double power(double base, int exponent) {
    double power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= base;
    }
    return power;
  }

  /** The likelihood of each number from 0 on, until hardly any is left. */
  private static double[] poisson(double mean) {
    double[] odds = new double[(int) (mean + 10 * Math.sqrt(mean) + 10)];
    odds[0] = Math.exp(-mean);
    for (int i = 1; i < odds.length; i++) {
      odds[i] = odds[i - 1] * mean / i;
    }
    return odds;
  }
}
