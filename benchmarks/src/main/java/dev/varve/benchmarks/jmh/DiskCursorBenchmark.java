package dev.varve.benchmarks.jmh;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageCache;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One step of a cursor over a disk B+-tree, its share of loading pages included. */
@State(Scope.Thread)
public class DiskCursorBenchmark {
  /** What the cursor reads through, and in which order. */
  public enum Path {
    /** Upwards, through the cache. */
    ASCENDING,
    /** Downwards, through the cache. */
    DESCENDING,
    /** Upwards past the cache, as merges read. */
    SCAN
  }

  @Param private Path path;

  @Param({"1000000"})
  private int entries;

  private DiskFixture fixture;
  private EntryCursor cursor;

  /** Builds the tree. */
  @Setup
  public void setUp() throws StorageException {
    fixture = new DiskFixture(entries, new PageCache(1L << 30));
    cursor = open();
  }

  /** Removes the tree. */
  @TearDown
  public void tearDown() throws StorageException {
    cursor.close();
    fixture.close();
  }

  @SuppressWarnings("MustBeClosedChecker") // closed by next or tearDown
  private EntryCursor open() throws StorageException {
    return switch (path) {
      case ASCENDING -> fixture.index().search(KeyRange.all());
      case DESCENDING -> fixture.index().search(KeyRange.all().descending());
      case SCAN -> fixture.index().scan();
    };
  }

  /** The next entry; begins again at the end. */
  @Benchmark
  public long next() throws StorageException {
    if (!cursor.next()) {
      cursor.close();
      cursor = open();
      cursor.next();
    }
    return cursor.entry().key().head();
  }
}
