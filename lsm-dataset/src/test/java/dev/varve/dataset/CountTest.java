package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.MemoryComponent;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.rtree.query.RegionQuery;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** What is counted is what is committed, each record once, and records are left where they are. */
class CountTest {
  private static final int RECORDS = 60;
  private static final KeySearch EVERY_NAME = new KeySearch(ValueRange.all());

  private final TestStore store = TestStore.empty(11);

  /** For each index of {@link #options} a search that finds every record without its text. */
  private static Map<String, IndexSearch> exactSearches() {
    Map<String, IndexSearch> searches = new LinkedHashMap<>();
    searches.put("n", EVERY_NAME);
    searches.put("rtree:at", new SpatialSearch(RegionQuery.everything()));
    searches.put("rtree-deleted-keys:at", new SpatialSearch(RegionQuery.everything()));
    searches.put("keyword:text", TextSearch.allWords("tree"));
    return searches;
  }

  private static DatasetOptions options() {
    return DatasetOptions.of("mix", "id")
        .withIndexes(exactSearches().keySet().stream().map(IndexDefinition::parse).toList())
        .withMemoryBytes(1 << 20);
  }

  private static byte[] record(long id, int value) {
    return TestStore.bytes(
        "{\"id\":%d,\"n\":%d,\"at\":[%d,%d],\"text\":\"tree t%d\"}"
            .formatted(id, value, value, id, value));
  }

  @Test
  void whatLiesOnDiskIsCountedWithoutItsRecords() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options());
      for (int id = 0; id < RECORDS; id++) {
        dataset.upsert(record(id, id % 7));
      }
      dataset.flush();
      dataset.delete(Key.of(1));
      dataset.flush();
    }
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.dataset("mix");
      int primary = dataset.stats().partitions().get(0).indexes().get(0).indexId();
      store.faults.setPlan("read */i" + primary + "/* 1 EIO persistent");
      try (EngineSnapshot snapshot = engine.snapshot()) {
        for (Map.Entry<String, IndexSearch> each : exactSearches().entrySet()) {
          assertEquals(RECORDS - 1, snapshot.countBy(dataset, each.getKey(), each.getValue()));
          KeyCursor keys = snapshot.searchKeys(dataset, each.getKey(), each.getValue());
          assertEquals(RECORDS - 1, Counted.keys(keys).stream().distinct().count());
        }
      }
      for (Map.Entry<String, IndexSearch> each : exactSearches().entrySet()) {
        assertEquals(RECORDS - 1, dataset.countBy(each.getKey(), each.getValue()), each::toString);
        List<Key> keys = Counted.keys(dataset.searchKeys(each.getKey(), each.getValue()));
        assertEquals(RECORDS - 1, keys.stream().distinct().count(), each::toString);
        assertThrows(
            DiskException.class,
            () -> TestStore.keys(dataset.search(each.getKey(), each.getValue())));
      }
      TextSearch phrase = TextSearch.phrase("tree t2");
      assertThrows(DiskException.class, () -> dataset.countBy("keyword:text", phrase));
      NearestSearch nearest = new NearestSearch(0, 0);
      assertThrows(DiskException.class, () -> dataset.countBy("rtree:at", nearest));
      store.faults.setPlan("");
      assertEquals(9, dataset.countBy("keyword:text", phrase));
      assertEquals(RECORDS - 1, dataset.countBy("rtree:at", nearest));
      assertEquals(List.of(), engine.verify().problems());
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void aRecordThatChangesWhileItIsSearchedForIsNotFoundForWhatItHad() throws StorageException {
    try (StorageEngine engine = store.open()) {
      List<Key> found = foundWhile(engine, dataset -> {});
      assertEquals(RECORDS - 2, found.size());
      assertFalse(found.contains(Key.of(40)));
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void aRecordThatChangesAndIsFlushedWhileItIsSearchedForIsNotFoundForWhatItHad()
      throws StorageException {
    try (StorageEngine engine = store.open()) {
      List<Key> found =
          foundWhile(
              engine,
              dataset -> {
                dataset.flush();
                dataset.upsert(record(42, 2));
              });
      assertEquals(RECORDS - 3, found.size());
      assertFalse(found.contains(Key.of(40)));
    }
    store.faults.assertNothingOpen();
  }

  /** Something that is done to a dataset. */
  private interface Change {
    void make(Dataset dataset) throws StorageException;
  }

  /** Searches for a value of records on disk, of which one gets another and one is deleted. */
  private static List<Key> foundWhile(StorageEngine engine, Change further)
      throws StorageException {
    Dataset dataset = engine.createDataset(options());
    for (int id = 0; id < RECORDS; id++) {
      dataset.upsert(record(id, 1));
    }
    dataset.flush();
    List<Key> found;
    try (RecordCursor cursor = dataset.search("n", ValueRange.exactly(Key.of(1)))) {
      dataset.upsert(record(40, 2));
      dataset.delete(Key.of(41));
      further.make(dataset);
      found = TestStore.keys(cursor);
    }
    assertEquals(List.of(), engine.verify().problems());
    return found;
  }

  @Test
  void nothingUncommittedIsCountedNorThatSomethingIsGone() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options());
      dataset.insert(record(1, 1));
      dataset.insert(record(2, 2));
      dataset.flush();
      try (RecordTransaction scope = dataset.partition(0).beginTransaction()) {
        scope.upsert(new Slice(record(1, 5)));
        scope.insert(new Slice(record(3, 3)));
        assertTrue(dataset.exists(Key.of(1)));
        assertFalse(dataset.exists(Key.of(3)));
        checkAll(dataset, 2);
        assertEquals(1, dataset.countBy("n", ValueRange.exactly(Key.of(1))));
        assertEquals(0, dataset.countBy("n", ValueRange.atLeast(Key.of(3))));
        scope.abort();
      }
      assertFalse(dataset.exists(Key.of(3)));
      checkAll(dataset, 2);
      try (RecordSession session = dataset.openSession()) {
        session.delete(Key.of(1));
        assertEquals(1, dataset.countBy("n", ValueRange.exactly(Key.of(2))));
        assertFalse(dataset.exists(Key.of(1)));
        assertEquals(0, dataset.countBy("n", ValueRange.exactly(Key.of(1))));
        checkAll(dataset, 1);
      }
      dataset.flush();
      checkAll(dataset, 1);
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private static void checkAll(Dataset dataset, int records) throws StorageException {
    assertEquals(records, dataset.count(ValueRange.all()));
    for (Map.Entry<String, IndexSearch> each : exactSearches().entrySet()) {
      assertEquals(records, dataset.countBy(each.getKey(), each.getValue()), each::toString);
    }
  }

  @Test
  void whatALoadPublishesBeforeThePrimaryIsNotCounted() throws StorageException {
    // A load publishes the secondary first, and may then fail.
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options());
      assertFalse(dataset.exists(Key.of(1)));
      LsmIndex<?> secondary = dataset.managed.lifecycles().get(0).openIndexes().all().get(1);
      Slice entry = new KeyEncoder().addLong(5).addEncoded(Key.of(1).toSlice()).toSlice();
      put(secondary, entry, false);
      secondary.flush();
      assertEquals(0, dataset.countBy("n", ValueRange.all()));
      put(secondary, entry, true);
    }
  }

  private static void put(LsmIndex<?> index, Slice key, boolean antimatter) {
    MemoryComponent<?> component = index.tryEnter();
    Entry entry = new Entry().antimatter(antimatter);
    entry.key().set(key.bytes(), key.offset(), key.length());
    component.put(entry, 0);
    component.exit();
  }

  @Test
  void aCursorOfKeysIsAtAKeyOnlyBetweenItsFirstAndItsLast() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options().withPartitions(2));
      dataset.insert(record(1, 1));
      KeyCursor opened;
      try (KeyCursor keys = dataset.searchKeys("n", ValueRange.all())) {
        opened = keys;
        assertThrows(IllegalStateException.class, keys::key);
        assertTrue(keys.next());
        assertEquals(Key.of(1), Key.ofSlice(keys.key()));
        assertFalse(keys.next());
        assertThrows(IllegalStateException.class, keys::key);
        assertFalse(keys.next());
      }
      assertThrows(IllegalStateException.class, opened::next);
      opened.close();
      assertThrows(
          IllegalArgumentException.class,
          () -> dataset.searchKeys("n", ValueRange.all().descending()).close());
      assertEquals(List.of(), engine.verify().problems());
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void unknownIndexesAndSearchesOfOtherKindsAreRefused() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options());
      refused(RequestException.Reason.UNKNOWN_INDEX, () -> dataset.countBy("x", ValueRange.all()));
      refused(
          RequestException.Reason.UNSUPPORTED,
          () -> dataset.countBy("n", TextSearch.allWords("tree")));
      refused(
          RequestException.Reason.UNSUPPORTED, () -> dataset.countBy("n", new NearestSearch(0, 0)));
      assertThrows(
          IllegalArgumentException.class,
          () -> dataset.countBy("n", ValueRange.all().descending()));
    }
    store.faults.assertNothingOpen();
  }

  private static void refused(RequestException.Reason reason, Executable call) {
    assertEquals(reason, assertThrows(RequestException.class, call).reason());
  }

  /**
   * Records move between values that are all searched for, are flushed and merged, and transactions
   * that would add some abort: every count is the same.
   */
  @Test
  void aRecordThatMovesIsCountedOnceUnderWriters() throws Exception {
    long seed = Seeds.one(32);
    AtomicBoolean counting = new AtomicBoolean(true);
    EngineSeams seams =
        new EngineSeams(
            new MemoryFileSystem(), new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1));
    ExecutorService threads = Executors.newCachedThreadPool();
    try (StorageEngine engine =
        StorageEngine.open(TestStore.options().lockTimeoutMillis(20_000).build(), seams)) {
      Dataset dataset = engine.createDataset(options().withPartitions(2));
      for (int id = 0; id < RECORDS; id++) {
        dataset.insert(record(id, id % 7));
      }
      List<Future<Integer>> others =
          List.of(
              threads.submit(() -> move(dataset, counting, Seeds.random(seed))),
              threads.submit(() -> abort(dataset, counting)),
              threads.submit(() -> flush(dataset, counting)));
      try {
        for (int round = 0; round < 100; round++) {
          checkAll(dataset, RECORDS);
        }
      } finally {
        counting.set(false);
      }
      for (Future<Integer> other : others) {
        assertTrue(other.get() > 0);
      }
      assertEquals(List.of(), engine.verify().problems());
    } finally {
      threads.shutdownNow();
    }
  }

  private static int move(Dataset dataset, AtomicBoolean counting, RandomGenerator random)
      throws StorageException {
    int rounds = 0;
    for (; counting.get(); rounds++) {
      dataset.upsert(record(random.nextInt(RECORDS), random.nextInt(50)));
    }
    return rounds;
  }

  private static int abort(Dataset dataset, AtomicBoolean counting) throws StorageException {
    int rounds = 0;
    for (; counting.get(); rounds++) {
      try (RecordTransaction scope = dataset.partition(0).beginTransaction()) {
        for (long id = RECORDS; id < RECORDS + 9; id++) {
          if (dataset.partitionOf(Key.of(id)) == 0) {
            scope.insert(new Slice(record(id, 3)));
          }
        }
        scope.abort();
      }
    }
    return rounds;
  }

  private static int flush(Dataset dataset, AtomicBoolean counting) throws StorageException {
    int rounds = 0;
    for (; counting.get(); rounds++) {
      dataset.flush();
    }
    return rounds;
  }
}
