package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.transaction.log.Durability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: what a disk component holds is not forced in the log, unless a later power loss could then
 * leave a later operation without an earlier one; and an engine without durability logs no single
 * operation, and still is left by any crash with what was written up to some moment, not before the
 * last flush. Method: one session on a simulated disk, and crashes.
 */
class UnloggedTest {
  private final TestStore store = TestStore.empty(1);

  private static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  private static KeyValueStore create(StorageEngine engine, String name) throws StorageException {
    return engine.createKeyValueStore(name, KeyValueModel.options());
  }

  private static void put(KeyValueStore store, Durability level, String key)
      throws StorageException {
    try (KeyValueSession session = store.openSession(level)) {
      session.put(slice(key), slice("value"));
    }
  }

  @Test
  void aFlushOfWhatTheLogHasOfOneIndexAloneForcesNothing() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = create(engine, "pairs");
      put(pairs, Durability.PROCESS_CRASH, "a");
      long forces = engine.parts().node().log().stats().forces();
      pairs.flush();
      assertEquals(forces, engine.parts().node().log().stats().forces());
      put(pairs, Durability.PROCESS_CRASH, "b");

      MemoryFileSystem left = store.files.crash(0, Seeds.random(1));
      try (StorageEngine opened = new TestStore(left, 1).open()) {
        KeyValueStore there = opened.keyValueStore("pairs");
        assertEquals("value", KeyValueModel.get(there, "a"));
        put(there, Durability.POWER_LOSS, "c");
      }
      try (StorageEngine opened = new TestStore(left, 1).open()) {
        assertEquals("value", KeyValueModel.get(opened.keyValueStore("pairs"), "c"));
      }
    }
  }

  @Test
  void aFlushForcesWhatAnotherIndexHasOnlyInTheLog() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore first = create(engine, "first");
      KeyValueStore second = create(engine, "second");
      put(first, Durability.PROCESS_CRASH, "earlier");
      put(second, Durability.PROCESS_CRASH, "later");
      second.flush();

      MemoryFileSystem left = store.files.crash(0, Seeds.random(1));
      try (StorageEngine opened = new TestStore(left, 1).open()) {
        assertEquals("value", KeyValueModel.get(opened.keyValueStore("second"), "later"));
        assertEquals("value", KeyValueModel.get(opened.keyValueStore("first"), "earlier"));
      }
    }
  }

  @Test
  void aFlushForcesTheCommitOfATransactionOverSeveralRecords() throws StorageException {
    EngineOptions options = TestStore.options().durability(Durability.PROCESS_CRASH).build();
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs = create(engine, "pairs");
      try (var scope = pairs.beginTransaction()) {
        scope.upsert(slice("a"), slice("1"));
        scope.upsert(slice("b"), slice("2"));
        scope.commit();
      }
      long forces = engine.parts().node().log().stats().forces();
      pairs.flush();
      assertTrue(engine.parts().node().log().stats().forces() > forces);
    }
  }

  @Test
  void anEngineWithoutDurabilityLogsNoSingleOperation() throws StorageException {
    try (StorageEngine engine = open(store)) {
      KeyValueStore pairs = create(engine, "pairs");
      long end = engine.parts().node().log().endLsn();
      put(pairs, Durability.NONE, "a");
      try (KeyValueSession session = pairs.openSession()) {
        session.insert(slice("b"), slice("value"));
        session.upsert(slice("b"), slice("other"));
        session.delete(slice("a"));
      }
      assertEquals(end, engine.parts().node().log().endLsn());
      assertEquals("other", KeyValueModel.get(pairs, "b"));
    }
    try (StorageEngine engine = open(store)) {
      assertEquals("other", KeyValueModel.get(engine.keyValueStore("pairs"), "b"), "after closing");
    }
  }

  private static StorageEngine open(TestStore store) throws StorageException {
    return store.open(TestStore.options().durability(Durability.NONE).build());
  }

  @Test
  void withoutALogAnyCrashLeavesAPrefixWithAllThatWasFlushed() throws Exception {
    Seeds.run(4, seed -> new Run(seed).run());
  }

  /** One engine without durability, crashed at every operation on the disk. */
  private static final class Run {
    private final long seed;
    private final RandomGenerator random;
    private final RandomGenerator crashes;
    private final TestStore store;
    private final List<List<String>> states = new ArrayList<>();
    private final KeyValueModel model = new KeyValueModel();
    private int flushed;
    private boolean created;
    private int checked;

    Run(long seed) {
      this.seed = seed;
      this.random = Seeds.random(seed);
      this.crashes = Seeds.random(~seed);
      this.store = TestStore.empty(seed);
    }

    void run() throws StorageException {
      remember();
      StorageEngine engine = open(store);
      KeyValueOptions small = KeyValueModel.options().withMemoryBytes(128 << 10);
      KeyValueStore pairs = engine.createKeyValueStore(KeyValueModel.NAME, small);
      created = true;
      store.files.onOperation(operation -> checkCrash());
      for (int i = 0; i < 90; i++) {
        switch (random.nextInt(8)) {
          case 0 -> {
            pairs.flush();
            flushed = states.size() - 1;
          }
          case 1 -> pairs.compact();
          case 2 -> store.executor.runUntilIdle();
          default -> write(pairs, i);
        }
      }
      store.files.onOperation(null);
      engine.close();
      try (StorageEngine again = open(store)) {
        model.check(again.keyValueStore(KeyValueModel.NAME));
      }
      System.out.println("seed " + seed + ": " + checked + " crashes");
      assertTrue(checked > 100, checked + " crashes");
    }

    private void remember() {
      states.add(KeyValueModel.texts(model.pairs));
    }

    private void write(KeyValueStore pairs, int number) throws StorageException {
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = random.nextInt(6); i >= 0; i--) {
          String key = KeyValueModel.key(random);
          if (random.nextInt(4) == 0) {
            model.pairs.remove(key);
            remember();
            session.remove(slice(key));
          } else {
            String value = KeyValueModel.value(random, number * 10L + i);
            model.pairs.put(key, value);
            remember();
            session.put(slice(key), slice(value));
          }
        }
      }
    }

    private void checkCrash() {
      checked++;
      MemoryFileSystem crashed =
          random.nextBoolean() ? store.files.crash(1, crashes) : store.files.crash(crashes);
      try (StorageEngine left = open(new TestStore(crashed, seed))) {
        if (created) {
          KeyValueStore pairs = left.keyValueStore(KeyValueModel.NAME);
          List<String> found = KeyValueModel.texts(pairs.scan(KeyRange.all()));
          assertTrue(
              states.subList(flushed, states.size()).contains(found),
              "seed " + seed + ", crash " + checked + ": no state from the last flush on");
          assertEquals(List.of(), left.verify().problems());
        }
      } catch (StorageException e) {
        throw new AssertionError("seed " + seed + ", crash " + checked, e);
      }
    }
  }
}
