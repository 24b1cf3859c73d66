package dev.varve.dataset;

import static dev.varve.dataset.KeyValueModel.slice;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.ValueChange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.KeyValueOptions.Operator;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Random operations on a key-value store against a sorted map: blind puts and removals, inserts,
 * upserts and deletes in sessions, transactions over several pairs that commit and abort, operands
 * where the store has an operator, reads through the store, the session and snapshots, ranges,
 * flushes, compactions, clean reopens and power losses, with flushes and merges stepped in a seeded
 * order.
 */
class KeyValueModelTest {
  @Test
  void aKeyValueStoreHoldsWhatASortedMapHolds() throws Exception {
    Seeds.run(40, seed -> new Run(seed, KeyValueModel.options()).run());
  }

  @Test
  void soDoesOneWhoseComponentsAreCutByKeyRange() throws Exception {
    KeyValueOptions options = KeyValueModel.options().withMergePolicy(KeyValueModel.CUT);
    Seeds.run(40, seed -> new Run(seed, options).run());
  }

  @Test
  void soDoesOneWhoseLargeValuesAreKeptApart() throws Exception {
    KeyValueOptions options = KeyValueModel.options().withLargeValueBytes(64);
    Seeds.run(40, seed -> new Run(seed, options).run());
  }

  @Test
  void soDoOnesWithOperators() throws Exception {
    KeyValueOptions counters = KeyValueModel.options().withOperator(Operator.ADD_LONG);
    Seeds.run(25, seed -> new Run(seed, counters).run());
    KeyValueOptions greatest = KeyValueModel.options().withOperator(Operator.MAX);
    Seeds.run(10, seed -> new Run(seed, greatest.withMergePolicy(KeyValueModel.CUT)).run());
    KeyValueOptions least = KeyValueModel.options().withOperator(Operator.MIN);
    Seeds.run(10, seed -> new Run(seed, least).run());
  }

  /** What a snapshot has to show. */
  private record Shown(EngineSnapshot snapshot, KeyValueModel model) {}

  private static final class Run {
    private final KeyValueOptions options;
    private final RandomGenerator random;
    private final long seed;
    private final KeyValueModel model;
    private final List<Shown> shown = new ArrayList<>();
    private TestStore store;
    private StorageEngine engine;
    private KeyValueStore pairs;
    private long written;

    Run(long seed, KeyValueOptions options) {
      this.options = options;
      this.seed = seed;
      this.model = new KeyValueModel(options);
      this.random = Seeds.random(seed);
      this.store = TestStore.empty(seed);
    }

    void run() throws StorageException {
      engine = store.open();
      pairs = engine.createKeyValueStore(KeyValueModel.NAME, options);
      for (int i = 0; i < 150; i++) {
        step();
      }
      model.check(pairs);
      reopen();
      engine.close();
      store.faults.assertNothingOpen();
    }

    private void step() throws StorageException {
      switch (random.nextInt(26)) {
        case 0, 1 -> pairs.flush();
        case 2 -> pairs.compact();
        case 3 -> reopen();
        case 4 -> crash();
        case 5 -> model.check(pairs);
        case 6, 7 -> store.executor.runUntilIdle();
        case 8, 9, 10 -> transaction();
        case 11, 12 -> model.checkRange(pairs, random);
        case 13 -> shown.add(new Shown(engine.snapshot(), new KeyValueModel(model)));
        case 14 -> checkSnapshots();
        default -> session();
      }
    }

    /** Checks and closes all snapshots. */
    private void checkSnapshots() throws StorageException {
      for (Shown each : shown) {
        try (EngineSnapshot snapshot = each.snapshot()) {
          List<String> expected = KeyValueModel.texts(each.model().pairs);
          assertEquals(expected, KeyValueModel.texts(snapshot.scan(pairs, KeyRange.all())));
          assertEquals(expected.size(), snapshot.count(pairs, KeyRange.all()));
          for (Map.Entry<String, String> pair : each.model().pairs.entrySet()) {
            byte[] found = snapshot.get(pairs, slice(pair.getKey()).toByteArray()).orElseThrow();
            assertArrayEquals(slice(pair.getValue()).toByteArray(), found, pair.getKey());
          }
        }
      }
      shown.clear();
    }

    private String value() {
      return model.newValue(random, ++written);
    }

    private void session() throws StorageException {
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = random.nextInt(25); i >= 0; i--) {
          operation(session);
          if (random.nextInt(10) == 0) {
            session.force();
            assertEquals(0, session.unforced());
          }
          if (random.nextInt(8) == 0) {
            store.executor.step();
          }
        }
      }
    }

    private void operation(KeyValueSession session) throws StorageException {
      String key = KeyValueModel.key(random);
      boolean present = model.pairs.containsKey(key);
      switch (random.nextInt(11)) {
        case 10 -> session.write(model.batch(random, () -> ++written));
        case 0, 1, 2 -> {
          String value = value();
          session.put(slice(key), slice(value));
          model.pairs.put(key, value);
        }
        case 3, 4 -> {
          session.remove(slice(key));
          model.pairs.remove(key);
        }
        case 5 -> {
          String value = value();
          if (present) {
            ConflictException refused =
                assertThrows(
                    ConflictException.class, () -> session.insert(slice(key), slice(value)));
            assertEquals(ConflictException.Reason.DUPLICATE_KEY, refused.reason());
          } else {
            session.insert(slice(key), slice(value));
            model.pairs.put(key, value);
          }
        }
        case 6 -> {
          String value = value();
          assertEquals(outcome(present), session.upsert(slice(key), slice(value)));
          model.pairs.put(key, value);
        }
        case 8, 9 -> {
          if (model.hasOperator()) {
            merge(session, key);
            return;
          }
          String value = model.pairs.getOrDefault(key, "") + "+";
          ValueChange append = ValueChange.append(slice("+").toByteArray());
          byte[] after = session.modify(slice(key).toByteArray(), append).orElseThrow();
          assertArrayEquals(slice(value).toByteArray(), after);
          model.pairs.put(key, value);
        }
        case 7 -> {
          assertEquals(outcome(present), session.delete(slice(key)));
          model.pairs.remove(key);
        }
        default -> {
          KeyValue found = new KeyValue();
          assertEquals(present, session.get(slice(key), found), key);
          if (present) {
            assertEquals(slice(model.pairs.get(key)).toString(), found.value().toString());
          }
        }
      }
    }

    /** Blind, or by a read and a write, which come to the same. */
    private void merge(KeyValueSession session, String key) throws StorageException {
      String operand = value();
      model.merge(key, operand);
      if (random.nextInt(4) > 0) {
        session.merge(slice(key), slice(operand));
      } else {
        byte[] bytes = slice(operand).toByteArray();
        ValueChange change = options.operator().orElseThrow().change(bytes);
        byte[] after = session.modify(slice(key).toByteArray(), change).orElseThrow();
        assertArrayEquals(slice(model.pairs.get(key)).toByteArray(), after);
      }
    }

    private static WriteOutcome outcome(boolean present) {
      return present ? WriteOutcome.PRESENT : WriteOutcome.ABSENT;
    }

    private void transaction() throws StorageException {
      KeyValueModel after = new KeyValueModel(model);
      try (KeyValueTransaction scope = pairs.beginTransaction()) {
        RandomSavepoints<KeyValueModel> savepoints =
            new RandomSavepoints<>(scope, KeyValueModel::new, random);
        for (int i = random.nextInt(8); i > 0; i--) {
          after = savepoints.next(after);
          String key = KeyValueModel.key(random);
          boolean present = after.pairs.containsKey(key);
          if (random.nextInt(3) == 0) {
            assertEquals(outcome(present), scope.delete(slice(key)));
            after.pairs.remove(key);
          } else if (model.hasOperator() && random.nextBoolean()) {
            String operand = value();
            scope.merge(slice(key).toByteArray(), slice(operand).toByteArray());
            after.merge(key, operand);
          } else {
            String value = value();
            assertEquals(outcome(present), scope.upsert(slice(key), slice(value)));
            after.pairs.put(key, value);
          }
          if (random.nextInt(8) == 0) {
            store.executor.step();
          }
        }
        if (random.nextBoolean()) {
          scope.commit();
          model.pairs.clear();
          model.pairs.putAll(after.pairs);
        }
      }
    }

    private void reopen() throws StorageException {
      checkSnapshots();
      engine.close();
      engine = store.open();
      pairs = engine.keyValueStore(KeyValueModel.NAME);
      assertEquals(0, engine.stats().recovery().redoneOperations());
      model.check(pairs);
    }

    /** Everything was acknowledged, so everything is there after a power loss. */
    private void crash() throws StorageException {
      shown.clear();
      store = new TestStore(store.files.crash(random), seed);
      engine = store.open();
      pairs = engine.keyValueStore(KeyValueModel.NAME);
      model.check(pairs);
    }
  }
}
