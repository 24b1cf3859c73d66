package dev.varve.common.testkit;

import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/**
 * Seeds of randomised tests: fixed by default, printed always, replayed with {@code -Dvarve.seed=}.
 * Thread-safe: no state.
 */
public final class Seeds {
  /** Set to one seed, runs only that one, in whatever test is selected. */
  public static final String PROPERTY = "varve.seed";

  /** A test of one seed. */
  @FunctionalInterface
  public interface SeededTest {
    /** Runs the test. */
    void run(long seed) throws Exception;
  }

  private Seeds() {}

  /** The generator that belongs to a seed. */
  public static RandomGenerator random(long seed) {
    return new SplittableRandom(seed);
  }

  /** The seed to use where one is enough: the given one, unless another is asked for. */
  public static long one(long seed) {
    long used = Long.getLong(PROPERTY, seed);
    System.out.println("seed " + used + " (replay with -D" + PROPERTY + "=" + used + ")");
    return used;
  }

  /**
   * Runs the test with seeds 1 to {@code count}, or only with the seed that is asked for. A failure
   * names its seed.
   */
  public static void run(int count, SeededTest test) throws Exception {
    Long wanted = Long.getLong(PROPERTY);
    long first = wanted == null ? 1 : wanted;
    long last = wanted == null ? count : wanted;
    System.out.println("seeds " + first + " to " + last);
    for (long seed = first; seed <= last; seed++) {
      try {
        test.run(seed);
      } catch (Exception | Error failure) {
        String replay = "seed " + seed + " failed; replay with -D" + PROPERTY + "=" + seed;
        System.out.println(replay);
        throw new AssertionError(replay + ": " + failure, failure);
      }
    }
  }
}
