package dev.varve.dataset;

import static dev.varve.dataset.KeyValueModel.get;
import static dev.varve.dataset.KeyValueModel.slice;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.LargeValueStats;
import dev.varve.dataset.model.LargeValueStats.Activity;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: whoever operates a store sees what its large values take, what of it is dead, what is done
 * about it and what keeps it; and what is done keeps to the I/O budget, behind merges, and goes on.
 * Method: a small store on a simulated disk, in virtual time.
 */
final class LargeValuesReclaimTest {
  private static final long SECOND = 1_000_000_000L;
  private static final long RATE = 1_000_000;
  private static final int VALUE = 3000;
  private static final int KEYS = 40;

  /** What a file has before its first value. */
  private static final int HEADER = 40;

  private final TestStore store = TestStore.empty(17);

  private static KeyValueOptions options() {
    return KeyValueModel.options().withMemoryBytes(64 << 10).withLargeValueBytes(1000);
  }

  private static String key(int number) {
    return "key " + (1000 + number);
  }

  private static String value(int number) {
    return number + " " + "x".repeat(VALUE);
  }

  private static KeyValueStore filled(StorageEngine engine, int keys) throws StorageException {
    return filled(engine, "pairs", keys);
  }

  /** Many keys have memory enough to be flushed rarely. */
  private static KeyValueStore filled(StorageEngine engine, String name, int keys)
      throws StorageException {
    KeyValueOptions options = keys == KEYS ? options() : options().withMemoryBytes(1 << 20);
    KeyValueStore pairs = engine.createKeyValueStore(name, options);
    for (int i = 0; i < keys; i++) {
      pairs.put(slice(key(i)), slice(value(i)));
    }
    return pairs;
  }

  /** Deletes all but each so-many-eth; returns the bytes of values that stay. */
  private static long thin(KeyValueStore pairs, int keys, int left) throws StorageException {
    long bytes = 0;
    for (int i = 0; i < keys; i++) {
      if (i % left != 0) {
        pairs.delete(slice(key(i)));
      } else {
        bytes += value(i).length();
      }
    }
    return bytes;
  }

  private static LargeValueStats values(KeyValueStore pairs) throws StorageException {
    LargeValueStats values = pairs.stats().partitions().get(0).values();
    assertTrue(values != null, "no large values");
    return values;
  }

  private void rest(double seconds) {
    store.executor.runForNanos((long) (seconds * SECOND));
  }

  @AfterEach
  void closedAndWell() throws StorageException {
    store.faults.setPlan("");
    try (StorageEngine engine = store.open()) {
      assertEquals(List.of(), engine.verify().problems());
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void figuresTellWhatIsLiveAndDeadAndSinceWhen() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = filled(engine, KEYS);
      LargeValueStats before = values(pairs);
      // Flushes may have been looked at already, of the last steps of the filling.
      boolean looked = before.lookSeconds() >= 0;
      assertTrue(looked || before.liveBytes() + before.deadBytes() == 0, before.toString());
      assertTrue(before.bytes() > KEYS * VALUE, before.toString());
      assertTrue(before.quiet(), before.toString());

      pairs.delete(slice(key(3)));
      rest(30);
      LargeValueStats after = values(pairs);
      long live = 0;
      for (int i = 0; i < KEYS; i++) {
        live += i == 3 ? 0 : value(i).length();
      }
      assertEquals(live, after.liveBytes());
      // With the headers of the files, of which the last look began another.
      assertEquals(before.files(), after.files());
      assertEquals(after.bytes() - live, after.deadBytes());
      assertTrue(after.deadBytes() >= value(3).length(), after.toString());
      assertTrue(after.lookSeconds() >= 0 && after.lookSeconds() <= 30, after.toString());
      assertEquals(0, after.rewrittenBytes() + after.deletedBytes() + after.keptBytes());
      assertTrue(after.quiet(), after.toString());
      assertEquals(List.of(), engine.waits().values());

      pairs.put(slice("new"), slice(value(0)));
      LargeValueStats then = values(pairs);
      assertEquals(after.liveBytes() + after.deadBytes(), then.liveBytes() + then.deadBytes());
      assertTrue(then.bytes() > after.bytes() + VALUE, then.toString());
      KeyValueStore whole = engine.createKeyValueStore("whole", options().withLargeValueBytes(0));
      whole.put(slice("a"), slice("b"));
      assertNull(whole.stats().partitions().get(0).values());
    }
  }

  @Test
  void whatIsWrittenAgainAndDeletedIsCounted() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = filled(engine, KEYS);
      long before = values(pairs).bytes();
      long left = thin(pairs, KEYS, 4);
      rest(60);
      LargeValueStats after = values(pairs);
      assertTrue(after.rewrittenBytes() > 0 && after.rewrittenBytes() <= left, after.toString());
      assertEquals(left, after.liveBytes());
      assertTrue(after.deletedBytes() > before - 2 * left, after.toString());
      assertTrue(after.deadBytes() <= left / 4 + 100, after.toString());
    }
  }

  @Test
  void whatSnapshotsKeepIsSaidAndGoesWithTheLastThatNeedsItAlthoughNothingIsWritten()
      throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = filled(engine, KEYS);
      long written = values(pairs).bytes();
      long all;
      EngineSnapshot second;
      try (EngineSnapshot first = engine.snapshot()) {
        for (int i = 0; i < KEYS; i++) {
          pairs.delete(slice(key(i)));
        }
        rest(40);
        second = engine.snapshot();
        // A look between the deletions may have written again what was not deleted yet.
        all = values(pairs).keptBytes();
        long rewritten = values(pairs).rewrittenBytes();
        assertTrue(all >= written + rewritten, all + " bytes kept");
        assertTrue(all <= written + rewritten + HEADER, all + " bytes kept");
        assertEquals(all, engine.stats().memory().snapshotValueBytes());
        String named = engine.waits().snapshots().get(0);
        assertTrue(named.contains("and " + all + " bytes in files of large values"), named);
        String text = engine.waits().values().get(0);
        assertTrue(text.startsWith("'pairs': " + all + " bytes in "), text);
        assertTrue(text.contains(all + " kept by snapshots from before"), text);
        String shown = EngineInspection.running(store.files, TestStore.ROOT).orElseThrow();
        assertTrue(shown.contains("\"values\":[\"'pairs': "), shown);
        byte[] old = first.get(pairs, slice(key(7)).toByteArray()).orElseThrow();
        assertArrayEquals(slice(value(7)).toByteArray(), old);
      }
      // The second was opened after the look, and does not see them.
      rest(3);
      assertEquals(all, values(pairs).deletedBytes());
      assertEquals(0, engine.stats().memory().snapshotValueBytes());
      second.close();
      rest(3);
      assertEquals(List.of(), engine.waits().values());
      assertTrue(EngineInspection.running(store.files, TestStore.ROOT).isEmpty());
    }
  }

  @Test
  void aLaterLookKeepsNothingForSnapshotsThatDoNotSeeIt() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = filled(engine, KEYS);
      EngineSnapshot first = engine.snapshot();
      for (int i = 0; i < KEYS; i++) {
        pairs.delete(slice(key(i)));
      }
      pairs.compact();
      long kept = values(pairs).keptBytes();
      assertTrue(kept > KEYS * VALUE, kept + " bytes");
      try (EngineSnapshot second = engine.snapshot()) {
        pairs.put(slice(key(1)), slice(value(1)));
        pairs.compact();
        assertEquals(kept, values(pairs).keptBytes());
        first.close();
        rest(2);
        assertEquals(0, values(pairs).keptBytes());
        assertEquals(kept, values(pairs).deletedBytes());
        assertTrue(second.get(pairs, slice(key(1)).toByteArray()).isEmpty());
      }
    }
  }

  @Test
  void aFailureIsSaidAndTriedAgainAlthoughNothingIsWritten() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = filled(engine, KEYS);
      long left = thin(pairs, KEYS, 4);
      store.faults.setPlan("write *.values 1 ENOSPC persistent");
      rest(60);
      LargeValueStats failed = values(pairs);
      assertTrue(failed.failure().contains(".values"), failed.toString());
      assertEquals(Activity.RESTING, failed.activity());
      assertTrue(engine.waits().values().get(0).contains("and failed: "), failed.toString());
      String shown = EngineInspection.running(store.files, TestStore.ROOT).orElseThrow();
      assertTrue(shown.contains("and failed: "), shown);
      int faults = store.faults.faultCount();
      rest(10);
      assertTrue(store.faults.faultCount() <= faults + 1, "tried again at once");
      store.faults.setPlan("");
      rest(30);
      LargeValueStats after = values(pairs);
      assertEquals("", after.failure());
      assertTrue(after.bytes() <= 1.3 * left, after.toString());
      for (int i = 0; i < KEYS; i++) {
        assertEquals(i % 4 == 0 ? value(i) : null, get(pairs, key(i)));
      }
    }
  }

  private static EngineOptions budgeted() {
    return TestStore.options()
        .logSegmentBytes(32 << 20)
        .logRetentionBytes(64 << 20)
        .ioBytesPerSecond(RATE)
        .build();
  }

  /** Waits until it is seen to empty files, or to wait for its turn with them. */
  private void awaitBusy(KeyValueStore pairs) throws StorageException {
    for (int i = 0; i < 600 && values(pairs).rewrittenBytes() == 0; i++) {
      rest(0.1);
    }
    assertFalse(values(pairs).quiet(), values(pairs).toString());
  }

  @Test
  void whatIsWrittenAgainKeepsToTheBudget() throws StorageException {
    try (StorageEngine engine = store.open(budgeted())) {
      int keys = 2000;
      KeyValueStore pairs = filled(engine, keys);
      thin(pairs, keys, 3);
      awaitBusy(pairs);
      long before = values(pairs).rewrittenBytes();
      String busy = engine.waits().values().get(0);
      assertTrue(busy.contains(Activity.WAITING.toString()), busy);
      rest(1);
      long second = values(pairs).rewrittenBytes() - before;
      assertEquals(RATE, (double) second, 0.1 * RATE);
      String shown = EngineInspection.running(store.files, TestStore.ROOT).orElseThrow();
      assertTrue(shown.contains("giving space back"), shown);
    }
  }

  @Test
  void compactionWaitsForItsTurnToo() throws StorageException {
    try (StorageEngine engine = store.open(budgeted())) {
      int keys = 1000;
      KeyValueStore pairs = filled(engine, keys);
      long left = thin(pairs, keys, 3);
      long begin = store.clock.nanoTime();
      pairs.compact();
      double seconds = (double) (store.clock.nanoTime() - begin) / SECOND;
      long rewritten = values(pairs).rewrittenBytes();
      assertTrue(rewritten > RATE / 2, rewritten + " bytes");
      assertTrue(seconds >= 0.9 * rewritten / RATE, seconds + " s for " + rewritten + " bytes");
      assertTrue(values(pairs).bytes() <= 1.3 * left, values(pairs).toString());
      assertTrue(values(pairs).quiet(), values(pairs).toString());
    }
  }

  @Test
  void besideMergesThatNeverEndItHasItsPartAndNoMore() throws StorageException {
    try (StorageEngine engine = store.open(budgeted())) {
      int keys = 2000;
      KeyValueStore pairs = filled(engine, keys);
      KeyValueStore merged = components(engine, 24);
      thin(pairs, keys, 3);
      awaitBusy(pairs);
      merged.setMergePolicy(new MergePolicyOptions("constant(2)"));
      rest(1);
      long left = merging(engine);
      long before = values(pairs).rewrittenBytes();
      rest(8);
      long mergedBytes = left - merging(engine);
      long rewritten = values(pairs).rewrittenBytes() - before;
      assertTrue(merging(engine) > 0, "the merge has ended");
      assertEquals(8.0 * RATE * 7 / 8, (double) mergedBytes, 0.08 * 8 * RATE);
      assertTrue(rewritten <= RATE, rewritten + " bytes");
      assertTrue(rewritten >= 0.7 * RATE, rewritten + " bytes");
    }
  }

  @Test
  void eachStoreHasItsTurn() throws StorageException {
    try (StorageEngine engine = store.open(budgeted())) {
      int keys = 1000;
      KeyValueStore pairs = filled(engine, keys);
      KeyValueStore others = filled(engine, "others", keys);
      thin(pairs, keys, 2);
      thin(others, keys, 2);
      awaitBusy(pairs);
      rest(1);
      long one = values(pairs).rewrittenBytes();
      long two = values(others).rewrittenBytes();
      assertTrue(Math.abs(one - two) < (one + two) / 4, one + " and " + two);
    }
  }

  /** A store with so many flushed components of a megabyte, which nothing has merged. */
  private static KeyValueStore components(StorageEngine engine, int count) throws StorageException {
    KeyValueStore merged =
        engine.createKeyValueStore(
            "merged",
            KeyValueOptions.DEFAULTS
                .withMemoryBytes(16 << 20)
                .withMergePolicy(new MergePolicyOptions("none")));
    for (int component = 0; component < count; component++) {
      try (KeyValueSession session = merged.openSession()) {
        for (int i = 0; i < 1000; i++) {
          TestStore.put(session, component * 1000 + i);
        }
      }
      merged.flush();
    }
    return merged;
  }

  private static long merging(StorageEngine engine) {
    return engine.waits().tasks().stream()
        .filter(task -> task.index().contains("merged") || task.kind().equals("MERGE"))
        .mapToLong(WaitReport.Task::remainingBytes)
        .sum();
  }
}
