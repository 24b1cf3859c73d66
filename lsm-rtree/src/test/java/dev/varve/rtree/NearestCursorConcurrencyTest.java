package dev.varve.rtree;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageCache;
import dev.varve.common.testkit.Seeds;
import dev.varve.rtree.SpatialIndexFixture.Variant;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.NearestCursor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Goal: a search for the nearest that runs beside writers, whose memory trees split all the time,
 * and beside flushes and a merge misses nothing that was there when it began and stayed, and shows
 * nothing that was gone. Method: writers say how far they are before and after each step; a reader
 * looks at that before it opens and after it has read, and compares with all places.
 */
class NearestCursorConcurrencyTest {
  private static final long SEED = 7;
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int ENTRIES_PER_WRITER = 12_000;

  /** Every third entry is deleted, this many steps after it was put. */
  private static final int LATER = 300;

  private static final int MOST_READ = 300;

  @TempDir Path directory;

  private final Rectangle[][] places = new Rectangle[WRITERS][ENTRIES_PER_WRITER];
  private final AtomicIntegerArray put = new AtomicIntegerArray(WRITERS);
  private final AtomicIntegerArray deletionsBegun = new AtomicIntegerArray(WRITERS);
  private final AtomicIntegerArray deletionsEnded = new AtomicIntegerArray(WRITERS);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private SpatialIndexFixture fixture;

  static List<Arguments> kinds() {
    List<Arguments> kinds = new ArrayList<>();
    for (Variant variant : Variant.values()) {
      kinds.add(Arguments.of(variant, SpatialData.CLUSTERS));
      kinds.add(Arguments.of(variant, SpatialData.RECTANGLES));
    }
    return kinds;
  }

  @ParameterizedTest
  @MethodSource("kinds")
  void theNearestAreFoundBesideWriters(Variant variant, SpatialData data) throws Exception {
    long seed = Seeds.one(SEED);
    RandomGenerator random = Seeds.random(seed);
    for (Rectangle[] own : places) {
      for (int number = 0; number < own.length; number++) {
        own[number] = data.next(random);
      }
    }
    try (SpatialIndexFixture opened =
        new SpatialIndexFixture(
            directory, new LocalFileSystem(), new PageCache(1 << 22), variant)) {
      fixture = opened;
      List<Thread> threads = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        int writer = i;
        threads.add(new Thread(() -> guard(() -> write(writer))));
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
      assertTrue(opened.index.stats().flushes() >= WRITERS, "flushes");
    }
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

  private void write(int writer) throws StorageException {
    for (int number = 0; number < ENTRIES_PER_WRITER && failure.get() == null; number++) {
      fixture.write(entry(writer, number));
      put.set(writer, number + 1);
      int victim = number - LATER;
      if (victim >= 0 && victim % 3 == 0) {
        deletionsBegun.set(writer, victim + 1);
        fixture.write(entry(writer, victim).antimatter(true));
        deletionsEnded.set(writer, victim + 1);
      }
      if (number == ENTRIES_PER_WRITER / (writer + 2)) {
        fixture.index.flush();
      }
    }
    if (writer == 0) {
      fixture.index.compact();
    }
  }

  private Entry entry(int writer, int number) {
    return SpatialData.entry(places[writer][number], number * WRITERS + writer);
  }

  private static int[] copy(AtomicIntegerArray progress) {
    int[] copy = new int[WRITERS];
    for (int writer = 0; writer < WRITERS; writer++) {
      copy[writer] = progress.get(writer);
    }
    return copy;
  }

  private void read(SpatialData data, long seed) throws StorageException {
    RandomGenerator random = Seeds.random(seed);
    long seen = 0;
    while (seen < (long) WRITERS * ENTRIES_PER_WRITER && failure.get() == null) {
      int[] there = copy(put);
      int[] gone = copy(deletionsEnded);
      seen = 0;
      for (int count : there) {
        seen += count;
      }
      Rectangle near = data.next(random);
      check(near.minX(), near.minY(), there, gone);
    }
  }

  private void check(double x, double y, int[] there, int[] gone) throws StorageException {
    Set<Integer> found = new HashSet<>();
    double distance = 0;
    boolean all = true;
    try (NearestCursor cursor = NearestCursor.open(fixture.index, x, y)) {
      while (cursor.next()) {
        assertTrue(cursor.distance() >= distance, "not in the order of distance");
        distance = cursor.distance();
        int id = SpatialData.id(cursor.entry().key());
        assertTrue(found.add(id), () -> id + " twice");
        Rectangle place = places[id % WRITERS][id / WRITERS];
        assertEquals(SpatialModel.distance(place, x, y), distance, 1e-9 * (1 + distance));
        if (found.size() == MOST_READ) {
          all = false;
          break;
        }
      }
    }
    int[] maybeGone = copy(deletionsBegun);
    for (int writer = 0; writer < WRITERS; writer++) {
      for (int number = 0; number < there[writer]; number++) {
        int id = number * WRITERS + writer;
        boolean deleted = number % 3 == 0;
        if (deleted && number < gone[writer]) {
          assertFalse(found.contains(id), () -> id + " was deleted before");
        } else if (!(deleted && number < maybeGone[writer])) {
          double far = SpatialModel.distance(places[writer][number], x, y);
          // What is as far as the last one may have been left behind by stopping.
          boolean due = all || far < distance * (1 - 1e-9) - 1e-9;
          assertTrue(!due || found.contains(id), () -> id + " was there");
        }
      }
    }
  }
}
