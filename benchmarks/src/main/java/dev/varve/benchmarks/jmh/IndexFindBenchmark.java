package dev.varve.benchmarks.jmh;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.Origin;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Point reads in an LSM index: snapshot, filters and search, all in the cache. */
@State(Scope.Thread)
public class IndexFindBenchmark {
  @Param({"1", "5"})
  private int components;

  @Param({"1000000"})
  private int entries;

  private final Slice key = new Slice(new byte[Keys.KEY_BYTES]);
  private final Entry found = new Entry();
  private IndexFixture fixture;
  private long step;

  /** Builds the index. */
  @Setup
  public void setUp() throws StorageException {
    fixture = new IndexFixture(entries, components);
  }

  /** Removes the index. */
  @TearDown
  public void tearDown() throws StorageException {
    fixture.close();
  }

  /** A key that one of the components has; key and value are copied. */
  @Benchmark
  public Origin hit() throws StorageException {
    Keys.spread(key.bytes(), Keys.scattered(step++, entries), entries);
    Origin origin = fixture.index().find(key, found);
    assert origin == Origin.DISK;
    return origin;
  }

  /** A key that none has. */
  @Benchmark
  public Origin miss() throws StorageException {
    Keys.absent(key.bytes(), Keys.scattered(step++, entries), entries);
    Origin origin = fixture.index().find(key, found);
    assert origin == Origin.NOWHERE;
    return origin;
  }
}
