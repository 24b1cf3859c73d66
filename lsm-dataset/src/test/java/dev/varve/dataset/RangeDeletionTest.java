package dev.varve.dataset;

import static dev.varve.dataset.KeyValueModel.slice;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.KeyValueOptions.Operator;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: what is deleted as a range is gone for every way to read, and nothing else is, whatever is
 * put, flushed and merged before and afterwards, and after crashes. Method: a sorted map.
 */
final class RangeDeletionTest {
  @Test
  void aDeletedRangeIsGoneAndNothingElse() throws Exception {
    Seeds.run(60, seed -> new Run(seed, KeyValueModel.options()).run());
  }

  @Test
  void soItIsUnderTheDefaultPolicyAndWithoutOne() throws Exception {
    KeyValueOptions defaults = KeyValueOptions.DEFAULTS.withMemoryBytes(256 << 10);
    Seeds.run(20, seed -> new Run(seed, defaults).run());
    KeyValueOptions none = KeyValueModel.options().withMergePolicy(MergePolicyOptions.none());
    Seeds.run(20, seed -> new Run(seed, none).run());
  }

  @Test
  void soItIsWhereOperandsAreMerged() throws Exception {
    KeyValueOptions counters = KeyValueModel.options().withOperator(Operator.ADD_LONG);
    Seeds.run(20, seed -> new Run(seed, counters).run());
  }

  /** A random range, of all kinds of bounds. */
  private static KeyRange range(RandomGenerator random) {
    String one = KeyValueModel.key(random);
    String other = KeyValueModel.key(random);
    byte[] low = slice(one.compareTo(other) <= 0 ? one : other).toByteArray();
    byte[] high = slice(one.compareTo(other) <= 0 ? other : one).toByteArray();
    return switch (random.nextInt(8)) {
      case 0 -> KeyRange.all();
      case 1 -> KeyRange.prefix(new byte[] {'k', (byte) ('1' + random.nextInt(3))});
      case 2 -> KeyRange.between(KeyBound.exclusive(low), KeyBound.exclusive(high));
      case 3 -> KeyRange.atLeast(high);
      case 4 -> KeyRange.lessThan(low);
      case 5 -> KeyRange.closed(low, high).descending();
      default -> KeyRange.closedOpen(low, high);
    };
  }

  private static final class Run {
    private final RandomGenerator random;
    private final long seed;
    private final KeyValueModel model;
    private TestStore store;
    private StorageEngine engine;
    private KeyValueStore pairs;
    private long written;

    Run(long seed, KeyValueOptions options) throws StorageException {
      this.seed = seed;
      this.model = new KeyValueModel(options);
      this.random = Seeds.random(seed);
      this.store = TestStore.empty(seed);
      this.engine = store.open();
      this.pairs = engine.createKeyValueStore(KeyValueModel.NAME, options);
    }

    void run() throws StorageException {
      for (int i = 0; i < 120; i++) {
        step();
      }
      model.check(pairs);
      pairs.deleteRange(KeyRange.all());
      model.pairs.clear();
      model.check(pairs);
      pairs.compact();
      model.check(pairs);
      long entries =
          TestStore.index(pairs).components().stream().mapToLong(ComponentStats::entries).sum();
      assertEquals(0, entries, "all of it was merged away");
      engine.close();
      store.faults.assertNothingOpen();
    }

    private void step() throws StorageException {
      switch (random.nextInt(20)) {
        case 0, 1 -> pairs.flush();
        case 2 -> pairs.compact();
        case 3 -> reopen();
        case 4 -> crash();
        case 5, 6 -> model.check(pairs);
        case 7 -> store.executor.runUntilIdle();
        case 8 -> store.executor.step();
        case 9, 10 -> model.checkRange(pairs, random);
        case 11, 12, 13 -> deleteRange(range(random));
        case 14 -> snapshot();
        default -> writes();
      }
    }

    private void deleteRange(KeyRange range) throws StorageException {
      try (RecordCursor before = pairs.scan(KeyRange.all())) {
        pairs.deleteRange(range);
        if (random.nextBoolean() && before.next()) {
          assertTrue(model.pairs.containsKey(text(before)), "a cursor goes on with what it has");
        }
      }
      model.pairs.keySet().removeIf(key -> range.contains(slice(key)));
      if (random.nextBoolean()) {
        model.checkRange(pairs, random);
      }
    }

    private static String text(RecordCursor cursor) {
      return new String(cursor.key().toByteArray(), StandardCharsets.UTF_8);
    }

    private void writes() throws StorageException {
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = random.nextInt(12); i >= 0; i--) {
          String key = KeyValueModel.key(random);
          String value = model.newValue(random, ++written);
          boolean there = model.pairs.containsKey(key);
          switch (random.nextInt(5)) {
            case 0 -> {
              session.remove(slice(key));
              model.pairs.remove(key);
            }
            case 1 -> {
              if (there) {
                assertThrows(
                    ConflictException.class, () -> session.insert(slice(key), slice(value)));
              } else {
                session.insert(slice(key), slice(value));
                model.pairs.put(key, value);
              }
            }
            case 2, 3 -> {
              if (model.hasOperator()) {
                session.merge(slice(key), slice(value));
                model.merge(key, value);
              } else {
                session.put(slice(key), slice(value));
                model.pairs.put(key, value);
              }
            }
            default -> {
              session.put(slice(key), slice(value));
              model.pairs.put(key, value);
            }
          }
        }
      }
      try (KeyValueTransaction transaction = pairs.beginTransaction()) {
        String key = KeyValueModel.key(random);
        Optional<byte[]> before = transaction.get(slice(key).toByteArray());
        assertEquals(model.pairs.containsKey(key), before.isPresent());
        String value = model.newValue(random, ++written);
        transaction.upsert(slice(key), slice(value));
        if (random.nextBoolean()) {
          transaction.commit();
          model.pairs.put(key, value);
        }
      }
    }

    /** One of before a deletion shows the store no more; one of afterwards does. */
    private void snapshot() throws StorageException {
      TreeMap<String, String> now = new TreeMap<>(model.pairs);
      try (EngineSnapshot before = engine.snapshot()) {
        assertEquals(KeyValueModel.texts(now), KeyValueModel.texts(scan(before)));
        deleteRange(KeyRange.atLeast(slice(KeyValueModel.key(random)).toByteArray()));
        try (EngineSnapshot after = engine.snapshot()) {
          List<String> left = KeyValueModel.texts(model.pairs);
          writes();
          pairs.flush();
          assertEquals(left, KeyValueModel.texts(scan(after)));
        }
        for (KeyRange range : List.of(KeyRange.all(), KeyRange.exactly(new byte[] {'x'}))) {
          ConflictException lost =
              assertThrows(
                  ConflictException.class, () -> KeyValueModel.texts(before.scan(pairs, range)));
          assertEquals(ConflictException.Reason.SNAPSHOT_GIVEN_UP, lost.reason());
        }
        assertThrows(ConflictException.class, () -> before.get(pairs, new byte[] {'k'}));
      }
    }

    private RecordCursor scan(EngineSnapshot snapshot) throws StorageException {
      return snapshot.scan(pairs, KeyRange.all());
    }

    private void reopen() throws StorageException {
      engine.close();
      engine = store.open();
      pairs = engine.keyValueStore(KeyValueModel.NAME);
      model.check(pairs);
    }

    private void crash() throws StorageException {
      store = new TestStore(store.files.crash(random), seed);
      engine = store.open();
      pairs = engine.keyValueStore(KeyValueModel.NAME);
      model.check(pairs);
    }
  }

  @Test
  void manyRangesTakeNoComponentEach() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs", KeyValueModel.options().withMergePolicy(MergePolicyOptions.none()));
      for (int i = 0; i < 200; i++) {
        pairs.put(slice("k" + i), slice("v"));
      }
      pairs.flush();
      for (int i = 0; i < 200; i += 2) {
        pairs.deleteRange(KeyRange.exactly(slice("k" + i).toByteArray()));
      }
      assertEquals(100, pairs.count(KeyRange.all()));
      assertEquals(1, TestStore.index(pairs).components().size(), "all of them are in memory");
      pairs.flush();
      assertEquals(2, TestStore.index(pairs).components().size());
      assertEquals(100, pairs.count(KeyRange.all()));
    }
  }

  @Test
  void itIsRefusedBesideAnOpenTransactionAndWhereComponentsAreCut() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open(TestStore.options().stallTimeoutMillis(50).build())) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueModel.options());
      pairs.put(slice("a"), slice("1"));
      try (KeyValueTransaction open = pairs.beginTransaction()) {
        open.upsert(slice("b"), slice("2"));
        ConflictException stalled =
            assertThrows(ConflictException.class, () -> pairs.deleteRange(KeyRange.all()));
        assertEquals(ConflictException.Reason.STALLED, stalled.reason());
        assertTrue(String.valueOf(stalled.getMessage()).contains("transaction"), stalled::toString);
        open.commit();
      }
      assertEquals(2, pairs.count(KeyRange.all()));
      byte[] longest = new byte[256];
      pairs.deleteRange(KeyRange.closed(longest, longest));
      assertThrows(LimitException.class, () -> pairs.deleteRange(KeyRange.atLeast(new byte[258])));
      KeyValueStore cut =
          engine.createKeyValueStore(
              "cut", KeyValueModel.options().withMergePolicy(KeyValueModel.CUT));
      cut.put(slice("a"), slice("1"));
      RequestException refused =
          assertThrows(RequestException.class, () -> cut.deleteRange(KeyRange.all()));
      assertEquals(RequestException.Reason.UNSUPPORTED, refused.reason());
      cut.put(slice("b"), slice("1"));
      assertEquals(2, cut.count(KeyRange.all()));
    }
  }

  @Test
  void aPolicyThatCutsComponentsWaitsForTheRanges() throws StorageException {
    for (boolean crash : new boolean[] {false, true}) {
      TestStore store = TestStore.empty(1);
      StorageEngine engine = store.open();
      KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueModel.options());
      KeyValueModel model = new KeyValueModel();
      RandomGenerator random = Seeds.random(7);
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 30; i++) {
          String key = KeyValueModel.key(random);
          pairs.put(slice(key), slice("v" + i));
          model.pairs.put(key, "v" + i);
        }
        pairs.flush();
      }
      KeyRange range = KeyRange.closed(new byte[] {'k', '1'}, new byte[] {'k', '3'});
      pairs.deleteRange(range);
      model.pairs.keySet().removeIf(key -> range.contains(slice(key)));
      pairs.setMergePolicy(KeyValueModel.CUT);
      model.check(pairs);
      if (crash) {
        store = new TestStore(store.files.crash(random), 1);
        engine = store.open();
        pairs = engine.keyValueStore("pairs");
        model.check(pairs);
      }
      for (int round = 0; round < 3; round++) {
        pairs.put(slice("zz"), slice("v" + round));
        model.pairs.put("zz", "v" + round);
        pairs.flush();
        model.check(pairs);
        pairs.compact();
        model.check(pairs);
      }
      engine.close();
      engine = store.open();
      model.check(engine.keyValueStore("pairs"));
      engine.close();
    }
  }

  @Test
  void tooManyRangesThatNoMergeHasMetAreRefused() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs", KeyValueModel.options().withMergePolicy(MergePolicyOptions.none()));
      pairs.put(slice("a"), slice("1"));
      pairs.flush();
      List<String> refused = new ArrayList<>();
      for (int i = 0; i < 2000 && refused.isEmpty(); i++) {
        byte[] key = Arrays.copyOf(slice("k" + i).toByteArray(), 200);
        try {
          pairs.deleteRange(KeyRange.exactly(key));
        } catch (LimitException tooMany) {
          refused.add(String.valueOf(tooMany.getMessage()));
        }
      }
      assertFalse(refused.isEmpty());
      assertTrue(refused.get(0).contains("compaction"), refused.toString());
      pairs.compact();
      pairs.deleteRange(KeyRange.all());
      assertEquals(0, pairs.count(KeyRange.all()));
    }
  }
}
