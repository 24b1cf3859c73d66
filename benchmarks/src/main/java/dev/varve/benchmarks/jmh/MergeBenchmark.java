package dev.varve.benchmarks.jmh;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One entry out of a merge of disk components, through the merging cursor and the cache. */
@State(Scope.Thread)
public class MergeBenchmark {
  @Param({"2", "4", "10"})
  private int runs;

  @Param({"1000000"})
  private int entries;

  private IndexFixture fixture;
  private EntryCursor cursor;

  /** Builds an index with so many components. */
  @Setup
  public void setUp() throws StorageException {
    fixture = new IndexFixture(entries, runs);
    cursor = open();
  }

  /** Removes the index. */
  @TearDown
  public void tearDown() throws StorageException {
    cursor.close();
    fixture.close();
  }

  @SuppressWarnings("MustBeClosedChecker") // closed by next or tearDown
  private EntryCursor open() throws StorageException {
    return fixture.index().searchStates(KeyRange.all());
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
