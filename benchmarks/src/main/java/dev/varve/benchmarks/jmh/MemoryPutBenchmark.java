package dev.varve.benchmarks.jmh;

import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.format.Entry;
import dev.varve.common.format.MemoryIndex;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * Inserts into the memory B+-tree, which is filled up to 64 MB and then replaced by an empty one.
 * The bytes per operation are what the tree keeps of an entry.
 */
@State(Scope.Thread)
public class MemoryPutBenchmark {
  private static final long FULL = 64L << 20;

  /** In which order keys come. */
  public enum Order {
    /** In none. */
    RANDOM,
    /** Each above the one before. */
    INCREASING,
    /** The same behind eight bytes that all keys share, so that heads tell none apart. */
    INCREASING_BEHIND_PREFIX
  }

  @Param private Order order;

  private final BTreeFormat format = new BTreeFormat();
  private final Entry entry = Keys.newEntry();
  private MemoryIndex<KeyRange> tree;
  private long number;

  /** Begins with an empty tree. */
  @Setup
  public void setUp() {
    tree = format.createMemoryIndex();
  }

  /** A new key. */
  @Benchmark
  public long put() {
    if (tree.usedBytes() >= FULL) {
      tree = format.createMemoryIndex();
    }
    byte[] key = entry.key().bytes();
    switch (order) {
      case RANDOM -> Keys.random(key, number++);
      case INCREASING -> Keys.increasing(key, number++);
      case INCREASING_BEHIND_PREFIX -> Keys.increasingBehindPrefix(key, number++);
    }
    tree.put(entry);
    return number;
  }
}
