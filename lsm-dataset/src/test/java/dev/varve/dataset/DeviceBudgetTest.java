package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: engines of one process whose directories lie on one device keep to one budget together, and
 * a flush of the one goes before the merges of the other; engines on different devices have a
 * budget each. Method: two engines on one disk in memory, in virtual time.
 */
class DeviceBudgetTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long RATE = 1_000_000;
  private static final Path ONE = TestStore.ROOT.resolve("one");
  private static final Path TWO = TestStore.ROOT.resolve("two");

  private final TestStore store = TestStore.empty(23);

  @BeforeEach
  void makeDirectories() throws StorageException {
    store.files.createDirectories(ONE);
    store.files.createDirectories(TWO);
  }

  private StorageEngine open(Path directory, long bytesPerSecond) throws StorageException {
    return StorageEngine.open(
        TestStore.options()
            .logRetentionBytes(64 << 20)
            .ioBytesPerSecond(bytesPerSecond)
            .build()
            .withDirectory(directory),
        new EngineSeams(store.files, store.clock, store.executor, Seeds.random(store.seed)));
  }

  /** A store with so many flushed components, which nothing has merged. */
  private static KeyValueStore filled(StorageEngine engine, int components)
      throws StorageException {
    KeyValueStore pairs =
        engine.createKeyValueStore(
            "pairs",
            KeyValueOptions.DEFAULTS
                .withMemoryBytes(16 << 20)
                .withMergePolicy(new MergePolicyOptions("none")));
    for (int component = 0; component < components; component++) {
      put(pairs, component * 1000, 1000);
      pairs.flush();
    }
    return pairs;
  }

  private static void put(KeyValueStore pairs, int first, int records) throws StorageException {
    try (KeyValueSession session = pairs.openSession()) {
      for (int i = first; i < first + records; i++) {
        TestStore.put(session, i);
      }
    }
  }

  private static long written(KeyValueStore pairs) throws StorageException {
    IndexStats index = TestStore.index(pairs);
    return index.flushedBytes() + index.mergedBytes();
  }

  /** Starts a merge of everything: of bytes for some ten seconds. */
  private static void mergeAll(KeyValueStore pairs) throws StorageException {
    pairs.setMergePolicy(new MergePolicyOptions("constant(2)"));
  }

  private long merging(StorageEngine engine) {
    return engine.waits().tasks().stream()
        .filter(task -> task.kind().equals("MERGE"))
        .mapToLong(WaitReport.Task::remainingBytes)
        .sum();
  }

  @Test
  void twoEnginesOnOneDeviceKeepToOneBudgetAndShareIt() throws StorageException {
    assertSharing(1);
  }

  @Test
  void enginesOnTwoDevicesHaveABudgetEach() throws StorageException {
    store.files.mount(TWO);
    assertSharing(2);
  }

  /** Both engines merge for some seconds, and together write so many times the rate. */
  private void assertSharing(int devices) throws StorageException {
    try (StorageEngine one = open(ONE, RATE);
        StorageEngine two = open(TWO, RATE)) {
      KeyValueStore first = filled(one, 12);
      KeyValueStore second = filled(two, 12);
      mergeAll(first);
      mergeAll(second);
      store.executor.runForNanos(SECOND);
      long oneBefore = merging(one);
      long twoBefore = merging(two);
      assertTrue(oneBefore > 0 && twoBefore > 0, "nothing merges");
      store.executor.runForNanos(4 * SECOND);
      // No two components have a key in common, so as much is written as is read.
      long oneMerged = oneBefore - merging(one);
      long twoMerged = twoBefore - merging(two);
      assertNear((double) oneMerged, (double) twoMerged);
      assertNear(4.0 * devices * RATE, (double) oneMerged + twoMerged);
    }
  }

  private static void assertNear(double due, double found) {
    assertEquals(due, found, 0.05 * due);
  }

  @Test
  void aFlushOfOneEngineGoesBeforeTheMergesOfAnother() throws StorageException {
    try (StorageEngine one = open(ONE, RATE);
        StorageEngine two = open(TWO, RATE)) {
      KeyValueStore merged = filled(one, 12);
      KeyValueStore flushed = filled(two, 0);
      mergeAll(merged);
      store.executor.runForNanos(SECOND);
      assertTrue(merging(one) > 0, "nothing merges");
      put(flushed, 0, 2000);
      long begin = store.clock.nanoTime();
      flushed.flush();
      double seconds = (double) (store.clock.nanoTime() - begin) / SECOND;
      assertNear((double) written(flushed) / RATE, seconds);
    }
  }

  @Test
  void theLowestRateHoldsWhileItsEngineIsOpen() throws StorageException {
    try (StorageEngine one = open(ONE, RATE)) {
      try (StorageEngine two = open(TWO, RATE / 10);
          StorageEngine three = open(TestStore.ROOT.resolve("three"), 0)) {
        assertEquals(
            List.of(RATE / 10, RATE / 10, 0L),
            List.of(rate(one), rate(two), rate(three)),
            "one without a rate takes no part");
      }
      assertEquals(RATE, rate(one));
    }
  }

  private static long rate(StorageEngine engine) throws StorageException {
    return engine.stats().scheduling().ioBytesPerSecond();
  }
}
