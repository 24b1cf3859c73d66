package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.RankedCursor;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Predicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a snapshot shows, by every way to read, what was committed when it was opened, whatever
 * changes, is flushed and merged afterwards. Method: a model that is copied when a snapshot is
 * opened; changes by single calls, sessions and transactions, of which some are open meanwhile.
 */
final class SnapshotTest {
  private static final int IDS = 40;
  private static final int PLACES = 10;
  private static final List<String> WORDS = List.of("oak", "elm", "ash", "fir");
  private static final List<String> INDEXES =
      List.of("n", "rtree:at", "rtree-deleted-keys:at", "keyword:text", "ngram3:text");

  private record Thing(int id, int n, int x, int y, String text) {
    static Thing random(int id, RandomGenerator random) {
      return new Thing(
          id,
          random.nextInt(PLACES),
          random.nextInt(PLACES),
          random.nextInt(PLACES),
          WORDS.get(random.nextInt(WORDS.size())) + " " + WORDS.get(random.nextInt(WORDS.size())));
    }

    String json() {
      return "{\"id\":%d,\"n\":%d,\"at\":[%d,%d],\"text\":\"%s\"}".formatted(id, n, x, y, text);
    }

    double distance(int fromX, int fromY) {
      return Math.hypot(x - fromX, y - fromY);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aSnapshotShowsItsMoment(IndexMaintenance maintenance) throws Exception {
    Seeds.run(4, seed -> new Run(seed, maintenance, "").run());
  }

  @ParameterizedTest
  @EnumSource(IndexMaintenance.class)
  void filteredComponentsMakeNoDifference(IndexMaintenance maintenance) throws Exception {
    Seeds.run(4, seed -> new Run(seed, maintenance, "n").run());
  }

  private static final class Run {
    private final RandomGenerator random;
    private final TestStore store;
    private final boolean filtered;
    private final StorageEngine engine;
    private final Dataset things;
    private final KeyValueStore pairs;
    private final Map<Integer, Thing> model = new TreeMap<>();
    private final Map<Integer, String> pairModel = new TreeMap<>();
    private final List<Shown> open = new ArrayList<>();
    private int changes;

    /** What a snapshot has to show. */
    private record Shown(
        EngineSnapshot snapshot, Map<Integer, Thing> things, Map<Integer, String> pairs) {}

    Run(long seed, IndexMaintenance maintenance, String filter) throws StorageException {
      random = Seeds.random(seed);
      store = TestStore.empty(seed);
      filtered = !filter.isEmpty();
      engine = store.open();
      DatasetOptions options =
          DatasetOptions.of("things", "id")
              .withIndexes(INDEXES.stream().map(IndexDefinition::parse).toList())
              .withPartitions(2)
              .withMaintenance(maintenance)
              .withMergePolicy(MergePolicyOptions.constant(2))
              .withMemoryBytes(1 << 20);
      things =
          engine.createDataset(
              options.withFilterField(
                  Optional.of(filter).filter(f -> !f.isEmpty()).map(FieldPath::parse)));
      pairs =
          engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
    }

    void run() throws StorageException {
      for (int step = 0; step < 120; step++) {
        switch (random.nextInt(12)) {
          case 0 -> things.flush();
          case 1 -> pairs.flush();
          case 2 -> things.compact();
          case 3, 4 -> openSnapshot();
          case 5 -> closeSnapshot();
          case 6, 7 -> transaction();
          case 8 -> session();
          default -> single();
        }
        if (!open.isEmpty()) {
          check(open.get(random.nextInt(open.size())));
        }
      }
      for (Shown shown : open) {
        check(shown);
        shown.snapshot.close();
      }
      assertEquals(0, engine.stats().memory().snapshotBytes());
      assertEquals(List.of(), engine.verify().problems());
      engine.close();
    }

    private void openSnapshot() {
      if (open.size() < 4) {
        open.add(new Shown(engine.snapshot(), new TreeMap<>(model), new TreeMap<>(pairModel)));
      }
    }

    private void closeSnapshot() {
      if (!open.isEmpty()) {
        open.remove(random.nextInt(open.size())).snapshot.close();
      }
    }

    private void single() throws StorageException {
      int id = random.nextInt(IDS);
      if (random.nextInt(3) == 0) {
        things.delete(Key.of(id));
        pairs.delete(key(id));
        model.remove(id);
        pairModel.remove(id);
      } else {
        Thing thing = Thing.random(id, random);
        things.upsert(TestStore.bytes(thing.json()));
        pairs.put(key(id), TestStore.bytes("v" + changes));
        model.put(id, thing);
        pairModel.put(id, "v" + changes++);
      }
    }

    /** A snapshot is opened in the middle, of what is forced. */
    private void session() throws StorageException {
      try (RecordSession session = things.openSession();
          KeyValueSession pairSession = pairs.openSession()) {
        for (int i = 0; i < 5; i++) {
          Thing thing = Thing.random(random.nextInt(IDS), random);
          session.upsert(TestStore.bytes(thing.json()));
          pairSession.put(key(thing.id), TestStore.bytes("s" + changes));
          model.put(thing.id, thing);
          pairModel.put(thing.id, "s" + changes++);
          if (random.nextBoolean()) {
            openSnapshot();
          }
        }
        session.force();
        pairSession.force();
      }
    }

    /** Snapshots are opened and checked while it is open. */
    private void transaction() throws StorageException {
      Map<Integer, Thing> own = new TreeMap<>(model);
      Map<Integer, String> ownPairs = new TreeMap<>(pairModel);
      try (EngineTransaction transaction = engine.beginTransaction()) {
        for (int i = random.nextInt(8); i >= 0; i--) {
          int id = random.nextInt(IDS);
          if (random.nextInt(3) == 0) {
            transaction.of(things).delete(Key.of(id));
            transaction.of(pairs).delete(key(id));
            own.remove(id);
            ownPairs.remove(id);
          } else {
            Thing thing = Thing.random(id, random);
            transaction.of(things).upsert(TestStore.bytes(thing.json()));
            transaction.of(pairs).upsert(key(id), TestStore.bytes("t" + changes));
            own.put(id, thing);
            ownPairs.put(id, "t" + changes++);
          }
          if (random.nextInt(4) == 0) {
            openSnapshot();
            check(open.get(open.size() - 1));
          }
        }
        if (random.nextInt(3) > 0) {
          transaction.commit();
          model.clear();
          model.putAll(own);
          pairModel.clear();
          pairModel.putAll(ownPairs);
        }
      }
    }

    private static byte[] key(int id) {
      return TestStore.bytes(String.format("%04d", id));
    }

    private void check(Shown shown) throws StorageException {
      EngineSnapshot snapshot = shown.snapshot;
      same(shown.things.values(), snapshot.scan(things, ValueRange.all()));
      List<String> descending =
          TestStore.records(snapshot.scan(things, ValueRange.all().descending()));
      Collections.reverse(descending);
      assertEquals(shown.things.values().stream().map(Thing::json).toList(), descending);
      assertEquals(
          List.copyOf(shown.pairs.values()),
          TestStore.records(snapshot.scan(pairs, KeyRange.all())));
      assertEquals(
          shown.pairs.entrySet().stream()
              .filter(pair -> pair.getKey() >= 5 && pair.getKey() < 20)
              .map(Map.Entry::getValue)
              .toList(),
          TestStore.records(snapshot.scan(pairs, KeyRange.closedOpen(key(5), key(20)))));
      assertEquals(shown.pairs.size(), snapshot.count(pairs, KeyRange.all()));
      List<Key> keys = new ArrayList<>();
      List<byte[]> pairKeys = new ArrayList<>();
      for (int id = 0; id < IDS; id++) {
        keys.add(Key.of(id));
        pairKeys.add(key(id));
        same(shown.things.get(id), snapshot.get(things, Key.of(id)));
        assertEquals(Optional.ofNullable(shown.pairs.get(id)), text(snapshot.get(pairs, key(id))));
      }
      List<Optional<byte[]>> all = snapshot.getAll(things, keys);
      List<Optional<byte[]>> allPairs = snapshot.getAll(pairs, pairKeys);
      for (int id = 0; id < IDS; id++) {
        same(shown.things.get(id), all.get(id));
        assertEquals(Optional.ofNullable(shown.pairs.get(id)), text(allPairs.get(id)));
      }
      checkSearches(shown);
      checkNearest(shown, "rtree:at");
      checkNearest(shown, "rtree-deleted-keys:at");
    }

    private void checkSearches(Shown shown) throws StorageException {
      int low = random.nextInt(PLACES);
      int high = low + random.nextInt(PLACES - low);
      KeyRange values = ValueRange.closed(Key.of(low), Key.of(high));
      found(shown, "n", new KeySearch(values), thing -> thing.n >= low && thing.n <= high);
      SpatialSearch box =
          new SpatialSearch(RegionQuery.intersecting(new Rectangle(low, 0, high, 5)));
      Predicate<Thing> inBox = thing -> thing.x >= low && thing.x <= high && thing.y <= 5;
      found(shown, "rtree:at", box, inBox);
      found(shown, "rtree-deleted-keys:at", box, inBox);
      String word = WORDS.get(random.nextInt(WORDS.size()));
      Predicate<Thing> has = thing -> List.of(thing.text.split(" ")).contains(word);
      found(shown, "keyword:text", TextSearch.allWords(word), has);
      found(shown, "ngram3:text", TextSearch.containing(word), has);
      if (filtered) {
        FilterRange filter = FilterRange.of(values);
        Predicate<Thing> passes = thing -> thing.n >= low && thing.n <= high;
        same(matching(shown, passes), shown.snapshot.scan(things, ValueRange.all(), filter));
        same(
            matching(shown, passes.and(inBox)),
            shown.snapshot.search(things, "rtree:at", box, filter));
      }
    }

    private static List<Thing> matching(Shown shown, Predicate<Thing> wanted) {
      return shown.things.values().stream().filter(wanted).toList();
    }

    private void found(Shown shown, String index, IndexSearch search, Predicate<Thing> wanted)
        throws StorageException {
      List<Thing> expected = matching(shown, wanted);
      same(expected, shown.snapshot.search(things, index, search));
      assertEquals(expected.size(), shown.snapshot.countBy(things, index, search), index);
      List<Key> keys = new ArrayList<>();
      try (KeyCursor cursor = shown.snapshot.searchKeys(things, index, search)) {
        while (cursor.next()) {
          keys.add(Key.ofSlice(cursor.key()));
        }
      }
      keys.sort(null);
      assertEquals(expected.stream().map(thing -> Key.of(thing.id)).sorted().toList(), keys, index);
    }

    private void checkNearest(Shown shown, String index) throws StorageException {
      int x = random.nextInt(PLACES);
      int y = random.nextInt(PLACES);
      List<Double> distances = new ArrayList<>();
      List<String> records = new ArrayList<>();
      try (RecordCursor cursor = shown.snapshot.search(things, index, new NearestSearch(x, y))) {
        while (cursor.next()) {
          distances.add(((RankedCursor) cursor).distance());
          records.add(new String(cursor.value().toByteArray(), StandardCharsets.UTF_8));
        }
      }
      assertEquals(
          shown.things.values().stream().map(thing -> thing.distance(x, y)).sorted().toList(),
          distances,
          index);
      records.sort(null);
      assertEquals(shown.things.values().stream().map(Thing::json).sorted().toList(), records);
    }

    private static void same(Collection<Thing> expected, RecordCursor cursor)
        throws StorageException {
      List<String> records = new ArrayList<>(TestStore.records(cursor));
      records.sort(null);
      assertEquals(expected.stream().map(Thing::json).sorted().toList(), records);
    }

    private static void same(@Nullable Thing expected, Optional<byte[]> found) {
      assertEquals(Optional.ofNullable(expected).map(Thing::json), text(found));
    }

    private static Optional<String> text(Optional<byte[]> found) {
      return found.map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }
  }

  @Test
  void aBulkLoadIsInTheSnapshotsThatAreOpenedAfterIt() throws StorageException {
    TestStore store = TestStore.empty(3);
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people());
      try (EngineSnapshot before = engine.snapshot()) {
        try (RecordLoader loader = people.bulkLoad()) {
          loader.add(TestStore.person(2, "loaded", "Rome", 3));
          loader.finish();
        }
        try (EngineSnapshot after = engine.snapshot()) {
          assertEquals(0, before.count(people, ValueRange.all()));
          assertTrue(before.get(people, Key.of(2)).isEmpty());
          assertEquals(
              0, before.countBy(people, "home", new KeySearch(ValueRange.exactly(Key.of("Rome")))));
          assertEquals(1, after.count(people, ValueRange.all()));
          assertTrue(after.get(people, Key.of(2)).isPresent());
        }
      }
    }
  }

  @Test
  void theOldestIsGivenUpBeforeWritersWait() throws StorageException {
    TestStore store = TestStore.empty(3);
    try (StorageEngine engine = store.open(TestStore.options().snapshotBytes(64 << 10).build())) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
      for (int key = 0; key < 200; key++) {
        pairs.put(TestStore.bytes("k" + key), new byte[1000]);
      }
      try (EngineSnapshot oldest = engine.snapshot();
          RecordCursor cursor = oldest.scan(pairs, KeyRange.all())) {
        assertTrue(cursor.next());
        for (int key = 0; key < 50; key++) {
          pairs.put(TestStore.bytes("k" + key), new byte[1000]);
        }
        assertEquals(200, oldest.count(pairs, KeyRange.all()));
        assertEquals(1, engine.stats().memory().snapshots().size());
        try (EngineSnapshot younger = engine.snapshot()) {
          for (int key = 50; key < 100; key++) {
            pairs.put(TestStore.bytes("k" + key), new byte[1000]);
          }
          ConflictException givenUp =
              assertThrows(ConflictException.class, () -> oldest.get(pairs, TestStore.bytes("k1")));
          assertEquals(ConflictException.Reason.SNAPSHOT_GIVEN_UP, givenUp.reason());
          assertThrows(ConflictException.class, cursor::next);
          assertEquals(200, younger.count(pairs, KeyRange.all()));
        }
        assertEquals(0, engine.stats().memory().snapshotBytes());
      }
    }
  }

  /** What was saved for it is forgotten, so that an end may be the end of nothing. */
  @Test
  void aCursorDoesNotEndAsIfThatWasAllOnceItsSnapshotIsClosed() throws StorageException {
    TestStore store = TestStore.empty(3);
    try (StorageEngine engine = store.open()) {
      Dataset things =
          engine.createDataset(
              DatasetOptions.of("things", "id")
                  .withIndexes(INDEXES.stream().map(IndexDefinition::parse).toList())
                  .withMemoryBytes(1 << 20));
      things.insert(TestStore.bytes(new Thing(1, 1, 1, 1, "oak elm").json()));
      EngineSnapshot snapshot = engine.snapshot();
      things.delete(Key.of(1));
      things.compact();
      List<KeyCursor> cursors =
          List.of(
              snapshot.scan(things, ValueRange.all()),
              snapshot.search(things, "n", new KeySearch(ValueRange.all())),
              snapshot.searchKeys(things, "n", new KeySearch(ValueRange.all())),
              snapshot.search(things, "rtree:at", new NearestSearch(0, 0)));
      for (KeyCursor cursor : cursors) {
        assertTrue(cursor.next());
      }
      snapshot.close();
      for (KeyCursor cursor : cursors) {
        try (cursor) {
          assertThrows(IllegalStateException.class, cursor::next);
        }
      }
    }
  }

  @Test
  void aClosedSnapshotRefuses() throws StorageException {
    TestStore store = TestStore.empty(3);
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people());
      EngineSnapshot snapshot = engine.snapshot();
      snapshot.close();
      snapshot.close();
      assertThrows(IllegalStateException.class, () -> snapshot.get(people, Key.of(1)));
    }
  }

  @Test
  void ofTwoTransactionsAsOfOneMomentTheFirstToCommitWins() throws StorageException {
    TestStore store = TestStore.empty(3);
    byte[] key = TestStore.bytes("k");
    byte[] other = TestStore.bytes("other");
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
      pairs.put(key, TestStore.bytes("0"));
      try (KeyValueTransaction slow = pairs.beginTransaction(Isolation.SNAPSHOT)) {
        try (KeyValueTransaction fast = pairs.beginTransaction(Isolation.SNAPSHOT)) {
          fast.upsert(key, TestStore.bytes("1"));
          fast.commit();
        }
        assertArrayEquals(TestStore.bytes("0"), slow.get(key).orElseThrow());
        slow.upsert(other, TestStore.bytes("own"));
        assertArrayEquals(TestStore.bytes("own"), slow.get(other).orElseThrow());
        assertEquals(List.of("0", "own"), TestStore.records(slow.scan(KeyRange.all())));
        ConflictException lost =
            assertThrows(ConflictException.class, () -> slow.upsert(key, TestStore.bytes("2")));
        assertEquals(ConflictException.Reason.WRITE_CONFLICT, lost.reason());
        assertEquals(false, slow.active());
      }
      assertEquals(List.of("1"), TestStore.records(pairs.scan(KeyRange.all())));
      assertEquals(List.of(), engine.stats().memory().snapshots());
    }
  }
}
