package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Random operations on a dataset against a sorted map: single writes, sessions, transactions that
 * commit and abort, flushes, compactions, clean reopens and power losses, with flushes and merges
 * stepped in a seeded order.
 */
class DatasetModelTest {
  private static final int KEYS = 60;
  private static final MergePolicyOptions CONSTANT = new MergePolicyOptions("constant(3)");

  @Test
  void aDatasetHoldsWhatASortedMapHolds() throws Exception {
    Seeds.run(25, seed -> new Run(seed, CONSTANT, IndexMaintenance.EAGER).run());
  }

  @Test
  void soDoesOneWhoseTreesAreCutByKeyRange() throws Exception {
    Seeds.run(15, seed -> new Run(seed, KeyValueModel.CUT, IndexMaintenance.EAGER).run());
  }

  @Test
  void soDoesOneWhoseIndexesAreKeptLazily() throws Exception {
    Seeds.run(25, seed -> new Run(seed, CONSTANT, IndexMaintenance.LAZY).run());
    Seeds.run(10, seed -> new Run(seed, KeyValueModel.CUT, IndexMaintenance.LAZY).run());
  }

  @Test
  void soDoesOneWhoseEntriesAreValidated() throws Exception {
    Seeds.run(25, seed -> new Run(seed, CONSTANT, IndexMaintenance.VALIDATION).run());
    Seeds.run(10, seed -> new Run(seed, KeyValueModel.CUT, IndexMaintenance.VALIDATION).run());
  }

  @Test
  void soDoesOneThatKnowsWhichOfItsRecordsAreDead() throws Exception {
    Seeds.run(15, seed -> new Run(seed, CONSTANT, IndexMaintenance.MUTABLE_BITMAP).run());
    Seeds.run(5, seed -> new Run(seed, KeyValueModel.CUT, IndexMaintenance.MUTABLE_BITMAP).run());
  }

  @Test
  void soDoesOneWhoseMaintenanceChanges() throws Exception {
    Seeds.run(25, seed -> new Run(seed, CONSTANT, null).run());
  }

  @Test
  void soDoesOneOnDevicesOfItsOwn() throws Exception {
    Seeds.run(8, seed -> new Run(seed, CONSTANT, IndexMaintenance.EAGER).placed().run());
  }

  @Test
  void soDoesOneWhoseRecordsLiveFromWhenTheyAreWritten() throws Exception {
    for (IndexMaintenance maintenance : IndexMaintenance.values()) {
      Seeds.run(3, seed -> new Run(seed, CONSTANT, maintenance).mortal().run());
    }
    Seeds.run(3, seed -> new Run(seed, KeyValueModel.CUT, null).mortal().run());
  }

  private static final class Run {
    private EngineOptions made = TestStore.options().build();
    private final MergePolicyOptions policy;

    /** Whether how indexes are kept changes all the time. */
    private final boolean switching;

    private IndexMaintenance maintenance;
    private final RandomGenerator random;
    private final long seed;
    private final DatasetModel model = new DatasetModel();
    private final int partitions;
    private boolean mortal;
    private TestStore store;
    private StorageEngine engine;
    private Dataset dataset;

    Run(long seed, MergePolicyOptions policy, @Nullable IndexMaintenance maintenance) {
      this.policy = policy;
      this.switching = maintenance == null;
      this.maintenance = switching ? IndexMaintenance.VALIDATION : maintenance;
      this.seed = seed;
      this.random = Seeds.random(seed);
      this.partitions = 1 + random.nextInt(3);
      this.store = TestStore.empty(seed);
    }

    Run mortal() {
      mortal = true;
      return this;
    }

    Run placed() {
      made = TestStore.placed();
      return this;
    }

    void run() throws StorageException {
      engine = store.open(made);
      dataset =
          engine.createDataset(options().withMergePolicy(policy).withMaintenance(maintenance));
      for (int i = 0; i < 120; i++) {
        step();
      }
      model.check(dataset);
      reopen();
      engine.close();
    }

    private DatasetOptions options() {
      DatasetOptions immortal = DatasetModel.options(partitions);
      DatasetOptions options = mortal ? DatasetModel.mortal(immortal) : immortal;
      boolean keyed = random.nextBoolean() || maintenance.needsPrimaryKeyIndex();
      return keyed ? options.withPrimaryKeyIndex() : options;
    }

    private void step() throws StorageException {
      if (switching && random.nextInt(6) == 0) {
        IndexMaintenance[] all = IndexMaintenance.values();
        maintenance = all[random.nextInt(all.length)];
        dataset.setMaintenance(maintenance);
      }
      switch (random.nextInt(24)) {
        case 0, 1 -> {
          dataset.flush();
        }
        case 2 -> dataset.compact();
        case 3 -> reopen();
        case 4 -> crash();
        case 5 -> model.check(dataset);
        case 6 -> dataset.repairIndexes();
        case 7 -> store.executor.runUntilIdle();
        case 8, 9, 10 -> transaction(dataset.partition(random.nextInt(partitions)));
        case 11, 12, 13, 14, 15 -> session(dataset.partition(random.nextInt(partitions)));
        default -> single();
      }
    }

    private void single() throws StorageException {
      long id = random.nextInt(KEYS);
      String json = DatasetModel.record(id, random);
      boolean present = model.records.containsKey(id);
      switch (random.nextInt(5)) {
        case 4 -> {
          long behind = id + random.nextInt(4);
          dataset.deleteRange(ValueRange.closedOpen(Key.of(id), Key.of(behind)));
          model.records.subMap(id, behind).clear();
        }
        case 3 -> {
          String patch = DatasetModel.patch(random);
          assertEquals(model.patch(id, patch), dataset.patch(Key.of(id), TestStore.bytes(patch)));
        }
        case 0 -> {
          if (present) {
            assertThrows(
                ConflictException.class, () -> dataset.insert(TestStore.bytes(json)), json);
          } else {
            dataset.insert(TestStore.bytes(json));
            model.records.put(id, json);
          }
        }
        case 1 -> {
          assertEquals(outcome(present), dataset.upsert(TestStore.bytes(json)));
          model.records.put(id, json);
        }
        default -> {
          assertEquals(outcome(present), dataset.delete(Key.of(id)));
          model.records.remove(id);
        }
      }
    }

    private WriteOutcome outcome(boolean present) {
      if (maintenance != IndexMaintenance.EAGER) {
        return WriteOutcome.UNKNOWN;
      }
      return present ? WriteOutcome.PRESENT : WriteOutcome.ABSENT;
    }

    private void session(DatasetPartition partition) throws StorageException {
      try (RecordSession session = partition.openSession()) {
        for (int i = random.nextInt(30); i > 0; i--) {
          long id = idOf(partition);
          String json = DatasetModel.record(id, random);
          if (random.nextInt(4) == 0) {
            session.delete(Key.of(id));
            model.records.remove(id);
          } else if (random.nextInt(3) == 0) {
            String patch = DatasetModel.patch(random);
            assertEquals(model.patch(id, patch), session.patch(Key.of(id), TestStore.bytes(patch)));
          } else if (random.nextInt(3) == 0 && model.records.containsKey(id)) {
            assertThrows(
                ConflictException.class, () -> session.insert(new Slice(TestStore.bytes(json))));
          } else {
            session.upsert(new Slice(TestStore.bytes(json)));
            model.records.put(id, json);
          }
          if (random.nextInt(10) == 0) {
            session.force();
          }
        }
      }
    }

    private void transaction(DatasetPartition partition) throws StorageException {
      DatasetModel after = new DatasetModel(model);
      try (RecordTransaction scope = partition.beginTransaction()) {
        RandomSavepoints<DatasetModel> savepoints =
            new RandomSavepoints<>(scope, DatasetModel::new, random);
        for (int i = random.nextInt(10); i > 0; i--) {
          after = savepoints.next(after);
          long id = idOf(partition);
          String json = DatasetModel.record(id, random);
          if (random.nextInt(3) == 0) {
            scope.delete(Key.of(id));
            after.records.remove(id);
          } else if (random.nextInt(3) == 0) {
            String patch = DatasetModel.patch(random);
            assertEquals(after.patch(id, patch), scope.patch(Key.of(id), TestStore.bytes(patch)));
          } else {
            scope.upsert(new Slice(TestStore.bytes(json)));
            after.records.put(id, json);
          }
          if (random.nextInt(8) == 0) {
            store.executor.step();
          }
        }
        if (random.nextBoolean()) {
          scope.commit();
          model.records.clear();
          model.records.putAll(after.records);
        }
      }
    }

    /** An id that the partition holds under the dataset's own routing. */
    private long idOf(DatasetPartition partition) {
      while (true) {
        long id = random.nextInt(KEYS);
        if (dataset.partition(dataset.partitionOf(Key.of(id))) == partition) {
          return id;
        }
      }
    }

    private void reopen() throws StorageException {
      engine.close();
      engine = store.open();
      dataset = engine.dataset(DatasetModel.NAME);
      assertEquals(0, engine.stats().recovery().redoneOperations());
      model.check(dataset);
    }

    /** Everything was acknowledged, so everything is there after a power loss. */
    private void crash() throws StorageException {
      store = new TestStore(store.files.crash(random), seed);
      engine = store.open();
      dataset = engine.dataset(DatasetModel.NAME);
      model.check(dataset);
    }
  }
}
