package dev.varve.dataset;

import static dev.varve.dataset.TestStore.bytes;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Memory budgets, the cap over all active datasets, and a log that stays short. */
class ActivationTest {
  private final TestStore store = TestStore.empty(11);

  @Test
  void theDatasetUsedLongestAgoMakesRoomForTheNext() throws StorageException {
    EngineOptions options = TestStore.options().activeDatasetBytes(2 << 20).build();
    try (StorageEngine engine = store.open(options)) {
      Dataset a = dataset(engine, "a");
      Dataset b = dataset(engine, "b");
      Dataset c = dataset(engine, "c");
      insert(a, 1);
      insert(b, 1);
      assertEquals(List.of("a", "b"), writable(a, b, c));
      insert(a, 2);
      insert(c, 1);
      assertEquals(List.of("a", "c"), writable(a, b, c));
      // b was flushed before it gave its memory up, and is read without any.
      assertTrue(b.get(Key.of(1)).isPresent());
      assertEquals(List.of("a", "c"), writable(a, b, c));
      insert(b, 2);
      assertEquals(List.of("b", "c"), writable(a, b, c));
      assertEquals(2 << 20, engine.stats().memory().activeDatasetBytes());
      assertEquals(2, a.verify().records());
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aReadNeedsNoMemoryForWrites() throws StorageException {
    EngineOptions options = TestStore.options().activeDatasetBytes(1 << 20).build();
    int datasets = 20;
    try (StorageEngine engine = store.open(options)) {
      for (int i = 0; i < datasets; i++) {
        insert(dataset(engine, "d" + i), 1);
      }
    }
    try (StorageEngine engine = store.open(options)) {
      List<Dataset> all = new ArrayList<>();
      List<RecordCursor> cursors = new ArrayList<>();
      for (int i = 0; i < datasets; i++) {
        Dataset dataset = engine.dataset("d" + i);
        all.add(dataset);
        cursors.add(dataset.scan(ValueRange.all()));
        assertEquals(i == 0 ? 0 : 1 << 20, engine.stats().memory().activeDatasetBytes());
        // A writer takes its memory from datasets that are being read, which go on being read.
        insert(all.get(i / 2), 2 + i);
      }
      for (RecordCursor cursor : cursors) {
        assertTrue(cursor.next());
        cursor.close();
      }
      for (int i = 0; i < datasets; i++) {
        List<Key> keys = TestStore.keys(all.get(i).scan(ValueRange.all()));
        assertEquals(i < datasets / 2 ? 3 : 1, keys.size(), "d" + i);
      }
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void datasetsThatNobodyUsesAreClosedWhenManyFilesAreOpen() throws StorageException {
    EngineOptions options = TestStore.options().openFiles(8).build();
    int datasets = 20;
    try (StorageEngine engine = store.open(options)) {
      List<RecordCursor> cursors = new ArrayList<>();
      for (int i = 0; i < datasets; i++) {
        Dataset dataset = dataset(engine, "d" + i);
        insert(dataset, 1);
        dataset.flush();
        insert(dataset, 2);
        if (i < 5) {
          cursors.add(dataset.scan(ValueRange.all()));
        }
      }
      int active = engine.parts().active().list().size();
      assertTrue(active >= 5 && active <= 10, active + " are active");
      for (RecordCursor cursor : cursors) {
        assertEquals(2, TestStore.keys(cursor).size());
      }
      for (int i = 0; i < datasets; i++) {
        assertEquals(2, TestStore.keys(engine.dataset("d" + i).scan(ValueRange.all())).size());
        store.clock.advanceMillis(1);
      }
      assertTrue(engine.parts().active().list().size() <= 5);
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void manyDatasetsUnderOneCapNeverWedge() throws StorageException {
    EngineOptions options = TestStore.options().activeDatasetBytes(1 << 20).build();
    try (StorageEngine engine = store.open(options)) {
      List<Dataset> datasets = new ArrayList<>();
      for (int i = 0; i < 40; i++) {
        datasets.add(
            engine.createDataset(DatasetOptions.of("d" + i, "id").withMemoryBytes(256 << 10)));
      }
      for (int round = 0; round < 4; round++) {
        for (Dataset dataset : datasets) {
          insert(dataset, round);
        }
      }
      for (Dataset dataset : datasets) {
        assertEquals(4, TestStore.keys(dataset.scan(ValueRange.all())).size());
      }
    }
    try (StorageEngine engine = store.open(options)) {
      assertEquals(160, engine.verify().records());
    }
  }

  @Test
  void recoveryKeepsToTheCapToo() throws StorageException {
    EngineOptions options = TestStore.options().activeDatasetBytes(2 << 20).build();
    StorageEngine engine = store.open(options);
    for (String name : List.of("a", "b")) {
      insert(dataset(engine, name), 1);
    }
    TestStore left =
        new TestStore(store.files.crash(0, dev.varve.common.testkit.Seeds.random(1)), 1);
    EngineOptions smaller = TestStore.options().activeDatasetBytes(1 << 20).build();
    try (StorageEngine recovered = left.open(smaller)) {
      assertEquals(4, recovered.stats().recovery().redoneOperations());
      assertTrue(recovered.stats().memory().activeDatasetBytes() <= 1 << 20);
      assertEquals(2, recovered.verify().records());
      assertEquals(List.of(), recovered.verify().problems());
    }
    engine.close();
  }

  @Test
  void aDatasetThatIsBeingWrittenKeepsItsMemory() throws StorageException {
    EngineOptions options = TestStore.options().activeDatasetBytes(1 << 20).build();
    try (StorageEngine engine = store.open(options)) {
      Dataset a = dataset(engine, "a");
      Dataset b = dataset(engine, "b");
      insert(a, 1);
      insert(b, 1);
      try (RecordTransaction scope = b.partition(0).beginTransaction()) {
        LimitException refused = assertThrows(LimitException.class, () -> insert(a, 2));
        assertTrue(refused.getMessage().contains("activeDatasetBytes"), refused.getMessage());
        assertTrue(a.get(Key.of(1)).isPresent(), "it is read all the same");
        scope.upsert(new Slice(bytes("{\"id\":2}")));
        scope.commit();
      }
      insert(a, 2);
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void allIndexesOfADatasetAreFlushedTogetherWhenItsMemoryIsUsed() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset =
          engine.createDataset(
              DatasetOptions.of("a", "id")
                  .withPartitions(2)
                  .withIndexes(List.of(IndexDefinition.on("name")))
                  .withMemoryBytes(2 << 20));
      String text = "x".repeat(2000);
      for (int id = 0; id < 2_000; id++) {
        dataset.insert(bytes("{\"id\":" + id + ",\"name\":\"n\",\"text\":\"" + text + "\"}"));
        assertTrue(dataset.managed.writeBuffer().memoryBytes() < 3 << 20);
      }
      store.executor.runUntilIdle();
      for (var partition : dataset.stats().partitions()) {
        List<Long> flushes = partition.indexes().stream().map(IndexStats::flushes).toList();
        assertTrue(flushes.get(0) >= 3, "" + flushes);
        assertEquals(flushes.get(0), flushes.get(1));
      }
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aFlushLetsTheLowWaterMarkAdvanceAndTheLogBeReleased() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = dataset(engine, "a");
      String text = "x".repeat(10_000);
      for (int id = 0; id < 60; id++) {
        dataset.upsert(bytes("{\"id\":" + id % 3 + ",\"text\":\"" + text + "\"}"));
      }
      assertTrue(engine.stats().log().segments() > 3);
      dataset.flush();
      store.executor.runUntilIdle();
      EngineStats.LogSummary log = engine.stats().log();
      assertEquals(log.endLsn(), log.lowWaterMark());
      assertEquals(1, log.segments());
    }
  }

  @Test
  void anIdleDatasetDoesNotKeepTheLog() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset idle = dataset(engine, "idle");
      insert(idle, 1);
      Dataset busy = dataset(engine, "busy");
      String text = "x".repeat(10_000);
      for (int id = 0; id < 600; id++) {
        busy.insert(bytes("{\"id\":" + id + ",\"text\":\"" + text + "\"}"));
      }
      store.executor.runUntilIdle();
      EngineStats.LogSummary log = engine.stats().log();
      assertTrue(log.lowWaterMark() > 0, "" + log);
      assertTrue(log.endLsn() - log.lowWaterMark() < 3 << 20, "" + log);
      assertEquals(1, idle.stats().partitions().get(0).indexes().get(0).flushes());
    }
  }

  @Test
  void recordsThatReplaceEachOtherDoNotKeepTheLogEither() throws StorageException {
    EngineOptions options = TestStore.options().activeDatasetBytes(1L << 30).build();
    try (StorageEngine engine = store.open(options)) {
      Dataset dataset =
          engine.createDataset(DatasetOptions.of("a", "id").withMemoryBytes(512L << 20));
      String text = "x".repeat(10_000);
      try (RecordSession session = dataset.partition(0).openSession()) {
        for (int i = 0; i < 500; i++) {
          session.upsert(new Slice(bytes("{\"id\":1,\"text\":\"" + text + "\"}")));
          store.executor.runUntilIdle();
        }
      }
      EngineStats.LogSummary log = engine.stats().log();
      assertTrue(log.endLsn() - log.lowWaterMark() < 3 << 20, "" + log);
    }
  }

  private Dataset dataset(StorageEngine engine, String name) throws StorageException {
    return engine.createDataset(
        DatasetOptions.of(name, "id")
            .withIndexes(List.of(IndexDefinition.on("name")))
            .withMemoryBytes(1 << 20));
  }

  private void insert(Dataset dataset, long id) throws StorageException {
    store.clock.advanceMillis(1);
    dataset.insert(bytes("{\"id\":" + id + ",\"name\":\"n\"}"));
  }

  /** Names of those that have memory for writes. */
  private static List<String> writable(Dataset... datasets) {
    return Stream.of(datasets)
        .filter(dataset -> dataset.managed.writable())
        .map(dataset -> dataset.options().name())
        .toList();
  }
}
