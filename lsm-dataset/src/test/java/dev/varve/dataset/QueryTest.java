package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordQuery;
import dev.varve.dataset.model.ResultCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a query finds what its range and filter want, in its order and from its token on, of what
 * its reader sees. Method: a model of which copies are made for snapshots and transactions; pages
 * of a query are read with changes, flushes and merges between them.
 */
final class QueryTest {
  private static final int IDS = 60;
  private static final int VALUES = 8;

  private record Thing(int id, int n, int m) {
    String json() {
      return "{\"id\":%d,\"n\":%d,\"in\":{\"m\":%d,\"x\":[1]},\"t\":\"é\"}".formatted(id, n, m);
    }

    String fields() {
      return "{\"n\":%d,\"in\":{\"m\":%d}}".formatted(n, m);
    }

    static Thing random(RandomGenerator random) {
      return new Thing(random.nextInt(IDS), random.nextInt(VALUES), random.nextInt(VALUES));
    }
  }

  /** Where queries are asked. */
  private interface Asked {
    ResultCursor query(RecordQuery query) throws StorageException;
  }

  private static DatasetOptions options() {
    return DatasetOptions.of("things", "id")
        .withIndexes(
            List.of(
                IndexDefinition.on("n"),
                new IndexDefinition("both", List.of(FieldPath.parse("n"), FieldPath.parse("in.m"))),
                IndexDefinition.parse("keyword:t")))
        .withPartitions(2)
        .withMergePolicy(MergePolicyOptions.constant(2))
        .withMemoryBytes(1 << 20);
  }

  @ParameterizedTest
  @EnumSource
  void aQueryFindsWhatItsReaderSeesInItsOrder(IndexMaintenance maintenance) throws Exception {
    Seeds.run(4, seed -> new Run(seed, maintenance).run());
  }

  private static final class Run {
    private final RandomGenerator random;
    private final StorageEngine engine;
    private final Dataset things;
    private final Map<Integer, Thing> model = new TreeMap<>();

    Run(long seed, IndexMaintenance maintenance) throws StorageException {
      random = Seeds.random(seed);
      engine = TestStore.empty(seed).open();
      things =
          engine.createDataset(
              options()
                  .withMaintenance(maintenance)
                  .withFilterField(Optional.of(FieldPath.parse("in.m"))));
    }

    void run() throws StorageException {
      for (int round = 0; round < 25; round++) {
        change();
        check(things::query, model, this::maintain);
        try (EngineSnapshot snapshot = engine.snapshot()) {
          Map<Integer, Thing> moment = new TreeMap<>(model);
          check(query -> snapshot.query(things, query), moment, this::change);
          check(query -> snapshot.query(things, query), moment, this::change);
        }
        transaction();
      }
      assertEquals(List.of(), engine.verify().problems());
      engine.close();
    }

    private void maintain() throws StorageException {
      switch (random.nextInt(4)) {
        case 0 -> things.compact();
        case 1 -> things.flush();
        default -> {}
      }
    }

    private void change() throws StorageException {
      for (int i = random.nextInt(8); i >= 0; i--) {
        change(model, things::upsert, things::delete);
      }
      maintain();
    }

    private interface Write<T> {
      Object write(T what) throws StorageException;
    }

    private void change(Map<Integer, Thing> changed, Write<byte[]> upsert, Write<Key> delete)
        throws StorageException {
      Thing thing = Thing.random(random);
      if (random.nextInt(4) == 0) {
        delete.write(Key.of(thing.id));
        changed.remove(thing.id);
      } else {
        upsert.write(TestStore.bytes(thing.json()));
        changed.put(thing.id, thing);
      }
    }

    private void transaction() throws StorageException {
      Isolation isolation = random.nextBoolean() ? Isolation.SNAPSHOT : Isolation.LOCKED_READS;
      try (RecordTransaction transaction = things.beginTransaction(isolation)) {
        Map<Integer, Thing> own = new TreeMap<>(model);
        for (int i = random.nextInt(6); i >= 0; i--) {
          change(own, transaction::upsert, transaction::delete);
        }
        RecordQuery query = randomQuery();
        assertEquals(
            expected(query, own.values()), found(transaction.query(query)), query::toString);
        // Who is not in it sees nothing of it.
        check(things::query, model, () -> {});
        if (random.nextBoolean()) {
          transaction.commit();
          model.clear();
          model.putAll(own);
        }
      }
    }

    private RecordQuery randomQuery() {
      int which = random.nextInt(3);
      int least = random.nextInt(which == 0 ? IDS : VALUES);
      KeyRange range =
          switch (random.nextInt(4)) {
            case 0 -> ValueRange.all();
            case 1 -> ValueRange.exactly(Key.of(least));
            case 2 -> ValueRange.above(Key.of(least));
            default -> ValueRange.closed(Key.of(least), Key.of(least + 3));
          };
      range = random.nextBoolean() ? range.descending() : range;
      RecordQuery query =
          switch (which) {
            case 0 -> RecordQuery.ofKeys(range);
            case 1 -> RecordQuery.by("n", range);
            default -> RecordQuery.by("both", range);
          };
      return random.nextBoolean() ? query : query.fields("n", "in.m", "none", "t.none");
    }

    private void check(Asked asked, Map<Integer, Thing> seen, Between between)
        throws StorageException {
      RecordQuery query = randomQuery();
      if (random.nextInt(3) == 0) {
        query = query.filteredBy(FilterRange.of(ValueRange.atLeast(Key.of(VALUES / 2))));
      }
      List<String> expected = expected(query, seen.values());
      assertEquals(expected, found(asked.query(query)), query::toString);
      List<String> paged = new ArrayList<>();
      RecordQuery page = query.limit(1 + random.nextInt(7));
      boolean more = true;
      while (more) {
        more = false;
        try (ResultCursor cursor = asked.query(page)) {
          byte[] token = {};
          while (cursor.next()) {
            paged.add(text(cursor));
            token = cursor.resumeToken();
            more = true;
          }
          assertThrows(IllegalStateException.class, cursor::resumeToken);
          page = more ? page.after(token) : page;
        }
        between.change();
      }
      assertEquals(expected, paged, query::toString);
      seek(asked, query, seen, between);
    }

    private void seek(Asked asked, RecordQuery query, Map<Integer, Thing> seen, Between between)
        throws StorageException {
      Key sought = Key.of(random.nextInt(query.index().isEmpty() ? IDS : VALUES));
      try (ResultCursor cursor = asked.query(query)) {
        cursor.next();
        between.change();
        cursor.seek(sought);
        assertThrows(IllegalStateException.class, cursor::key);
        List<String> rest = new ArrayList<>();
        while (cursor.next()) {
          rest.add(text(cursor));
        }
        KeyRange behind =
            query.descending() ? ValueRange.atMost(sought) : ValueRange.atLeast(sought);
        List<Thing> left =
            seen.values().stream().filter(thing -> behind.contains(place(query, thing))).toList();
        assertEquals(expected(query, left), rest, () -> query + " from " + sought);
      }
    }
  }

  /** Something that happens between two pages. */
  private interface Between {
    void change() throws StorageException;
  }

  private static Slice place(RecordQuery query, Thing thing) {
    Key key =
        switch (query.index().orElse("")) {
          case "n" -> Key.of(thing.n, thing.id);
          case "both" -> Key.of(thing.n, thing.m, thing.id);
          default -> Key.of(thing.id);
        };
    return key.toSlice();
  }

  private static List<String> expected(RecordQuery query, Iterable<Thing> things) {
    List<Thing> wanted = new ArrayList<>();
    for (Thing thing : things) {
      if (query.range().contains(place(query, thing))
          && query.filter().holds(Key.of(thing.m).toSlice())) {
        wanted.add(thing);
      }
    }
    wanted.sort(Comparator.comparing(thing -> Key.ofSlice(place(query, thing))));
    if (query.descending()) {
      Collections.reverse(wanted);
    }
    return wanted.stream()
        .map(thing -> query.fields().isEmpty() ? thing.json() : thing.fields())
        .toList();
  }

  private static String text(ResultCursor cursor) {
    return new String(cursor.value().toByteArray(), StandardCharsets.UTF_8);
  }

  private static List<String> found(ResultCursor cursor) throws StorageException {
    return TestStore.records(cursor);
  }

  /** More records than are looked up at a time, of which many change while the cursor is open. */
  @Test
  void aSnapshotKeepsItsOrderWhileRecordsMoveAwayFromItsCursorAndIntoItsWay()
      throws StorageException {
    long seed = Seeds.one(7);
    RandomGenerator random = Seeds.random(seed);
    try (StorageEngine engine = TestStore.empty(seed).open()) {
      Dataset things = engine.createDataset(options());
      Map<Integer, Thing> model = new TreeMap<>();
      for (int id = 0; id < 3000; id++) {
        Thing thing = new Thing(id, random.nextInt(500), 0);
        things.upsert(TestStore.bytes(thing.json()));
        model.put(id, thing);
      }
      things.flush();
      RecordQuery query = RecordQuery.by("n", ValueRange.all().descending());
      try (EngineSnapshot snapshot = engine.snapshot();
          ResultCursor cursor = snapshot.query(things, query)) {
        List<String> found = new ArrayList<>();
        while (cursor.next()) {
          found.add(text(cursor));
          int id = random.nextInt(3000);
          if (random.nextInt(3) == 0) {
            things.delete(Key.of(id));
          } else {
            things.upsert(TestStore.bytes(new Thing(id, random.nextInt(500), 1).json()));
          }
          if (found.size() % 1000 == 0) {
            things.compact();
          }
        }
        assertEquals(expected(query, model.values()), found);
        // All entries of the moment have gone from the index.
        for (int id = 0; id < 3000; id++) {
          things.delete(Key.of(id));
        }
        things.compact();
        assertEquals(expected(query, model.values()), found(snapshot.query(things, query)));
      }
      assertEquals(List.of(), found(things.query(query)));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aTokenThatIsDamagedOrOfAnotherQueryIsRefused() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      Dataset things = engine.createDataset(options());
      for (int id = 0; id < 4; id++) {
        things.upsert(TestStore.bytes(new Thing(id, id, id).json()));
      }
      RecordQuery byN = RecordQuery.by("n", ValueRange.all());
      byte[] token;
      try (ResultCursor cursor = things.query(byN.limit(2))) {
        assertTrue(cursor.next());
        assertTrue(cursor.next());
        token = cursor.resumeToken();
        assertFalse(cursor.next());
      }
      assertEquals(2, found(things.query(byN.after(token))).size());
      for (int i = 0; i < token.length * Byte.SIZE; i++) {
        byte[] damaged = token.clone();
        damaged[i / Byte.SIZE] ^= (byte) (1 << (i % Byte.SIZE));
        refused(things, byN.after(damaged));
      }
      refused(things, byN.after(new byte[0]));
      refused(things, RecordQuery.ofKeys(ValueRange.all()).after(token));
      refused(things, RecordQuery.by("both", ValueRange.all()).after(token));
      refused(things, RecordQuery.by("n", ValueRange.all().descending()).after(token));
      refused(things, RecordQuery.by("n", ValueRange.atLeast(Key.of(3))).after(token));
      things.dropIndex("n");
      things.addIndex(IndexDefinition.on("n"));
      refused(things, byN.after(token));
    }
    store.faults.assertNothingOpen();
  }

  private static void refused(Dataset things, RecordQuery query) {
    assertEquals(RequestException.Reason.INVALID_TOKEN, reason(() -> things.query(query).close()));
  }

  private static RequestException.Reason reason(Executable call) {
    return assertThrows(RequestException.class, call).reason();
  }

  @Test
  void whatCannotBeInOrderIsRefused() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      Dataset things = engine.createDataset(options());
      KeyRange all = ValueRange.all();
      assertEquals(
          RequestException.Reason.UNKNOWN_INDEX,
          reason(() -> things.query(RecordQuery.by("x", all)).close()));
      assertEquals(
          RequestException.Reason.UNSUPPORTED,
          reason(() -> things.query(RecordQuery.by("keyword:t", all)).close()));
      RecordQuery filtered =
          RecordQuery.ofKeys(all).filteredBy(FilterRange.of(ValueRange.above(Key.of(1))));
      assertEquals(
          RequestException.Reason.UNSUPPORTED, reason(() -> things.query(filtered).close()));
      assertThrows(IllegalArgumentException.class, () -> RecordQuery.ofKeys(all).limit(-1));
      try (RecordTransaction transaction = things.beginTransaction()) {
        assertEquals(
            RequestException.Reason.UNSUPPORTED, reason(() -> transaction.query(filtered).close()));
      }
      ResultCursor closed = things.query(RecordQuery.ofKeys(all));
      closed.close();
      assertThrows(IllegalStateException.class, closed::next);
      assertThrows(IllegalStateException.class, () -> closed.seek(Key.of(1)));
    }
    store.faults.assertNothingOpen();
  }
}
