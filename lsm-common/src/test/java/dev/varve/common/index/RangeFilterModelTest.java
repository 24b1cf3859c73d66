package dev.varve.common.index;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SortedRunFormat;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: who leaves components out by their filters finds every entry that is wanted, and none that
 * a component which was left out has replaced or deleted.
 *
 * <p>Method: seeded writes, flushes, merges and reopening of an index whose values are what it is
 * filtered by; mostly by writers who know the old value, at times by some who do not, so that
 * components of both sorts lie over each other. Searches for ranges of values are held against a
 * map. That components are left out at all is counted.
 */
final class RangeFilterModelTest {
  private static final int SEEDS = 30;
  private static final int OPERATIONS = 300;
  private static final Path ROOT = Path.of("/node");

  @Test
  void searchesForARangeOfValuesFindWhatTheMapHas() throws Exception {
    long[] counts = new long[3];
    Seeds.run(SEEDS, seed -> new Run(Seeds.random(seed), new SortedRunFormat(), counts).run());
    assertTrue(counts[0] > SEEDS && counts[1] > SEEDS, counts[0] + " read, " + counts[1] + " not");
    assertTrue(counts[2] > SEEDS, counts[2] + " read only for what they hide");
  }

  @Test
  void soTheyDoWhereDeletionsAreBesideTheEntries() throws Exception {
    long[] counts = new long[3];
    Seeds.run(
        SEEDS,
        seed -> new Run(Seeds.random(seed), SortedRunFormat.withDeletedKeys(), counts).run());
    assertTrue(counts[0] > SEEDS && counts[1] > SEEDS, counts[0] + " read, " + counts[1] + " not");
    assertTrue(counts[2] > SEEDS, counts[2] + " read only for what they hide");
  }

  @Test
  void anEntryOutsideOfItsComponentsFilterIsReported() throws Exception {
    MemoryFileSystem files = new MemoryFileSystem();
    files.createDirectories(ROOT);
    try (IndexFixture fixture = new IndexFixture(ROOT, files)) {
      write(fixture, "k", "5", RangeFilter.EMPTY.covering(IndexFixture.slice("5")));
      write(fixture, "l", "7", RangeFilter.EMPTY.covering(IndexFixture.slice("6")));
      assertThrows(
          CorruptionException.class,
          () -> fixture.index.contents().verifyRanges(entry -> entry.value()));
      fixture.index.flush();
      assertThrows(
          CorruptionException.class,
          () -> fixture.index.contents().verifyRanges(entry -> entry.value()));
      write(fixture, "l", "7", RangeFilter.EMPTY.covering(IndexFixture.slice("7")));
      fixture.index.contents().verifyRanges(entry -> entry.value());
    }
  }

  @Test
  void anIndexThatNobodySaysValuesOfIsReadWhole() throws Exception {
    MemoryFileSystem files = new MemoryFileSystem();
    files.createDirectories(ROOT);
    try (IndexFixture fixture = new IndexFixture(ROOT, files)) {
      fixture.put("k", "5");
      fixture.index.flush();
      assertEquals(List.of("k=5"), find(fixture, "7", "8", true));
      assertEquals(0, fixture.index.stats().rangeSkips());
    }
  }

  private static void write(IndexFixture fixture, String key, String value, RangeFilter values) {
    MemoryComponent<Slice> component = fixture.index.tryEnter();
    component.cover(values);
    component.put(IndexFixture.entry(key, value, value.isEmpty()), fixture.endLsn);
    fixture.endLsn += 40;
    component.exit();
  }

  private static List<String> find(IndexFixture fixture, String low, String high, boolean unchecked)
      throws StorageException {
    List<String> found = find(fixture, wanted(low, high));
    found.removeIf(
        entry -> {
          String value = entry.substring(entry.indexOf('=') + 1);
          return !unchecked && (value.compareTo(low) < 0 || value.compareTo(high) > 0);
        });
    return found;
  }

  private static RangeFilter.Wanted wanted(String low, String high) {
    return (smallest, largest) ->
        smallest.compareBytes(IndexFixture.slice(high)) <= 0
            && largest.compareBytes(IndexFixture.slice(low)) >= 0;
  }

  private static List<String> find(IndexFixture fixture, RangeFilter.Wanted wanted)
      throws StorageException {
    List<String> found = new ArrayList<>();
    try (LsmCursor cursor = fixture.index.searchStates(IndexFixture.slice(""), wanted)) {
      while (cursor.next()) {
        if (!cursor.entry().antimatter()) {
          String value = IndexFixture.text(cursor.entry().value());
          found.add(IndexFixture.text(cursor.entry().key()) + "=" + value);
        }
      }
    }
    return found;
  }

  /** One seed. */
  private static final class Run {
    private final RandomGenerator random;
    private final TreeMap<String, String> model = new TreeMap<>();
    private final List<String> history = new ArrayList<>();
    private final IndexFixture fixture;
    private final long[] counts;
    private int time = 100;

    Run(RandomGenerator random, ComponentFormat<Slice> format, long[] counts)
        throws StorageException {
      MemoryFileSystem files = new MemoryFileSystem();
      files.createDirectories(ROOT);
      this.random = random;
      this.counts = counts;
      this.fixture = new IndexFixture(ROOT, files, format);
    }

    void run() throws StorageException {
      try (IndexFixture closed = fixture) {
        for (int i = 0; i < OPERATIONS; i++) {
          step();
          check();
        }
        closed.index.flush();
        check();
        count();
      }
    }

    private void count() {
      counts[0] += fixture.index.stats().rangeReads();
      counts[1] += fixture.index.stats().rangeSkips();
    }

    private void step() throws StorageException {
      int choice = random.nextInt(100);
      if (choice < 70) {
        change("k" + random.nextInt(40));
      } else if (choice < 85) {
        history.add("flush");
        fixture.index.flush();
      } else if (choice < 93) {
        merge();
      } else if (choice < 95) {
        history.add("compact");
        fixture.index.compact();
      } else {
        history.add("flush and reopen");
        fixture.index.flush();
        count();
        fixture.reopen();
      }
    }

    /** Mostly later and later values, at times an old one. */
    private void change(String key) {
      String old = model.get(key);
      String value = random.nextInt(4) == 0 ? "" : String.valueOf(nextTime());
      RangeFilter values = RangeFilter.EMPTY;
      boolean blind = random.nextInt(10) == 0;
      if (old != null && !blind) {
        values = values.covering(IndexFixture.slice(old));
      }
      if (!value.isEmpty()) {
        values = values.covering(IndexFixture.slice(value));
        model.put(key, value);
      } else {
        model.remove(key);
      }
      history.add(key + "=" + value + (blind ? ", blind" : ""));
      write(fixture, key, value, blind ? values.heldOnly() : values);
    }

    private int nextTime() {
      time += random.nextInt(4);
      return random.nextInt(8) == 0 ? 100 + random.nextInt(time - 99) : time;
    }

    private void merge() throws StorageException {
      int count = fixture.components().size();
      if (count > 1) {
        int from = random.nextInt(count - 1);
        int to = from + 2 + random.nextInt(count - from - 1);
        history.add("merge " + from + " to " + to);
        fixture.merge(from, to);
      }
    }

    private void check() throws StorageException {
      int low = 100 + random.nextInt(time - 99);
      String from = String.valueOf(low);
      String to = String.valueOf(low + random.nextInt(20));
      List<String> expected =
          model.entrySet().stream()
              .filter(e -> e.getValue().compareTo(from) >= 0 && e.getValue().compareTo(to) <= 0)
              .map(e -> e.getKey() + "=" + e.getValue())
              .toList();
      assertEquals(
          expected, find(fixture, from, to, false), () -> from + " to " + to + ": " + history);
      checkCandidates(from, to, expected);
      fixture.index.contents().verifyRanges(entry -> valueOf(entry.value()));
    }

    /** Who looks at records finds all that are wanted, and reads fewer components for it. */
    private void checkCandidates(String from, String to, List<String> expected)
        throws StorageException {
      long before = fixture.index.stats().rangeReads();
      find(fixture, from, to, false);
      long readForHiding = fixture.index.stats().rangeReads() - before;
      List<String> candidates = find(fixture, wanted(from, to).lookingAtRecords());
      long readForValues = fixture.index.stats().rangeReads() - before - readForHiding;
      assertTrue(readForValues <= readForHiding, () -> from + " to " + to + ": " + history);
      counts[2] += readForHiding - readForValues;
      candidates.retainAll(expected);
      assertEquals(expected, candidates, () -> from + " to " + to + ": " + history);
    }

    private static @Nullable Slice valueOf(Slice value) {
      return value.length() == 0 ? null : value;
    }
  }
}
