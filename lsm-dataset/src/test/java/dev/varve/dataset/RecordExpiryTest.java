package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.RecordQuery;
import dev.varve.dataset.model.ResultCursor;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.dataset.options.TimeToLive;
import dev.varve.rtree.geometry.Rectangle;
import dev.varve.rtree.query.RegionQuery;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
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
 * Goal: a record is in no answer from the end of its life on, by no kind of index and under no
 * maintenance, and merges have its entries removed from all of them. Method: a model with the end
 * of each record, under a clock that is moved by hand; the same with records whose life begins with
 * a field of theirs, and with the write.
 */
final class RecordExpiryTest {
  private static final int IDS = 25;
  private static final int PLACES = 6;
  private static final long LIFE = 1000;
  private static final List<String> WORDS = List.of("oak", "elm", "ash");
  private static final List<String> INDEXES =
      List.of("n", "rtree:at", "rtree-deleted-keys:at", "keyword:text", "ngram3:text");

  private static final TimeToLive IN_FIELD =
      TimeToLive.since(FieldPath.parse("made.at"), Duration.ofMillis(LIFE));
  private static final TimeToLive WRITTEN = TimeToLive.sinceWrite(Duration.ofMillis(LIFE));

  /** A record, with the time in its field, if it has one. */
  private record Thing(int id, int n, int x, String text, @Nullable Long time, boolean asText) {
    static Thing random(int id, long now, RandomGenerator random) {
      return new Thing(
          id,
          random.nextInt(PLACES),
          random.nextInt(PLACES),
          WORDS.get(random.nextInt(WORDS.size())),
          random.nextInt(8) == 0 ? null : now - 250L * random.nextInt(3),
          random.nextBoolean());
    }

    String json() {
      String at =
          time == null
              ? "\"never\""
              : asText ? "\"" + Instant.ofEpochMilli(time) + "\"" : "" + time;
      return "{\"id\":%d,\"n\":%d,\"at\":[%d,1],\"text\":\"%s\",\"made\":{\"at\":%s}}"
          .formatted(id, n, x, text, at);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRecordIsFoundToTheEndOfItsLife(IndexMaintenance maintenance) throws Exception {
    Seeds.run(8, seed -> new Run(seed, IN_FIELD, maintenance, INDEXES).run());
  }

  @ParameterizedTest
  @EnumSource
  void soItIsWhereTheLifeBeginsWithTheWrite(IndexMaintenance maintenance) throws Exception {
    Seeds.run(8, seed -> new Run(seed, WRITTEN, maintenance, INDEXES).run());
  }

  @Test
  void soItIsWithoutSecondaryIndexes() throws Exception {
    Seeds.run(8, seed -> new Run(seed, IN_FIELD, IndexMaintenance.EAGER, List.of()).run());
    Seeds.run(8, seed -> new Run(seed, WRITTEN, IndexMaintenance.EAGER, List.of()).run());
  }

  @Test
  void loadedRecordsLiveFromTheLoadAndAreInIndexesThatAreAddedLater() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      Dataset things =
          engine.createDataset(
              DatasetOptions.of("things", "id").withTimeToLive(Optional.of(WRITTEN)));
      try (RecordLoader loader = things.bulkLoad()) {
        for (int id = 0; id < 5; id++) {
          loader.add(new Slice(thing(id)));
        }
        loader.finish();
      }
      things.addIndex(IndexDefinition.on("n"));
      IndexChangesTest.awaitBuilds(store, things);
      store.clock.advanceMillis(LIFE / 2);
      assertEquals(WriteOutcome.PRESENT, things.patch(Key.of(0), TestStore.bytes("{\"n\":0}")));
      assertEquals(WriteOutcome.PRESENT, things.patch(Key.of(1), TestStore.bytes("{\"n\":9}")));
      assertEquals(5, things.countBy("n", new KeySearch(ValueRange.all())));
      assertEquals(
          new String(thing(4), StandardCharsets.UTF_8), Run.text(things.get(Key.of(4))).get());
      assertEquals(List.of(), things.verify().problems());
      store.clock.advanceMillis(LIFE - LIFE / 2);
      // A patch that changes nothing is no write.
      assertEquals(1, things.countBy("n", new KeySearch(ValueRange.all())));
      assertEquals(1, things.count(KeyRange.all()));
    }
  }

  private static byte[] thing(int id) {
    return TestStore.bytes("{\"id\":" + id + ",\"n\":" + id % 2 + "}");
  }

  @Test
  void recordsThatLiveFromTheWriteHaveEightBytesLess() throws StorageException {
    TestStore store = TestStore.empty(1);
    int most = TestStore.options().build().recordLimits().maxRecordBytes();
    try (StorageEngine engine = store.open()) {
      for (boolean mortal : List.of(false, true)) {
        DatasetOptions options = DatasetOptions.of("things" + mortal, "id");
        Dataset things =
            engine.createDataset(mortal ? options.withTimeToLive(Optional.of(WRITTEN)) : options);
        String empty = "{\"id\":1,\"t\":\"\"}";
        int left = most - empty.length() - (mortal ? Long.BYTES : 0);
        String longest = empty.replace("\"\"", "\"" + "x".repeat(left) + "\"");
        things.upsert(TestStore.bytes(longest));
        assertEquals(Optional.of(longest), Run.text(things.get(Key.of(1))));
        byte[] longer = TestStore.bytes(longest.replace("\"}", "x\"}"));
        assertThrows(LimitException.class, () -> things.upsert(longer));
        assertThrows(
            LimitException.class, () -> things.update(Key.of(1), before -> Optional.of(longer)));
        try (RecordLoader loader = things.bulkLoad()) {
          assertThrows(LimitException.class, () -> loader.add(new Slice(longer)));
        } catch (ConflictException notEmpty) {
          assertEquals(ConflictException.Reason.NOT_EMPTY, notEmpty.reason());
        }
      }
    }
  }

  private static final class Run {
    private final RandomGenerator random;
    private final long seed;
    private final List<String> indexes;
    private final TimeToLive life;
    private final Map<Integer, Mortal> model = new TreeMap<>();
    private final List<Shown> open = new ArrayList<>();
    private TestStore store;
    private StorageEngine engine;
    private Dataset things;

    private record Shown(EngineSnapshot snapshot, List<Thing> living) {}

    /** What is stored; without an end it lives for ever. */
    private record Mortal(Thing thing, @Nullable Long end) {}

    Run(long seed, TimeToLive life, IndexMaintenance maintenance, List<String> indexes)
        throws StorageException {
      this.seed = seed;
      this.life = life;
      this.indexes = indexes;
      this.random = Seeds.random(seed);
      this.store = TestStore.empty(seed);
      this.engine = store.open();
      this.things =
          engine.createDataset(
              DatasetOptions.of("things", "id")
                  .withIndexes(indexes.stream().map(IndexDefinition::parse).toList())
                  .withPartitions(2)
                  .withMaintenance(maintenance)
                  .withMergePolicy(MergePolicyOptions.constant(2))
                  .withMemoryBytes(1 << 20)
                  .withTimeToLive(Optional.of(life)));
    }

    private long now() {
      return store.clock.currentTimeMillis();
    }

    private List<Thing> living() {
      long now = now();
      return model.values().stream()
          .filter(mortal -> mortal.end == null || mortal.end > now)
          .map(Mortal::thing)
          .toList();
    }

    private @Nullable Thing living(int id) {
      Mortal mortal = model.get(id);
      return mortal == null || (mortal.end != null && mortal.end <= now()) ? null : mortal.thing;
    }

    private void written(Thing thing) {
      Long begin = life.field().isPresent() ? thing.time : Long.valueOf(now());
      model.put(thing.id, new Mortal(thing, begin == null ? null : begin + LIFE));
    }

    void run() throws StorageException {
      for (int step = 0; step < 150; step++) {
        step();
      }
      closeSnapshots();
      check();
      checkRemoval();
      engine.close();
    }

    private void step() throws StorageException {
      switch (random.nextInt(18)) {
        case 0 -> things.flush();
        case 1 -> things.compact();
        case 2 -> reopen();
        case 3, 4 -> check();
        case 5, 6 -> store.executor.step();
        case 7 -> openSnapshot();
        case 8 -> closeSnapshots();
        case 9, 10 -> store.clock.advanceMillis(250L * (1 + random.nextInt(3)));
        case 11 -> transaction();
        default -> single();
      }
    }

    private static WriteOutcome outcome(@Nullable Thing before) {
      return before == null ? WriteOutcome.ABSENT : WriteOutcome.PRESENT;
    }

    private void single() throws StorageException {
      int id = random.nextInt(IDS);
      Thing before = living(id);
      Thing thing = Thing.random(id, now(), random);
      byte[] json = TestStore.bytes(thing.json());
      switch (random.nextInt(4)) {
        case 0 -> {
          WriteOutcome met = things.delete(Key.of(id));
          assertEquals(met == WriteOutcome.UNKNOWN ? met : outcome(before), met);
          model.remove(id);
        }
        case 1 -> {
          if (before == null) {
            things.insert(json);
            written(thing);
          } else {
            ConflictException refused =
                assertThrows(ConflictException.class, () -> things.insert(json));
            assertEquals(ConflictException.Reason.DUPLICATE_KEY, refused.reason());
          }
        }
        case 2 -> {
          assertEquals(outcome(before), things.patch(Key.of(id), TestStore.bytes("{\"n\":3}")));
          if (before != null && before.n != 3) {
            written(new Thing(id, 3, before.x, before.text, before.time, before.asText));
          }
        }
        default -> {
          WriteOutcome met = things.upsert(json);
          assertEquals(met == WriteOutcome.UNKNOWN ? met : outcome(before), met);
          written(thing);
        }
      }
    }

    private void transaction() throws StorageException {
      try (RecordTransaction transaction = things.beginTransaction()) {
        int id = random.nextInt(IDS);
        Thing before = living(id);
        Thing thing = Thing.random(id, now(), random);
        assertEquals(
            Optional.ofNullable(before).map(Thing::json), text(transaction.get(Key.of(id))));
        assertEquals(outcome(before), transaction.upsert(TestStore.bytes(thing.json())));
        assertEquals(Optional.ofNullable(before).map(Thing::json), text(things.get(Key.of(id))));
        if (random.nextBoolean()) {
          transaction.commit();
          written(thing);
        }
      }
    }

    private void openSnapshot() {
      if (open.size() < 2) {
        open.add(new Shown(engine.snapshot(), living()));
      }
    }

    private void closeSnapshots() throws StorageException {
      for (Shown shown : open) {
        check(shown);
        shown.snapshot.close();
      }
      open.clear();
    }

    private void check(Shown shown) throws StorageException {
      same(shown.living, shown.snapshot.scan(things, ValueRange.all()));
      assertEquals(shown.living.size(), shown.snapshot.count(things, ValueRange.all()));
      for (Search each : searches()) {
        List<Thing> wanted = shown.living.stream().filter(each.wanted).toList();
        same(wanted, shown.snapshot.search(things, each.index, each.search));
        assertEquals(wanted.size(), shown.snapshot.countBy(things, each.index, each.search));
      }
    }

    private record Search(String index, IndexSearch search, Predicate<Thing> wanted) {}

    private List<Search> searches() {
      if (indexes.isEmpty()) {
        return List.of();
      }
      int low = random.nextInt(PLACES);
      String word = WORDS.get(random.nextInt(WORDS.size()));
      SpatialSearch box =
          new SpatialSearch(RegionQuery.intersecting(new Rectangle(low, 0, PLACES, 5)));
      return List.of(
          new Search("n", new KeySearch(ValueRange.atLeast(Key.of(low))), thing -> thing.n >= low),
          new Search("rtree:at", box, thing -> thing.x >= low),
          new Search("rtree-deleted-keys:at", box, thing -> thing.x >= low),
          new Search("rtree:at", new NearestSearch(low, 1), thing -> true),
          new Search("keyword:text", TextSearch.allWords(word), thing -> thing.text.equals(word)),
          new Search("ngram3:text", TextSearch.containing(word), thing -> thing.text.equals(word)));
    }

    private void check() throws StorageException {
      List<Thing> living = living();
      same(living, things.scan(ValueRange.all()));
      List<String> descending = TestStore.records(things.scan(ValueRange.all().descending()));
      Collections.reverse(descending);
      assertEquals(living.stream().map(Thing::json).toList(), descending);
      assertEquals(living.size(), things.count(KeyRange.all()));
      List<Key> keys = new ArrayList<>();
      for (int id = 0; id < IDS; id++) {
        keys.add(Key.of(id));
        Optional<String> expected = Optional.ofNullable(living(id)).map(Thing::json);
        assertEquals(expected, text(things.get(Key.of(id))));
        assertEquals(expected.isPresent(), things.exists(Key.of(id)));
      }
      List<Optional<byte[]>> all = things.getAll(keys);
      for (int id = 0; id < IDS; id++) {
        assertEquals(Optional.ofNullable(living(id)).map(Thing::json), text(all.get(id)));
      }
      for (Search each : searches()) {
        check(each, living.stream().filter(each.wanted).toList());
      }
      checkQueries(living);
      for (Shown shown : open) {
        check(shown);
      }
      assertEquals(List.of(), things.verify().problems());
    }

    private void check(Search each, List<Thing> wanted) throws StorageException {
      same(wanted, things.search(each.index, each.search));
      assertEquals(wanted.size(), things.countBy(each.index, each.search), each.index);
      List<Key> keys = new ArrayList<>();
      try (KeyCursor cursor = things.searchKeys(each.index, each.search)) {
        while (cursor.next()) {
          keys.add(Key.ofSlice(cursor.key()));
        }
      }
      keys.sort(null);
      assertEquals(wanted.stream().map(thing -> Key.of(thing.id)).sorted().toList(), keys);
    }

    private void checkQueries(List<Thing> living) throws StorageException {
      List<String> expected = living.stream().map(Thing::json).sorted().toList();
      List<RecordQuery> queries = new ArrayList<>(List.of(RecordQuery.ofKeys(ValueRange.all())));
      if (!indexes.isEmpty()) {
        queries.add(RecordQuery.by("n", ValueRange.all()));
        queries.add(RecordQuery.by("n", ValueRange.all().descending()));
      }
      for (RecordQuery query : queries) {
        List<String> found = new ArrayList<>();
        try (ResultCursor cursor = things.query(query)) {
          while (cursor.next()) {
            found.add(new String(cursor.value().toByteArray(), StandardCharsets.UTF_8));
          }
        }
        found.sort(null);
        assertEquals(expected, found, query.toString());
      }
    }

    /** The merges that find what has ended have it deleted; the next ones take it out. */
    private void checkRemoval() throws StorageException {
      store.clock.advanceMillis(LIFE);
      List<Thing> living = living();
      for (int round = 0; round < 2; round++) {
        for (int id = 0; id < 8; id++) {
          Thing thing = new Thing(1000 + id, 0, 0, "oak", null, false);
          things.upsert(TestStore.bytes(thing.json()));
        }
        things.flush();
        things.compact();
        store.executor.runUntilIdle();
      }
      things.flush();
      things.compact();
      long primary = 0;
      for (var partition : things.stats().partitions()) {
        IndexStats index = partition.indexes().get(0);
        primary += index.components().stream().mapToLong(ComponentStats::entries).sum();
      }
      assertEquals(living.size() + 8, primary, "records on disk");
      assertEquals(List.of(), things.verify().problems());
      assertEquals(living.size() + 8, things.count(KeyRange.all()));
    }

    private void reopen() throws StorageException {
      closeSnapshots();
      if (random.nextBoolean()) {
        long now = now();
        store = new TestStore(store.files.crash(random), seed);
        store.clock.jumpToMillis(now);
      } else {
        engine.close();
      }
      engine = store.open();
      things = engine.dataset("things");
      check();
    }

    private static void same(List<Thing> expected, RecordCursor cursor) throws StorageException {
      List<String> records = new ArrayList<>(TestStore.records(cursor));
      records.sort(null);
      assertEquals(expected.stream().map(Thing::json).sorted().toList(), records);
    }

    private static Optional<String> text(Optional<byte[]> found) {
      return found.map(bytes -> new String(bytes, StandardCharsets.UTF_8));
    }
  }
}
