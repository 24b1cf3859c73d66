package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Goal: whatever call that changes the disk the power fails in while indexes are built and dropped
 * beside writers, the store opens with the records that were acknowledged, an index that answers
 * has all of them, one whose building was acknowledged is there, one that was dropped is not, and a
 * build that was cut short comes to its end. Method: seeded runs, opened after each call.
 */
@Tag("slow")
final class IndexChangesCrashTest {
  private static final int KEYS = 12;

  /** Each is built and dropped in turn. */
  private static final List<IndexDefinition> POOL =
      List.of(
          IndexDefinition.parse("rtree:spot"),
          IndexDefinition.parse("keyword:words"),
          IndexDefinition.parse("rtree-deleted-keys:spot"));

  @Test
  void everyCrashLeavesWholeIndexesOrNone() throws Exception {
    Seeds.run(1, seed -> new Run(seed, IndexMaintenance.EAGER).run());
    Seeds.run(1, seed -> new Run(seed, IndexMaintenance.LAZY).run());
  }

  private static final class Run {
    private final long seed;
    private final IndexMaintenance maintenance;
    private final RandomGenerator random;
    private final RandomGenerator crashes;
    private final TestStore store;

    /** The acknowledged records, then those after each change that is not acknowledged yet. */
    private List<DatasetModel> possible = new ArrayList<>(List.of(new DatasetModel()));

    /** Indexes that must answer, and those that may be there. */
    private final List<String> built = new ArrayList<>(List.of("name", "home"));

    private final List<String> allowed = new ArrayList<>(built);
    private boolean created;
    private int checked;
    private int resumed;

    Run(long seed, IndexMaintenance maintenance) {
      this.seed = seed;
      this.maintenance = maintenance;
      this.random = Seeds.random(seed);
      this.crashes = Seeds.random(~seed);
      this.store = TestStore.empty(seed);
    }

    void run() throws StorageException {
      store.files.onOperation(this::checkCrash);
      StorageEngine engine = store.open();
      Dataset dataset =
          engine.createDataset(
              IndexChangesTest.options(2).withMemoryBytes(512 << 10).withMaintenance(maintenance));
      created = true;
      for (IndexDefinition index : POOL) {
        write(dataset);
        add(dataset, index);
        write(dataset);
      }
      engine.close();
      engine = store.open();
      dataset = engine.dataset(DatasetModel.NAME);
      for (IndexDefinition index : POOL.subList(1, 3)) {
        write(dataset);
        drop(dataset, index);
      }
      possible.get(0).check(dataset);
      engine.close();
      store.files.onOperation(null);
      assertTrue(checked > 150, checked + " crash points");
      assertTrue(resumed > 5, resumed + " builds were cut short");
    }

    private void add(Dataset dataset, IndexDefinition index) throws StorageException {
      allowed.add(index.name());
      IndexConstruction construction = dataset.managed.indexes().begin(index);
      store.executor.step();
      write(dataset);
      dataset.flush();
      write(dataset);
      dataset.managed.indexes().await(construction);
      built.add(index.name());
    }

    private void drop(Dataset dataset, IndexDefinition index) throws StorageException {
      built.remove(index.name());
      dataset.dropIndex(index.name());
      allowed.remove(index.name());
    }

    private void write(Dataset dataset) throws StorageException {
      try (RecordSession session = dataset.openSession()) {
        for (int i = random.nextInt(5); i >= 0; i--) {
          long id = random.nextInt(KEYS);
          DatasetModel after = new DatasetModel(possible.get(possible.size() - 1));
          // The state is possible from the moment on that the call is made.
          if (random.nextInt(4) == 0) {
            after.records.remove(id);
            possible.add(after);
            session.delete(Key.of(id));
          } else {
            String json = DatasetModel.record(id, random);
            after.records.put(id, json);
            possible.add(after);
            session.upsert(new Slice(TestStore.bytes(json)));
          }
        }
        session.force();
        possible = new ArrayList<>(List.of(possible.get(possible.size() - 1)));
      }
    }

    private void checkCrash(MemoryFileSystem.Operation operation) {
      checked++;
      String where = "seed " + seed + ", crash in " + operation;
      TestStore left = new TestStore(store.files.crash(crashes), seed);
      try {
        checkLeft(left, where);
      } catch (StorageException | AssertionError e) {
        throw new AssertionError(where + ": " + e.getMessage(), e);
      }
    }

    private void checkLeft(TestStore left, String where) throws StorageException {
      try (StorageEngine engine = left.open()) {
        if (engine.names().isEmpty()) {
          assertTrue(!created, where);
          return;
        }
        Dataset there = engine.dataset(DatasetModel.NAME);
        List<String> records = TestStore.records(there.scan(ValueRange.all()));
        DatasetModel state =
            possible.stream()
                .filter(model -> new ArrayList<>(model.records.values()).equals(records))
                .findFirst()
                .orElseThrow(() -> new AssertionError("other records than acknowledged"));
        state.check(there);
        assertTrue(names(there).containsAll(built), () -> "lacks some of " + built);
        if (!there.managed.descriptor().building().isEmpty()) {
          resumed++;
          IndexChangesTest.awaitBuilds(left, there);
          state.check(there);
        }
        assertTrue(allowed.containsAll(names(there)), () -> "has others than " + allowed);
        there.upsert(TestStore.bytes("{\"id\":1000,\"words\":\"last\",\"spot\":[1,1]}"));
      }
      try (StorageEngine engine = left.open()) {
        assertTrue(engine.dataset(DatasetModel.NAME).get(Key.of(1000)).isPresent());
        assertEquals(List.of(), engine.verify().problems());
      }
    }

    private static List<String> names(Dataset dataset) {
      return dataset.options().indexes().stream().map(IndexDefinition::name).toList();
    }
  }
}
