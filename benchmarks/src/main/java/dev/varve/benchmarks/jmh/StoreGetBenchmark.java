package dev.varve.benchmarks.jmh;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.KeyValueSession;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/** Point reads of a key-value store whose pages are all in the cache. */
@State(Scope.Thread)
public class StoreGetBenchmark {
  /** Where the pairs are. */
  public enum Place {
    /** In the memory component, beside locks that have to be asked. */
    MEMORY,
    /** In one disk component. */
    DISK
  }

  @Param private Place place;

  @Param({"300000"})
  private int entries;

  private final Slice key = new Slice(new byte[Keys.KEY_BYTES]);
  private final KeyValue found = new KeyValue();
  private StoreFixture fixture;
  private long step;

  /** Fills the store. */
  @Setup
  public void setUp() throws StorageException {
    fixture = new StoreFixture();
    Entry entry = Keys.newEntry();
    try (KeyValueSession session = fixture.store().openSession()) {
      for (int i = 0; i < entries; i++) {
        Keys.spread(entry.key().bytes(), i, entries);
        session.upsert(entry.key(), entry.value());
        session.force();
      }
    }
    if (place == Place.DISK) {
      fixture.store().compact();
    }
  }

  /** Removes the store. */
  @TearDown
  public void tearDown() throws StorageException {
    fixture.close();
  }

  /** A pair that is there; key and value are copied. */
  @Benchmark
  public boolean hit() throws StorageException {
    Keys.spread(key.bytes(), Keys.scattered(step++, entries), entries);
    boolean there = fixture.store().get(key, found);
    assert there;
    return there;
  }

  /** A pair that is not there. */
  @Benchmark
  public boolean miss() throws StorageException {
    Keys.absent(key.bytes(), Keys.scattered(step++, entries), entries);
    boolean there = fixture.store().get(key, found);
    assert !there;
    return there;
  }
}
