package dev.varve.rtree.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.testkit.Seeds;
import dev.varve.rtree.SpatialData;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.rtree.query.RegionQuery;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Writers with a key set each and readers on one tree. Writers say how far they are; a reader notes
 * that before it opens a cursor, and then must meet all those keys that lie in its region, in
 * order, once each, and every value whole although writers keep replacing them. Only then can no
 * box have been too small, nor a split have hidden anything.
 */
class MemoryRTreeConcurrencyTest {
  private static final long SEED = 42;
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int KEYS_PER_WRITER = 20_000;

  private final MemoryRTree tree = new MemoryRTree();
  private final Rectangle[][] places = new Rectangle[WRITERS][KEYS_PER_WRITER];
  private final AtomicIntegerArray written = new AtomicIntegerArray(WRITERS);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @ParameterizedTest
  @EnumSource(SpatialData.class)
  void readersMeetEveryEarlierEntryOfTheirRegion(SpatialData data) throws InterruptedException {
    long seed = Seeds.one(SEED);
    RandomGenerator random = Seeds.random(seed);
    for (Rectangle[] own : places) {
      for (int number = 0; number < KEYS_PER_WRITER; number++) {
        own[number] = data.next(random);
      }
    }
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      threads.add(new Thread(() -> guard(() -> write(writer, seed))));
    }
    for (int i = 0; i < READERS; i++) {
      long readerSeed = seed + i;
      threads.add(new Thread(() -> guard(() -> read(data, readerSeed))));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertNull(failure.get(), () -> "a thread failed: " + failure.get());
    assertEquals((long) WRITERS * KEYS_PER_WRITER, tree.entryCount());
  }

  private interface Body {
    void run() throws StorageException;
  }

  private void guard(Body body) {
    try {
      body.run();
    } catch (StorageException | RuntimeException | AssertionError e) {
      e.printStackTrace(System.out);
      failure.compareAndSet(null, e);
    }
  }

  private void write(int writer, long seed) {
    RandomGenerator random = Seeds.random(seed + writer);
    for (int number = 0; number < KEYS_PER_WRITER && failure.get() == null; number++) {
      tree.put(entry(writer, number, random));
      written.set(writer, number + 1);
      if (number % 3 == 0) {
        tree.put(entry(writer, random.nextInt(number + 1), random));
      }
    }
  }

  private Entry entry(int writer, int number, RandomGenerator random) {
    int version = random.nextInt(50);
    byte[] value = new byte[8 + version];
    Bytes.putInt(value, 0, writer);
    Bytes.putInt(value, 4, number);
    for (int i = 8; i < value.length; i++) {
      value[i] = (byte) version;
    }
    Entry entry = SpatialData.entry(places[writer][number], number * WRITERS + writer);
    entry.value().set(value, 0, value.length);
    return entry.antimatter(version % 2 == 0);
  }

  private void read(SpatialData data, long seed) throws StorageException {
    RandomGenerator random = Seeds.random(seed);
    int before = 0;
    while (before < WRITERS * KEYS_PER_WRITER && failure.get() == null) {
      int[] progress = new int[WRITERS];
      before = 0;
      for (int writer = 0; writer < WRITERS; writer++) {
        progress[writer] = written.get(writer);
        before += progress[writer];
      }
      Rectangle a = data.next(random);
      Rectangle b = data.next(random);
      Rectangle window =
          new Rectangle(
              Math.min(a.minX(), b.minX()),
              Math.min(a.minY(), b.minY()),
              Math.max(a.maxX(), b.maxX()),
              Math.max(a.maxY(), b.maxY()));
      check(window, progress);
    }
  }

  private void check(Rectangle window, int[] progress) throws StorageException {
    BitSet[] seen = new BitSet[WRITERS];
    for (int writer = 0; writer < WRITERS; writer++) {
      seen[writer] = new BitSet(KEYS_PER_WRITER);
    }
    Slice last = new Slice();
    try (EntryCursor cursor = tree.search(RegionQuery.intersecting(window))) {
      while (cursor.next()) {
        Slice key = cursor.entry().key();
        assertTrue(last.length() == 0 || key.compareBytes(last) > 0, "keys out of order");
        last.copyOf(key);
        Slice value = cursor.entry().value();
        int version = value.length() - 8;
        for (int i = 8; i < value.length(); i++) {
          assertEquals((byte) version, value.bytes()[value.offset() + i]);
        }
        assertEquals(version % 2 == 0, cursor.entry().antimatter());
        int writer = Bytes.getInt(value.bytes(), value.offset());
        int number = Bytes.getInt(value.bytes(), value.offset() + 4);
        assertEquals(places[writer][number], SpatialKey.rectangle(key));
        assertTrue(window.intersects(places[writer][number]));
        seen[writer].set(number);
      }
    }
    for (int writer = 0; writer < WRITERS; writer++) {
      for (int number = 0; number < progress[writer]; number++) {
        if (window.intersects(places[writer][number])) {
          assertTrue(seen[writer].get(number), "entry " + number + " of writer " + writer);
        }
      }
    }
  }
}
