package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: indexes come and go while records are written and read, and each one that answers is the
 * projection of the records at every moment.
 *
 * <p>Method: seeded writes by calls, sessions and transactions that stay open over the changes,
 * between the steps of a build; flushes, merges, reopening and power losses; every index that there
 * is is searched and verified.
 */
class IndexChangesTest {
  private static final int KEYS = 60;

  /** Those that come and go; two more are there all the time. */
  private static final List<IndexDefinition> POOL =
      List.of(
          new IndexDefinition("again", List.of(FieldPath.parse("name"))),
          IndexDefinition.parse("rtree:spot"),
          IndexDefinition.parse("rtree-deleted-keys:spot"),
          IndexDefinition.parse("keyword:words"),
          IndexDefinition.parse("ngram3:words"));

  static DatasetOptions options(int partitions) {
    DatasetOptions all = DatasetModel.options(partitions);
    return all.withIndexes(all.indexes().subList(0, 2));
  }

  @Test
  void indexesComeAndGoBesideWriters() throws Exception {
    Seeds.run(8, seed -> new Run(seed, MergePolicyOptions.constant(3)).run());
  }

  @Test
  void soTheyDoWhereTreesAreCutByKeyRange() throws Exception {
    Seeds.run(4, seed -> new Run(seed, KeyValueModel.CUT).run());
  }

  /** Waits for what is built in the background. */
  static void awaitBuilds(TestStore store, Dataset dataset) {
    store.executor.runUntil(() -> dataset.managed.descriptor().building().isEmpty());
  }

  private static Dataset filled(StorageEngine engine, int partitions) throws StorageException {
    Dataset dataset = engine.createDataset(options(partitions));
    for (long id = 0; id < 200; id++) {
      dataset.insert(TestStore.bytes("{\"id\":" + id + ",\"name\":\"n" + id % 7 + "\"}"));
    }
    return dataset;
  }

  private static List<String> indexNames(Dataset dataset) throws StorageException {
    return dataset.stats().partitions().get(0).indexes().stream().map(IndexStats::name).toList();
  }

  @Test
  void aBuildThatFailsLeavesNothing() throws StorageException {
    TestStore store = TestStore.empty(5);
    try (StorageEngine engine = store.open()) {
      Dataset dataset = filled(engine, 2);
      List<String> before = indexNames(dataset);
      int next = engine.parts().node().catalog().nextIndexId();
      store.faults.setPlan("write */i" + (next + 1) + "/* 1 ENOSPC");
      assertThrows(DiskException.class, () -> dataset.addIndex(POOL.get(0)));
      store.faults.setPlan("");
      assertEquals(before, indexNames(dataset));
      assertThrows(RequestException.class, () -> dataset.search("again", ValueRange.all()).close());
      String blob = "x".repeat(2000);
      dataset.insert(TestStore.bytes("{\"id\":1000,\"blob\":\"" + blob + "\",\"name\":\"n\"}"));
      StorageException tooLong =
          assertThrows(StorageException.class, () -> dataset.addIndex(IndexDefinition.on("blob")));
      assertTrue(String.valueOf(tooLong.getMessage()).contains("1000"), tooLong.getMessage());
      assertEquals(before, indexNames(dataset));
      assertEquals(List.of(), engine.verify().problems());
      dataset.addIndex(POOL.get(0));
      assertEquals(201, dataset.countBy("again", ValueRange.all()));
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void aBuildEndsWithWhatItBelongsTo() throws StorageException {
    TestStore store = TestStore.empty(6);
    try (StorageEngine engine = store.open()) {
      Dataset dataset = filled(engine, 2);
      IndexConstruction dropped = dataset.managed.indexes().begin(POOL.get(0));
      dataset.dropIndex("again");
      ConflictException ended =
          assertThrows(ConflictException.class, () -> dataset.managed.indexes().await(dropped));
      assertEquals(ConflictException.Reason.ABORTED, ended.reason());
      dataset.managed.indexes().begin(POOL.get(1));
      engine.drop(DatasetModel.NAME);
      filled(engine, 3).managed.indexes().begin(POOL.get(2));
    }
    store.faults.assertNothingOpen();
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.dataset(DatasetModel.NAME);
      awaitBuilds(store, dataset);
      assertTrue(dataset.options().indexes().contains(POOL.get(2)));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void anOpenSearchOutlivesItsIndex() throws StorageException {
    TestStore store = TestStore.empty(7);
    try (StorageEngine engine = store.open()) {
      Dataset dataset = filled(engine, 1);
      dataset.flush();
      Path directory =
          TestStore.ROOT.resolve(
              "store/data/d1/p0/i"
                  + dataset.stats().partitions().get(0).indexes().get(1).indexId());
      try (RecordCursor cursor = dataset.search("name", ValueRange.all())) {
        assertTrue(cursor.next());
        dataset.dropIndex("name");
        dataset.insert(TestStore.bytes("{\"id\":-1,\"name\":\"n1\"}"));
        int rest = 0;
        while (cursor.next()) {
          rest++;
        }
        assertEquals(199, rest);
        assertTrue(store.files.exists(directory));
        assertEquals(List.of(), engine.verify().problems());
      }
      store.executor.runForNanos(TimeUnit.SECONDS.toNanos(30));
      assertFalse(store.files.exists(directory));
      assertEquals(List.of("primary", "home"), indexNames(dataset));
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void anEmptyDatasetIsLoadedAfterItGotAnIndex() throws StorageException {
    TestStore store = TestStore.empty(8);
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options(1));
      dataset.addIndex(POOL.get(0));
      try (SortingLoader loader = dataset.bulkLoadUnsorted(1 << 20)) {
        loader.add(TestStore.bytes("{\"id\":2,\"name\":\"n1\"}"));
        loader.add(TestStore.bytes("{\"id\":1,\"name\":\"n1\"}"));
        loader.finish();
      }
      assertEquals(2, dataset.countBy("again", ValueRange.exactly(Key.of("n1"))));
    }
    try (StorageEngine engine = store.open()) {
      assertEquals(2, engine.dataset(DatasetModel.NAME).countBy("again", ValueRange.all()));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void recordsThatAreNotLoggedAreInTheIndex() throws StorageException {
    TestStore store = TestStore.empty(9);
    EngineOptions unlogged = TestStore.options().durability(Durability.NONE).build();
    try (StorageEngine engine = store.open(unlogged)) {
      Dataset dataset = engine.createDataset(DatasetOptions.of("plain", "id"));
      dataset.insert(TestStore.bytes("{\"id\":1,\"name\":\"a\"}"));
      dataset.addIndex(IndexDefinition.on("name"));
      dataset.upsert(TestStore.bytes("{\"id\":1,\"name\":\"b\"}"));
      dataset.insert(TestStore.bytes("{\"id\":2,\"name\":\"b\"}"));
      assertEquals(0, dataset.countBy("name", ValueRange.exactly(Key.of("a"))));
      assertEquals(2, dataset.countBy("name", ValueRange.exactly(Key.of("b"))));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void anIndexOfPrimaryKeysStays() throws StorageException {
    TestStore store = TestStore.empty(10);
    try (StorageEngine engine = store.open()) {
      DatasetOptions options = DatasetOptions.of("plain", "id").withPrimaryKeyIndex();
      Dataset dataset = engine.createDataset(options);
      assertThrows(RequestException.class, () -> dataset.dropIndex("primary-key"));
      dataset.insert(TestStore.bytes("{\"id\":1,\"name\":\"a\"}"));
      dataset.addIndex(IndexDefinition.on("name"));
      assertEquals(1, dataset.countBy("name", ValueRange.exactly(Key.of("a"))));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  /** With threads: what the seeds cannot interleave. */
  @Test
  void indexesComeAndGoWhileThreadsWrite(@TempDir Path directory) throws Exception {
    EngineOptions options =
        EngineOptions.builder(directory).activeDatasetBytes(64 << 20).cacheBytes(8 << 20).build();
    AtomicBoolean stop = new AtomicBoolean();
    List<Throwable> failures = new CopyOnWriteArrayList<>();
    try (StorageEngine engine = StorageEngine.open(options)) {
      Dataset dataset = engine.createDataset(options(2).withMemoryBytes(1 << 20));
      List<Thread> writers = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        RandomGenerator random = Seeds.random(writer);
        Thread thread =
            new Thread(
                () -> {
                  try (RecordSession session = dataset.openSession(Durability.PROCESS_CRASH)) {
                    for (int i = 0; !stop.get(); i++) {
                      long id = random.nextInt(2000);
                      if (random.nextInt(4) == 0) {
                        session.delete(Key.of(id));
                      } else {
                        session.upsert(TestStore.bytes(DatasetModel.record(id, random)));
                      }
                      if (i % 20 == 0) {
                        session.force();
                      }
                    }
                  } catch (StorageException | RuntimeException | Error e) {
                    failures.add(e);
                  }
                });
        thread.start();
        writers.add(thread);
      }
      for (IndexDefinition index : POOL) {
        dataset.addIndex(index);
      }
      for (IndexDefinition index : POOL.subList(0, 3)) {
        dataset.dropIndex(index.name());
        dataset.addIndex(index);
      }
      stop.set(true);
      for (Thread writer : writers) {
        writer.join();
      }
      assertEquals(List.of(), failures);
      DatasetModel model = new DatasetModel();
      for (String record : TestStore.records(dataset.scan(ValueRange.all()))) {
        model.records.put(Long.parseLong(record.substring(6, record.indexOf(',', 6))), record);
      }
      assertTrue(model.records.size() > 100, () -> model.records.size() + " records");
      model.check(dataset);
    }
  }

  private static final class Run {
    private final RandomGenerator random;
    private final long seed;
    private final DatasetModel model = new DatasetModel();
    private final Map<String, IndexConstruction> building = new TreeMap<>();
    private TestStore store;
    private StorageEngine engine;
    private Dataset dataset;
    private @Nullable RecordSession session;

    Run(long seed, MergePolicyOptions policy) throws StorageException {
      this.seed = seed;
      this.random = Seeds.random(seed);
      this.store = TestStore.empty(seed);
      this.engine = store.open();
      this.dataset =
          engine.createDataset(
              options(1 + random.nextInt(3))
                  .withMergePolicy(policy)
                  .withMaintenance(
                      random.nextBoolean() ? IndexMaintenance.EAGER : IndexMaintenance.LAZY));
    }

    void run() throws StorageException {
      for (int i = 0; i < 150; i++) {
        step();
      }
      check();
      reopen();
      engine.close();
      store.faults.assertNothingOpen();
    }

    private void step() throws StorageException {
      switch (random.nextInt(24)) {
        case 0, 1 -> dataset.flush();
        case 2 -> compact();
        case 3 -> reopen();
        case 4 -> crash();
        case 5, 6 -> check();
        case 7, 8, 9, 10 -> begin();
        case 11, 12 -> end();
        case 13, 14 -> drop();
        case 15, 16 -> someSteps();
        case 17, 18 -> transaction();
        default -> writes();
      }
    }

    private void someSteps() {
      for (int i = random.nextInt(6); i > 0; i--) {
        store.executor.step();
      }
    }

    private void compact() throws StorageException {
      if (building.isEmpty()) {
        dataset.compact();
      }
    }

    private IndexDefinition any() {
      return POOL.get(random.nextInt(POOL.size()));
    }

    private boolean there(IndexDefinition index) {
      return dataset.managed.descriptor().hasIndex(index.name());
    }

    private void begin() throws StorageException {
      IndexDefinition index = any();
      if (there(index)) {
        ConflictException refused =
            assertThrows(ConflictException.class, () -> dataset.addIndex(index));
        assertEquals(ConflictException.Reason.NAME_EXISTS, refused.reason());
      } else if (random.nextInt(3) == 0) {
        dataset.addIndex(index);
        check();
      } else {
        building.put(index.name(), dataset.managed.indexes().begin(index));
      }
    }

    private void end() throws StorageException {
      for (IndexConstruction construction : building.values()) {
        dataset.managed.indexes().await(construction);
      }
      building.clear();
    }

    private void drop() throws StorageException {
      IndexDefinition index = any();
      if (there(index)) {
        dataset.dropIndex(index.name());
        building.remove(index.name());
      } else {
        assertThrows(RequestException.class, () -> dataset.dropIndex(index.name()));
      }
      assertFalse(dataset.managed.descriptor().hasIndex(index.name()));
    }

    private void writes() throws StorageException {
      RecordSession open = session == null ? dataset.openSession() : session;
      session = open;
      for (int i = random.nextInt(20); i > 0; i--) {
        change(open);
        if (random.nextInt(8) == 0) {
          store.executor.step();
        }
      }
      open.force();
    }

    private void change(RecordSession open) throws StorageException {
      long id = random.nextInt(KEYS);
      if (random.nextInt(4) == 0) {
        open.delete(Key.of(id));
        model.records.remove(id);
      } else {
        String json = DatasetModel.record(id, random);
        open.upsert(new Slice(TestStore.bytes(json)));
        model.records.put(id, json);
      }
    }

    private void transaction() throws StorageException {
      DatasetModel after = new DatasetModel(model);
      try (RecordTransaction scope = dataset.beginTransaction()) {
        for (int i = random.nextInt(6); i >= 0; i--) {
          long id = random.nextInt(KEYS);
          String json = DatasetModel.record(id, random);
          scope.upsert(new Slice(TestStore.bytes(json)));
          after.records.put(id, json);
          someSteps();
        }
        if (random.nextBoolean()) {
          scope.commit();
          model.records.clear();
          model.records.putAll(after.records);
        }
      }
    }

    private void check() throws StorageException {
      model.check(dataset);
      boolean again = dataset.options().indexes().contains(POOL.get(0));
      for (int name = 0; name < 7 && again; name++) {
        Key wanted = Key.of("n" + name);
        assertEquals(
            DatasetModel.sorted(dataset.search("name", ValueRange.exactly(wanted))),
            DatasetModel.sorted(dataset.search("again", ValueRange.exactly(wanted))));
      }
      for (String name : building.keySet()) {
        if (dataset.options().indexes().stream().noneMatch(each -> each.name().equals(name))) {
          RequestException refused =
              assertThrows(
                  RequestException.class, () -> dataset.search(name, ValueRange.all()).close());
          assertEquals(RequestException.Reason.UNKNOWN_INDEX, refused.reason());
        }
      }
    }

    private void reopen() throws StorageException {
      closeSession();
      engine.close();
      opened();
    }

    private void closeSession() throws StorageException {
      if (session != null) {
        session.close();
        session = null;
      }
    }

    /** Everything was acknowledged, so everything is there after a power loss. */
    private void crash() throws StorageException {
      store = new TestStore(store.files.crash(random), seed);
      session = null;
      opened();
    }

    private void opened() throws StorageException {
      engine = store.open();
      dataset = engine.dataset(DatasetModel.NAME);
      check();
      List<String> begun = new ArrayList<>(building.keySet());
      building.clear();
      if (random.nextBoolean()) {
        awaitBuilds(store, dataset);
        check();
        for (String name : begun) {
          assertTrue(dataset.managed.descriptor().hasIndex(name), name);
        }
      }
    }
  }
}
