package dev.varve.benchmarks.jmh;

import dev.varve.btree.BTreeFormat;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import dev.varve.common.format.MemoryIndex;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** Point reads in a memory B+-tree of some 60 MB. */
@State(Scope.Thread)
public class MemoryFindBenchmark {
  @Param({"400000"})
  private int entries;

  private final Slice key = new Slice(new byte[Keys.KEY_BYTES]);
  private final Entry found = new Entry();
  private final MemoryIndex<KeyRange> tree = new BTreeFormat().createMemoryIndex();
  private long step;

  /** Fills the tree in random order. */
  @Setup
  public void setUp() {
    Entry entry = Keys.newEntry();
    for (int i = 0; i < entries; i++) {
      Keys.random(entry.key().bytes(), i);
      tree.put(entry);
    }
  }

  /** A key that is there; key and value are copied. */
  @Benchmark
  public boolean hit() {
    Keys.random(key.bytes(), Keys.scattered(step++, entries));
    boolean there = tree.find(key, found);
    assert there;
    return there;
  }

  /** A key that is not there. */
  @Benchmark
  public boolean miss() {
    Keys.random(key.bytes(), entries + step++);
    boolean there = tree.find(key, found);
    assert !there;
    return there;
  }
}
