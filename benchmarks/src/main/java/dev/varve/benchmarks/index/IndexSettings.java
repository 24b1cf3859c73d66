package dev.varve.benchmarks.index;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Pace;
import dev.varve.benchmarks.store.StoreMemory;
import dev.varve.common.env.FileSystem;
import dev.varve.common.error.DiskException;
import java.nio.file.Path;

/**
 * What every store is given alike.
 *
 * @param directory where its files are; exists
 * @param count how many points or documents there are
 * @param seed of everything that is random
 * @param readNanos what a read takes longer than it does, where the experiment wants it to stand
 *     for a device's; 0 for none
 * @param budget bytes that it may use
 * @param pace how long everything takes
 */
public record IndexSettings(
    Path directory, int count, long seed, long readNanos, Budget budget, Pace pace) {
  /**
   * Bytes that a store may use.
   *
   * @param pageBytes size of a page, where the store has pages of a size that can be chosen
   * @param memory for what is read and what is written
   * @param mergePolicy of Varve, as its options write it
   * @param directReads whether a dataset reads past the system's cache
   */
  public record Budget(
      int pageBytes, StoreMemory memory, String mergePolicy, boolean directReads) {}

  /** One in so many goes into a scratch store before a load is measured. */
  public static final int SCRATCH_EVERY = 5;

  /** What that takes at most. */
  public static final double SCRATCH_SECONDS = 2.5;

  /** The same for a store that is thrown away, in a directory that is made. */
  public IndexSettings inScratch(FileSystem files) throws BenchmarkException {
    return inSibling("-scratch", files);
  }

  /** The same in a directory beside this one, whose name goes on like this, and which is made. */
  public IndexSettings inSibling(String suffix, FileSystem files) throws BenchmarkException {
    Path sibling = directory.resolveSibling(directory.getFileName() + suffix);
    try {
      files.createDirectories(sibling);
    } catch (DiskException e) {
      throw new BenchmarkException("make " + sibling, e);
    }
    return in(sibling);
  }

  /** The same with pages of another size. */
  public IndexSettings withPages(int pageBytes) {
    Budget other = new Budget(pageBytes, budget.memory, budget.mergePolicy, budget.directReads);
    return new IndexSettings(directory, count, seed, readNanos, other, pace);
  }

  /** The same in another directory. */
  public IndexSettings in(Path other) {
    return new IndexSettings(other, count, seed, readNanos, budget, pace);
  }
}
