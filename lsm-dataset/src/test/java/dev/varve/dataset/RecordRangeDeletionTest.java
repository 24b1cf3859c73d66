package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.rtree.query.RegionQuery;
import dev.varve.transaction.log.Durability;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Goal: records that are deleted as a range are gone from all indexes, and nothing else is, whether
 * they go at once or one by one, and whatever indexes come and go. Method: a sorted map.
 */
final class RecordRangeDeletionTest {
  private static final int KEYS = 60;

  private static final Optional<FieldPath> FILTER = Optional.of(FieldPath.parse("v"));

  private static final List<IndexDefinition> INDEXES =
      List.of(
          IndexDefinition.on("v"),
          new IndexDefinition("both", List.of(FieldPath.parse("v"), FieldPath.parse("w"))),
          IndexDefinition.parse("rtree:p"),
          IndexDefinition.parse("rtree-deleted-keys:p"),
          IndexDefinition.parse("keyword:t"));

  private static DatasetOptions plain() {
    return DatasetOptions.of("plain", "id")
        .withMemoryBytes(512 << 10)
        .withMergePolicy(MergePolicyOptions.constant(3));
  }

  @Test
  void aDeletedRangeIsGoneAndNothingElse() throws Exception {
    Seeds.run(30, seed -> new Run(seed, plain()).run());
  }

  @Test
  void soItIsWhereComponentsAreCutByKeyRange() throws Exception {
    Seeds.run(10, seed -> new Run(seed, plain().withMergePolicy(KeyValueModel.CUT)).run());
  }

  @Test
  void soItIsWhereComponentsAreFiltered() throws Exception {
    Seeds.run(10, seed -> new Run(seed, plain().withFilterField(FILTER)).run());
  }

  private static String record(long id, int value) {
    return "{\"id\":" + id + ",\"v\":" + value + "}";
  }

  private static final class Run {
    private final RandomGenerator random;
    private final long seed;
    private final TreeMap<Long, Integer> model = new TreeMap<>();
    private TestStore store;
    private StorageEngine engine;
    private Dataset dataset;
    private boolean indexed;

    Run(long seed, DatasetOptions options) throws StorageException {
      this.seed = seed;
      this.random = Seeds.random(seed);
      this.store = TestStore.empty(seed);
      this.engine = store.open();
      this.dataset = engine.createDataset(options.withPartitions(1 + random.nextInt(3)));
    }

    void run() throws StorageException {
      for (int i = 0; i < 100; i++) {
        step();
      }
      check();
      dataset.deleteRange(ValueRange.all());
      model.clear();
      check();
      engine.close();
      store.faults.assertNothingOpen();
    }

    private void step() throws StorageException {
      switch (random.nextInt(18)) {
        case 0, 1 -> dataset.flush();
        case 2 -> dataset.compact();
        case 3 -> reopen();
        case 4 -> crash();
        case 5 -> check();
        case 6 -> store.executor.runUntilIdle();
        case 7, 8, 9, 10 -> deleteRange();
        case 11 -> changeIndexes();
        default -> writes();
      }
    }

    private void writes() throws StorageException {
      try (RecordSession session = dataset.openSession()) {
        for (int i = random.nextInt(20); i >= 0; i--) {
          long id = random.nextInt(KEYS);
          if (random.nextInt(5) == 0) {
            session.delete(Key.of(id));
            model.remove(id);
          } else {
            int value = random.nextInt(4);
            session.upsert(TestStore.bytes(record(id, value)));
            model.put(id, value);
          }
        }
      }
    }

    private void deleteRange() throws StorageException {
      long low = random.nextInt(KEYS);
      long high = low + random.nextInt(KEYS / 2);
      Key from = Key.of(low);
      Key to = Key.of(high);
      switch (random.nextInt(4)) {
        case 0 -> {
          dataset.deleteRange(ValueRange.closedOpen(from, to).descending());
          model.subMap(low, high).clear();
        }
        case 1 -> {
          dataset.deleteRange(ValueRange.openClosed(from, to));
          model.subMap(low, false, high, true).clear();
        }
        case 2 -> {
          dataset.deleteRange(ValueRange.exactly(from));
          model.remove(low);
        }
        default -> {
          // Bounds as they are, which stand for values.
          dataset.deleteRange(KeyRange.closed(from.toBytes(), to.toBytes()));
          model.subMap(low, true, high, true).clear();
        }
      }
    }

    private void changeIndexes() throws StorageException {
      if (indexed) {
        dataset.dropIndex("v");
      } else {
        dataset.addIndex(IndexDefinition.on("v"));
      }
      indexed = !indexed;
      check();
    }

    private void check() throws StorageException {
      List<String> expected = new ArrayList<>();
      model.forEach((id, value) -> expected.add(record(id, value)));
      assertEquals(expected, TestStore.records(dataset.scan(ValueRange.all())));
      assertEquals(model.size(), dataset.count(ValueRange.all()));
      long id = random.nextInt(KEYS);
      assertEquals(model.containsKey(id), dataset.exists(Key.of(id)));
      if (dataset.options().filterField().isPresent()) {
        int value = random.nextInt(4);
        FilterRange filter = FilterRange.of(ValueRange.exactly(Key.of(value)));
        assertEquals(
            model.values().stream().filter(v -> v == value).count(),
            dataset.count(ValueRange.all(), filter));
      }
      if (indexed) {
        for (int value = 0; value < 4; value++) {
          int wanted = value;
          long there = model.values().stream().filter(v -> v == wanted).count();
          KeyRange range = ValueRange.exactly(Key.of(value));
          assertEquals(there, dataset.countBy("v", range));
          assertEquals(there, TestStore.records(dataset.search("v", range)).size());
        }
      }
      assertEquals(List.of(), dataset.verify().problems());
    }

    private void reopen() throws StorageException {
      engine.close();
      engine = store.open();
      dataset = engine.dataset("plain");
      check();
    }

    private void crash() throws StorageException {
      store = new TestStore(store.files.crash(random), seed);
      engine = store.open();
      dataset = engine.dataset("plain");
      check();
    }
  }

  @Test
  void whatOneIndexDecidesIsHiddenByARangeAndMergedAway() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(plain());
      fill(dataset, 3000);
      dataset.flush();
      try (EngineSnapshot before = engine.snapshot()) {
        long logged = engine.stats().log().endLsn();
        dataset.deleteRange(ValueRange.atLeast(Key.of(10)));
        assertTrue(engine.stats().log().endLsn() - logged < 200, "one record in the log");
        ConflictException lost =
            assertThrows(ConflictException.class, () -> before.get(dataset, Key.of(1)));
        assertEquals(ConflictException.Reason.SNAPSHOT_GIVEN_UP, lost.reason());
      }
      assertEquals(10, dataset.count(ValueRange.all()));
      dataset.compact();
      assertEquals(10, entries(dataset), "the rest was merged away");
    }
  }

  private static void fill(Dataset dataset, int records) throws StorageException {
    try (RecordSession session = dataset.openSession()) {
      for (int id = 0; id < records; id++) {
        session.upsert(TestStore.bytes(record(id, id % 7)));
      }
    }
  }

  /** With something for each index. */
  private static void fillIndexed(Dataset dataset, int records) throws StorageException {
    try (RecordSession session = dataset.openSession()) {
      for (int id = 0; id < records; id++) {
        session.upsert(TestStore.bytes(indexedRecord(id)));
      }
    }
  }

  private static String indexedRecord(long id) {
    long value = id % 7;
    return "{\"id\":%d,\"v\":%d,\"w\":%d,\"p\":[%d,0],\"t\":\"word%d\"}"
        .formatted(id, value, value, id, value);
  }

  private static long entries(Dataset dataset) throws StorageException {
    return TestStore.index(dataset).components().stream().mapToLong(ComponentStats::entries).sum();
  }

  @Test
  void allIndexesHideAndMergeAwayARangeOfWhichTheLogHasARecordEach() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(plain().withIndexes(INDEXES));
      fillIndexed(dataset, 3000);
      dataset.flush();
      long logged = engine.stats().log().endLsn();
      dataset.deleteRange(ValueRange.atLeast(Key.of(10)));
      assertTrue(engine.stats().log().endLsn() - logged < 400, "a record for each index");
      for (int read = 0; read < 2; read++) {
        assertEquals(10, dataset.count(ValueRange.all()));
        assertEquals(2, dataset.countBy("v", ValueRange.exactly(Key.of(1))));
        assertEquals(2, dataset.countBy("both", ValueRange.exactly(Key.of(1, 1))));
        SpatialSearch everywhere = new SpatialSearch(RegionQuery.everything());
        assertEquals(10, count(dataset, "rtree:p", everywhere));
        assertEquals(10, count(dataset, "rtree-deleted-keys:p", everywhere));
        assertEquals(2, count(dataset, "keyword:t", TextSearch.allWords("word1")));
        try (RecordCursor near = dataset.search("rtree:p", new NearestSearch(2000, 0))) {
          assertTrue(near.next());
          assertArrayEquals(Key.of(9).toBytes(), near.key().toByteArray());
        }
        assertEquals(List.of(), dataset.verify().problems());
        dataset.compact();
      }
      for (IndexStats index : dataset.stats().partitions().get(0).indexes()) {
        long left = index.components().stream().mapToLong(ComponentStats::entries).sum();
        assertEquals(index.kind().equals("keyword") ? 10 + 10 : 10, left, index.name());
      }
    }
  }

  private static long count(Dataset dataset, String index, IndexSearch search)
      throws StorageException {
    long count = dataset.countBy(index, search);
    assertEquals(count, TestStore.records(dataset.search(index, search)).size());
    return count;
  }

  @Test
  void whereComponentsAreCutTheyGoOneByOneAndASnapshotShowsThem() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      Dataset dataset =
          engine.createDataset(
              plain()
                  .withMergePolicy(KeyValueModel.CUT)
                  .withIndexes(List.of(IndexDefinition.on("v"))));
      fill(dataset, 2500);
      try (EngineSnapshot before = engine.snapshot()) {
        dataset.deleteRange(ValueRange.atLeast(Key.of(7)));
        assertEquals(2500, before.count(dataset, ValueRange.all()));
      }
      assertEquals(7, dataset.count(ValueRange.all()));
      assertEquals(1, dataset.countBy("v", ValueRange.exactly(Key.of(3))));
      assertEquals(List.of(), dataset.verify().problems());
    }
  }

  @Test
  void whoReadsByTheValuesOfComponentsMissesNoDeletion() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(plain().withFilterField(FILTER));
      fill(dataset, 20);
      dataset.flush();
      dataset.deleteRange(ValueRange.atLeast(Key.of(10)));
      dataset.upsert(TestStore.bytes(record(30, 100)));
      dataset.flush();
      FilterRange old = FilterRange.of(ValueRange.atMost(Key.of(6)));
      assertEquals(10, dataset.count(ValueRange.all(), old));
    }
  }

  @Test
  void aBoundStandsForEveryKeyThatBeginsWithIt() throws StorageException {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = store.open()) {
      Dataset dataset =
          engine.createDataset(
              plain().withPrimaryKey(List.of(FieldPath.parse("id"), FieldPath.parse("v"))));
      fill(dataset, 20);
      dataset.deleteRange(KeyRange.closed(Key.of(3).toBytes(), Key.of(5).toBytes()));
      assertEquals(17, dataset.count(ValueRange.all()));
      dataset.deleteRange(KeyRange.greaterThan(Key.of(5).toBytes()));
      assertEquals(3, dataset.count(ValueRange.all()));
    }
  }

  @Test
  void aCrashInAnyCallLeavesOfAPartitionAllOrNothing() throws StorageException {
    crashInEachCall(plain(), TestStore.options().build());
  }

  @Test
  void soItDoesOfAllIndexesTogetherWhoseLogIsNotForced() throws StorageException {
    EngineOptions unforced = TestStore.options().durability(Durability.PROCESS_CRASH).build();
    crashInEachCall(plain().withIndexes(INDEXES), unforced);
  }

  private static void crashInEachCall(DatasetOptions options, EngineOptions engineOptions)
      throws StorageException {
    long seed = Seeds.one(17);
    RandomGenerator crashes = Seeds.random(seed);
    TestStore store = TestStore.empty(seed);
    List<MemoryFileSystem> left = new ArrayList<>();
    try (StorageEngine engine = store.open(engineOptions)) {
      Dataset dataset = engine.createDataset(options.withPartitions(2));
      fillIndexed(dataset, 100);
      dataset.flush();
      store.files.onOperation(operation -> left.add(store.files.crash(crashes)));
      dataset.deleteRange(ValueRange.atLeast(Key.of(10)));
      dataset.flush(); // of components that have nothing but the range
      fillIndexed(dataset, 20);
      dataset.flush();
      store.files.onOperation(null);
    }
    assertTrue(left.size() > 10, left.size() + " crash points");
    int whole = 0;
    for (MemoryFileSystem disk : left) {
      try (StorageEngine engine = new TestStore(disk, seed).open()) {
        Dataset there = engine.dataset("plain");
        for (int partition = 0; partition < 2; partition++) {
          int of = partition;
          long before = countOf(there, of, 20, 100);
          long now = 0;
          for (int id = 20; id < 100; id++) {
            now += text(there, id) != null && there.partitionOf(Key.of(id)) == of ? 1 : 0;
          }
          assertTrue(now == 0 || now == before, now + " of " + before);
          whole += now == 0 ? 0 : 1;
        }
        for (int id = 0; id < 10; id++) {
          assertEquals(indexedRecord(id), text(there, id));
        }
        assertEquals(List.of(), engine.verify().problems());
      }
    }
    assertTrue(whole > 0 && whole < 2 * left.size(), whole + " of " + left.size());
  }

  private static long countOf(Dataset dataset, int partition, int from, int to) {
    long count = 0;
    for (int id = from; id < to; id++) {
      count += dataset.partitionOf(Key.of(id)) == partition ? 1 : 0;
    }
    return count;
  }

  private static @Nullable String text(Dataset dataset, int id) throws StorageException {
    Optional<byte[]> found = dataset.get(Key.of(id));
    return found.map(bytes -> new String(bytes, StandardCharsets.UTF_8)).orElse(null);
  }
}
