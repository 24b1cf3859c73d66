package dev.varve.simulator;

import java.util.Arrays;

/**
 * Every update goes to one of a fixed number of keys, the i-th most popular with a likelihood of
 * i<sup>-skew</sup>; which keys are popular has nothing to do with where they were loaded to.
 * Immutable.
 */
public final class ZipfKeys implements KeyModel {
  /** The skew of YCSB. */
  public static final double YCSB_SKEW = 0.99;

  /** Ranks that are summed one by one; those behind them stand for a stretch each. */
  private static final int SINGLE_RANKS = 256;

  private static final double STRETCH = 1.02;

  private final long keys;
  private final double skew;
  private final double[] likelihoods;
  private final double[] counts;

  /** Keys with a skew above 0. */
  public ZipfKeys(long keys, double skew) {
    if (keys < 1 || !(skew > 0 && skew < 10)) {
      throw new IllegalArgumentException(keys + " keys with a skew of " + skew);
    }
    this.keys = keys;
    this.skew = skew;
    double[] firstRanks = new double[8192];
    int ranks = 0;
    double first = 1;
    while (first <= keys) {
      firstRanks[ranks++] = first;
      first = first < SINGLE_RANKS ? first + 1 : Math.floor(first * STRETCH);
    }
    counts = new double[ranks];
    likelihoods = new double[ranks];
    double sum = 0;
    for (int i = 0; i < ranks; i++) {
      double next = i + 1 < ranks ? firstRanks[i + 1] : keys + 1.0;
      counts[i] = next - firstRanks[i];
      likelihoods[i] = Math.pow((firstRanks[i] + next - 1) / 2, -skew);
      sum += counts[i] * likelihoods[i];
    }
    for (int i = 0; i < ranks; i++) {
      likelihoods[i] /= sum;
    }
    assert Math.abs(Arrays.stream(counts).sum() - keys) < 0.5 : "ranks left out";
  }

  @Override
  public double entries(double loaded, double updates) {
    double updated = 0;
    for (int i = 0; i < counts.length; i++) {
      updated -= counts[i] * Math.expm1(-updates * likelihoods[i]);
    }
    return loaded + (1 - loaded / keys) * updated;
  }

  @Override
  public String describe() {
    return "zipf(" + skew + ")";
  }
}
