package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.ValueChange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.TimeToLive;
import dev.varve.transaction.log.Durability;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: a pair is there to the end of its life and for nobody afterwards, whatever way it is read
 * or changed, before and after merges and crashes; a snapshot goes by its own moment. Method: a
 * model with the end of each pair, under a clock that is moved by hand.
 */
final class TimeToLiveTest {
  private static final int KEYS = 25;
  private static final long LIFE = 1000;

  private record Pair(String value, long end) {}

  /** What a store holds, those that have ended included. */
  private static final class Model extends TreeMap<String, Pair> {
    private static final long serialVersionUID = 1L;

    Model() {}

    Model(Model other) {
      super(other);
    }

    @Nullable String at(String key, long now) {
      Pair pair = get(key);
      return pair == null || pair.end() <= now ? null : pair.value();
    }

    List<String> at(long now) {
      List<String> living = new ArrayList<>();
      forEach(
          (key, pair) -> {
            if (pair.end() > now) {
              living.add(key + "=" + pair.value());
            }
          });
      return living;
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  private static @Nullable String text(Optional<byte[]> value) {
    return value.map(found -> new String(found, StandardCharsets.UTF_8)).orElse(null);
  }

  /** How many entries lie on disk, antimatter included. */
  private static long stored(KeyValueStore pairs) throws StorageException {
    return TestStore.index(pairs).components().stream().mapToLong(ComponentStats::entries).sum();
  }

  private static WriteOutcome outcome(boolean present) {
    return present ? WriteOutcome.PRESENT : WriteOutcome.ABSENT;
  }

  @Test
  void aPairIsThereToTheEndOfItsLife() throws Exception {
    Seeds.run(30, seed -> new Run(seed, KeyValueModel.options()).run());
  }

  @Test
  void soItIsWhereComponentsAreCutByKeyRange() throws Exception {
    KeyValueOptions cut = KeyValueModel.options().withMergePolicy(KeyValueModel.CUT);
    Seeds.run(20, seed -> new Run(seed, cut).run());
  }

  private static final class Run {
    private final RandomGenerator random;
    private final long seed;
    private final List<Shown> open = new ArrayList<>();
    private Model model = new Model();
    private TestStore store;
    private StorageEngine engine;
    private KeyValueStore pairs;
    private long written;

    /** Whether a merge may leave a component out that nothing has to be merged with. */
    private final boolean cut;

    private record Shown(EngineSnapshot snapshot, Model model, long openedMillis) {}

    Run(long seed, KeyValueOptions options) throws StorageException {
      this.seed = seed;
      this.cut = options.mergePolicy().equals(KeyValueModel.CUT);
      this.random = Seeds.random(seed);
      this.store = TestStore.empty(seed);
      this.engine = store.open();
      this.pairs =
          engine.createKeyValueStore("pairs", options.withTimeToLive(Duration.ofMillis(LIFE)));
    }

    void run() throws StorageException {
      for (int i = 0; i < 200; i++) {
        step();
      }
      closeSnapshots();
      check();
      store.clock.advanceMillis(LIFE);
      assertEquals(List.of(), KeyValueModel.texts(pairs.scan(KeyRange.all())));
      assertEquals(0, pairs.count(KeyRange.all()));
      pairs.put(bytes("one more"), bytes("so that there is something to merge"));
      pairs.flush();
      pairs.compact();
      if (!cut) {
        assertEquals(1, stored(pairs), "what has ended was merged away");
      }
      assertEquals(List.of(), pairs.verify().problems());
      engine.close();
    }

    private long now() {
      return store.clock.currentTimeMillis();
    }

    private void step() throws StorageException {
      switch (random.nextInt(20)) {
        case 0 -> pairs.flush();
        case 1 -> pairs.compact();
        case 2 -> reopen();
        case 3 -> crash();
        case 4, 5 -> check();
        case 6 -> store.executor.step();
        case 7 -> transaction();
        case 8 -> openSnapshot();
        case 9 -> closeSnapshots();
        case 10, 11, 12 -> store.clock.advanceMillis(250L * (1 + random.nextInt(3)));
        default -> operation();
      }
    }

    private String key() {
      return "k" + random.nextInt(KEYS);
    }

    private void put(String key, String value, long at) {
      model.put(key, new Pair(value, at + LIFE));
    }

    private void operation() throws StorageException {
      String key = key();
      long at = now();
      String before = model.at(key, at);
      String value = "v" + ++written;
      switch (random.nextInt(8)) {
        case 0, 1 -> {
          pairs.put(bytes(key), bytes(value));
          put(key, value, at);
        }
        case 2 -> {
          try (KeyValueSession session = pairs.openSession()) {
            if (before == null) {
              session.insert(bytes(key), bytes(value));
              put(key, value, at);
              assertEquals(value, text(session.get(bytes(key))));
            } else {
              ConflictException refused =
                  assertThrows(
                      ConflictException.class, () -> session.insert(bytes(key), bytes(value)));
              assertEquals(ConflictException.Reason.DUPLICATE_KEY, refused.reason());
            }
          }
        }
        case 3 -> {
          try (KeyValueSession session = pairs.openSession()) {
            assertEquals(outcome(before != null), session.upsert(bytes(key), bytes(value)));
          }
          put(key, value, at);
        }
        case 4 -> {
          assertEquals(outcome(before != null), pairs.delete(bytes(key)));
          model.remove(key);
        }
        case 5 -> {
          Optional<byte[]> expected =
              random.nextInt(3) == 0
                  ? Optional.empty()
                  : Optional.ofNullable(before).map(TimeToLiveTest::bytes);
          boolean set = pairs.compareAndSet(bytes(key), expected, Optional.of(bytes(value)));
          assertEquals(before == null || expected.isPresent(), set);
          if (set) {
            put(key, value, at);
          }
        }
        case 6 -> {
          String after = (before == null ? "" : before) + "+";
          Optional<byte[]> appended = pairs.modify(bytes(key), ValueChange.append(bytes("+")));
          assertEquals(after, text(appended));
          put(key, after, at);
        }
        default -> {
          try (KeyValueSession session = pairs.openSession()) {
            session.remove(bytes(key));
          }
          model.remove(key);
        }
      }
      assertEquals(at, now(), "nothing waits here");
    }

    private void transaction() throws StorageException {
      Model after = new Model(model);
      Isolation isolation = random.nextBoolean() ? Isolation.SNAPSHOT : Isolation.LOCKED_READS;
      long begun = now();
      try (KeyValueTransaction changes = pairs.beginTransaction(isolation)) {
        for (int i = random.nextInt(5); i >= 0; i--) {
          String key = key();
          String value = "t" + ++written;
          assertEquals(
              outcome(after.at(key, now()) != null), changes.upsert(bytes(key), bytes(value)));
          after.put(key, new Pair(value, now() + LIFE));
          assertEquals(model.at(key, now()), text(pairs.get(bytes(key))), "what is committed");
          String other = key();
          boolean own = !Objects.equals(after.get(other), model.get(other));
          long asOf = isolation == Isolation.SNAPSHOT && !own ? begun : now();
          assertEquals(after.at(other, asOf), text(changes.get(bytes(other))), other);
          if (random.nextInt(4) == 0) {
            store.clock.advanceMillis(250);
          }
        }
        if (random.nextBoolean()) {
          changes.commit();
          model = after;
        }
      }
    }

    private void openSnapshot() {
      if (open.size() < 3) {
        open.add(new Shown(engine.snapshot(), new Model(model), now()));
      }
    }

    private void closeSnapshots() throws StorageException {
      for (Shown shown : open) {
        check(shown);
        shown.snapshot().close();
      }
      open.clear();
    }

    private void check(Shown shown) throws StorageException {
      List<String> expected = shown.model().at(shown.openedMillis());
      EngineSnapshot snapshot = shown.snapshot();
      assertEquals(expected, KeyValueModel.texts(snapshot.scan(pairs, KeyRange.all())));
      assertEquals(expected.size(), snapshot.count(pairs, KeyRange.all()));
      String key = key();
      assertEquals(
          shown.model().at(key, shown.openedMillis()), text(snapshot.get(pairs, bytes(key))));
    }

    private void check() throws StorageException {
      long now = now();
      List<String> expected = model.at(now);
      assertEquals(expected, KeyValueModel.texts(pairs.scan(KeyRange.all())));
      Collections.reverse(expected);
      assertEquals(expected, KeyValueModel.texts(pairs.scan(KeyRange.all().descending())));
      assertEquals(expected.size(), pairs.count(KeyRange.all()));
      List<byte[]> keys = new ArrayList<>();
      for (int i = 0; i < KEYS; i++) {
        byte[] key = bytes("k" + i);
        keys.add(key);
        assertEquals(model.at("k" + i, now), text(pairs.get(key)), "k" + i);
        assertEquals(model.at("k" + i, now) != null, pairs.exists(key), "k" + i);
      }
      List<Optional<byte[]>> found = pairs.getAll(keys);
      for (int i = 0; i < KEYS; i++) {
        assertEquals(model.at("k" + i, now), text(found.get(i)), "k" + i);
      }
      for (Shown shown : open) {
        check(shown);
      }
      assertEquals(List.of(), pairs.verify().problems());
    }

    private void reopen() throws StorageException {
      closeSnapshots();
      engine.close();
      engine = store.open();
      pairs = engine.keyValueStore("pairs");
      check();
    }

    private void crash() throws StorageException {
      open.clear();
      long now = now();
      store = new TestStore(store.files.crash(random), seed);
      store.clock.jumpToMillis(now);
      engine = store.open();
      pairs = engine.keyValueStore("pairs");
      check();
    }
  }

  @Test
  void aCrashAnywhereBringsNothingBackThatHasEnded() throws Exception {
    Seeds.run(4, TimeToLiveTest::crashEverywhere);
  }

  private static void crashEverywhere(long seed) throws StorageException {
    RandomGenerator random = Seeds.random(seed);
    RandomGenerator crashes = Seeds.random(~seed);
    TestStore store = TestStore.empty(seed);
    StorageEngine engine = store.open();
    KeyValueStore pairs =
        engine.createKeyValueStore(
            "pairs", KeyValueModel.options().withTimeToLive(Duration.ofMillis(LIFE)));
    Model model = new Model();
    List<Model> possible = new ArrayList<>(List.of(model));
    int[] checked = new int[1];
    store.files.onOperation(
        operation -> {
          checked[0]++;
          long now = store.clock.currentTimeMillis();
          checkLeft(store.files.crash(crashes), seed, now, possible);
        });
    for (int i = 0; i < 45; i++) {
      Model after = new Model(model);
      String key = "k" + random.nextInt(6);
      String value = "v" + i;
      after.put(key, new Pair(value, store.clock.currentTimeMillis() + LIFE));
      possible.add(after);
      try (KeyValueSession session = pairs.openSession(Durability.POWER_LOSS)) {
        session.put(bytes(key), bytes(value));
      }
      model = after;
      possible.clear();
      possible.add(model);
      if (random.nextInt(4) == 0) {
        pairs.flush();
      }
      if (random.nextInt(8) == 0) {
        pairs.compact();
      }
      store.clock.advanceMillis(250L * random.nextInt(4));
    }
    store.files.onOperation(null);
    engine.close();
    System.out.println(checked[0] + " crash points");
    assertTrue(checked[0] > 200, checked[0] + " crash points");
  }

  private static void checkLeft(MemoryFileSystem files, long seed, long now, List<Model> possible) {
    TestStore left = new TestStore(files, seed);
    left.clock.jumpToMillis(now);
    try (StorageEngine engine = left.open()) {
      KeyValueStore pairs = engine.keyValueStore("pairs");
      List<String> found = KeyValueModel.texts(pairs.scan(KeyRange.all()));
      List<List<String>> expected = possible.stream().map(model -> model.at(now)).toList();
      assertTrue(expected.contains(found), found + " is none of " + expected);
      pairs.flush();
      pairs.compact();
      assertEquals(found, KeyValueModel.texts(pairs.scan(KeyRange.all())), "after a merge");
      assertEquals(List.of(), pairs.verify().problems());
    } catch (StorageException e) {
      throw new AssertionError("seed " + seed, e);
    }
  }

  @Test
  void aMergeKeepsWhatAnOpenSnapshotSees() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs", KeyValueModel.options().withTimeToLive(Duration.ofMillis(LIFE)));
      pairs.put(bytes("a"), bytes("1"));
      pairs.flush();
      pairs.put(bytes("b"), bytes("2"));
      pairs.flush();
      try (EngineSnapshot snapshot = engine.snapshot()) {
        store.clock.advanceMillis(LIFE);
        pairs.compact();
        assertEquals(List.of(), KeyValueModel.texts(pairs.scan(KeyRange.all())));
        assertEquals(
            List.of("a=1", "b=2"), KeyValueModel.texts(snapshot.scan(pairs, KeyRange.all())));
      }
      pairs.put(bytes("c"), bytes("3"));
      pairs.compact();
      assertEquals(1, stored(pairs));
      // The wall clock goes back: what was merged away by the later time stays away.
      store.clock.jumpToMillis(store.clock.currentTimeMillis() - LIFE);
      assertEquals(List.of("c=3"), KeyValueModel.texts(pairs.scan(KeyRange.all())));
    }
  }

  @Test
  void anotherTimeToLiveIsRefused() throws StorageException {
    TestStore store = TestStore.empty(1);
    KeyValueOptions options = KeyValueModel.options().withTimeToLive(Duration.ofMillis(LIFE));
    try (StorageEngine engine = store.open()) {
      engine.createKeyValueStore("pairs", options);
      engine.createKeyValueStore("plain", KeyValueModel.options());
    }
    try (StorageEngine engine = store.open()) {
      engine.openKeyValueStore("pairs", options);
      engine.openKeyValueStore("pairs", KeyValueOptions.DEFAULTS);
      for (String name : List.of("pairs", "plain")) {
        KeyValueOptions other = options.withTimeToLive(Duration.ofMillis(LIFE + 1));
        ConflictException refused =
            assertThrows(ConflictException.class, () -> engine.openKeyValueStore(name, other));
        assertEquals(ConflictException.Reason.OPTIONS_MISMATCH, refused.reason());
      }
    }
    for (Duration wrong : List.of(Duration.ZERO, Duration.ofNanos(1), Duration.ofDays(365_001))) {
      assertThrows(IllegalArgumentException.class, () -> TimeToLive.sinceWrite(wrong));
    }
  }

  @Test
  void valuesHaveEightBytesLess() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs =
          engine.createKeyValueStore(
              "pairs", KeyValueOptions.DEFAULTS.withTimeToLive(Duration.ofDays(365_000)));
      pairs.put(bytes("a"), new byte[(32 << 10) - Long.BYTES]);
      assertThrows(
          LimitException.class, () -> pairs.put(bytes("a"), new byte[(32 << 10) - Long.BYTES + 1]));
      assertEquals((32 << 10) - Long.BYTES, pairs.get(bytes("a")).orElseThrow().length);
    }
  }
}
