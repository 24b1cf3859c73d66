package dev.varve.benchmarks.index;

import java.nio.file.Path;

/**
 * What every store is given alike.
 *
 * @param directory where its files are; exists
 * @param count how many points or documents there are
 * @param seed of everything that is random
 * @param budget bytes that it may use
 * @param pace how long everything takes
 */
public record IndexSettings(Path directory, int count, long seed, Budget budget, Pace pace) {
  /**
   * Bytes that a store may use.
   *
   * @param pageBytes size of a page, where the store has pages of a size that can be chosen
   * @param cacheBytes memory for what is read
   * @param memoryBytes memory for what is written, two memory components of half of it each where
   *     the store has such
   */
  public record Budget(int pageBytes, long cacheBytes, long memoryBytes) {}

  /**
   * How long everything takes.
   *
   * @param capSeconds when a load or another change ends at the latest
   * @param windowSeconds a round of queries
   * @param rounds how many of them each store has, in turn with the others
   */
  public record Pace(double capSeconds, double windowSeconds, int rounds) {}

  /** The same in another directory. */
  public IndexSettings in(Path other) {
    return new IndexSettings(other, count, seed, budget, pace);
  }
}
