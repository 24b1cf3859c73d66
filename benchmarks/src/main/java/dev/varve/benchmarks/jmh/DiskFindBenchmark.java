package dev.varve.benchmarks.jmh;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageCache;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Search in the pages of a disk B+-tree that are all in the cache: with 100 entries in one leaf,
 * with 10,000 in leaves below one interior page, with 1,000,000 in a tree that no CPU's own cache
 * holds.
 */
@State(Scope.Thread)
public class DiskFindBenchmark {
  @Param({"100", "10000", "1000000"})
  private int entries;

  private final Slice key = new Slice(new byte[Keys.KEY_BYTES]);
  private final Entry found = new Entry();
  private DiskFixture fixture;
  private long step;

  /** Builds the tree. */
  @Setup
  public void setUp() throws StorageException {
    fixture = new DiskFixture(entries, new PageCache(1L << 30));
  }

  /** Removes the tree. */
  @TearDown
  public void tearDown() throws StorageException {
    fixture.close();
  }

  /** A key that is there; key and value are copied. */
  @Benchmark
  public boolean hit() throws StorageException {
    Keys.spread(key.bytes(), Keys.scattered(step++, entries), entries);
    boolean there = fixture.index().find(key, found);
    assert there;
    return there;
  }

  /** A key that is not there; its neighbour is. */
  @Benchmark
  public boolean miss() throws StorageException {
    Keys.absent(key.bytes(), Keys.scattered(step++, entries), entries);
    boolean there = fixture.index().find(key, found);
    assert !there;
    return there;
  }
}
