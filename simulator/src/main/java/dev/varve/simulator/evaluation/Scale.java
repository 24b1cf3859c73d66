package dev.varve.simulator.evaluation;

import java.util.ArrayList;
import java.util.List;

/**
 * How small a node is. What counts for merges are ratios: how many memory components the data is,
 * and how long the budget takes to write the data once.
 *
 * @param records that are loaded, and then updated at random
 * @param recordBytes key and value
 * @param flushes how many memory components all records would fill: the paper has 100 GB in
 *     components of 128 MB
 * @param budgetBytesPerSecond what flushes and merges may write together
 * @param seed of the updates
 * @param stores in which the records lie, one after the other in turn; each has its part of the
 *     memory, and merges by itself
 */
public record Scale(
    long records, int recordBytes, long flushes, long budgetBytesPerSecond, long seed, int stores) {
  /** What the paper's 100 million records of 1 KB are in memory components of 128 MB. */
  public static final long PAPER_FLUSHES = 800;

  /** A key is a number. */
  static final int KEY_BYTES = Long.BYTES;

  /** What memory takes for an entry on top of its bytes. */
  private static final int MEMORY_OVERHEAD_BYTES = 40;

  static final long LEAST_FLUSHES = 10;
  private static final long LEAST_MEMORY_BYTES = 64 << 10;
  private static final int MOST_STORES = 64;

  /** Reports all problems at once. */
  public Scale {
    List<String> problems = new ArrayList<>();
    if (records < 1000) {
      problems.add("records " + records + " is below 1000");
    }
    if (recordBytes < 64 || recordBytes > 4000) {
      problems.add("recordBytes " + recordBytes + " is not between 64 and 4000");
    }
    if (flushes < LEAST_FLUSHES || flushes > records / 10) {
      problems.add("flushes " + flushes + " is not between 10 and a tenth of the records");
    }
    if (budgetBytesPerSecond < 1) {
      problems.add("budgetBytesPerSecond " + budgetBytesPerSecond + " is below 1");
    }
    if (stores < 1 || stores > MOST_STORES) {
      problems.add("stores " + stores + " is not between 1 and " + MOST_STORES);
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** Of a single store. */
  public Scale(long records, int recordBytes, long flushes, long budgetBytesPerSecond, long seed) {
    this(records, recordBytes, flushes, budgetBytesPerSecond, seed, 1);
  }

  /** Records that fill the memory components of all stores. */
  long flushRecords() {
    return records / flushes;
  }

  /** Memory of a store: two components. */
  long memoryBytes() {
    return Math.max(
        LEAST_MEMORY_BYTES, 2 * flushRecords() * (recordBytes + MEMORY_OVERHEAD_BYTES) / stores);
  }
}
