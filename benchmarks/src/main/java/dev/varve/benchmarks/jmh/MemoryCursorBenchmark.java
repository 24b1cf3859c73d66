package dev.varve.benchmarks.jmh;

import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.MemoryIndex;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** One step of a cursor over a memory B+-tree that was filled in random order. */
@State(Scope.Thread)
public class MemoryCursorBenchmark {
  @Param({"400000"})
  private int entries;

  private final MemoryIndex<KeyRange> tree = new BTreeFormat().createMemoryIndex();
  private EntryCursor cursor;

  /** Fills the tree. */
  @Setup
  public void setUp() throws StorageException {
    Entry entry = Keys.newEntry();
    for (int i = 0; i < entries; i++) {
      Keys.random(entry.key().bytes(), i);
      tree.put(entry);
    }
    cursor = open();
  }

  /** Closes the cursor. */
  @TearDown
  public void tearDown() {
    cursor.close();
  }

  @SuppressWarnings("MustBeClosedChecker") // closed by next or tearDown
  private EntryCursor open() throws StorageException {
    return tree.search(KeyRange.all());
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
