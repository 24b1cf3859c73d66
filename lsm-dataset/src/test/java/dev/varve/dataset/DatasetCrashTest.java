package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FileCall;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexMaintenance;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * The power fails in every call that changes the disk, and the disk that is left is opened: what
 * was acknowledged is there with all its secondary entries, what was not is there whole or not at
 * all, and in the order of the commits.
 */
@Tag("slow")
class DatasetCrashTest {
  /** More than a memory component is for. */
  private static final int UNFORCED = 212;

  private static final EngineOptions ONE_SEGMENT =
      TestStore.options().logSegmentBytes(1 << 20).logRetentionBytes(8 << 20).build();

  @Test
  void everyCrashLeavesAPrefixOfTheCommitsAndAllThatWasAcknowledged() throws Exception {
    Seeds.run(2, seed -> new Run(seed, IndexMaintenance.EAGER).run());
    Seeds.run(2, seed -> new Run(seed, IndexMaintenance.LAZY).run());
    Seeds.run(2, seed -> new Run(seed, IndexMaintenance.VALIDATION).run());
    Seeds.run(2, seed -> new Run(seed, IndexMaintenance.MUTABLE_BITMAP).run());
  }

  @Test
  void soItIsWhereDataAndLogAreOnDevicesOfTheirOwn() throws Exception {
    Seeds.run(1, seed -> new Run(seed, IndexMaintenance.EAGER).placed().run());
  }

  @Test
  void soItIsWhereRecordsLiveFromWhenTheyAreWritten() throws Exception {
    Seeds.run(1, seed -> new Run(seed, IndexMaintenance.EAGER).mortal().run());
  }

  /** What the disk may hold at this moment. */
  private static final class Run {
    private static final int KEYS = 12;

    private final long seed;
    private final IndexMaintenance maintenance;
    private final RandomGenerator random;
    private final RandomGenerator crashes;
    private final TestStore store;
    private Dataset dataset;
    private boolean created;
    private boolean mortal;
    private int checked;
    private EngineOptions made = TestStore.options().build();

    /** The acknowledged state, then the state after each commit that is not acknowledged yet. */
    private List<DatasetModel> possible = new ArrayList<>(List.of(new DatasetModel()));

    Run(long seed, IndexMaintenance maintenance) {
      this.seed = seed;
      this.maintenance = maintenance;
      this.random = Seeds.random(seed);
      this.crashes = Seeds.random(~seed);
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
      store.files.onOperation(operation -> checkCrash(operation));
      StorageEngine engine = store.open(made);
      DatasetOptions options =
          DatasetModel.options(2)
              .withPrimaryKeyIndex()
              .withMemoryBytes(512 << 10)
              .withMaintenance(maintenance);
      dataset = engine.createDataset(mortal ? DatasetModel.mortal(options) : options);
      created = true;
      for (int i = 0; i < 22; i++) {
        step();
        if (i == 12) {
          engine.close();
          engine = store.open();
          dataset = engine.dataset(DatasetModel.NAME);
        }
      }
      acknowledged().check(dataset);
      engine.close();
      store.files.onOperation(null);
      assertTrue(checked > 200, checked + " crash points");
    }

    private DatasetModel acknowledged() {
      return possible.get(0);
    }

    private DatasetModel newest() {
      return possible.get(possible.size() - 1);
    }

    private void acknowledge() {
      possible = new ArrayList<>(List.of(newest()));
    }

    private void step() throws StorageException {
      DatasetPartition partition = dataset.partition(random.nextInt(2));
      switch (random.nextInt(9)) {
        case 0 -> dataset.flush();
        case 1 -> dataset.compact();
        case 2, 3 -> transaction(partition);
        case 8 -> dataset.repairIndexes();
        case 4 -> store.executor.runUntilIdle();
        default -> session(partition);
      }
    }

    private void session(DatasetPartition partition) throws StorageException {
      try (RecordSession session = partition.openSession()) {
        for (int i = random.nextInt(6); i >= 0; i--) {
          long id = idOf(partition);
          DatasetModel after = new DatasetModel(newest());
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
        acknowledge();
      }
    }

    private void transaction(DatasetPartition partition) throws StorageException {
      DatasetModel after = new DatasetModel(newest());
      try (RecordTransaction scope = partition.beginTransaction()) {
        RandomSavepoints<DatasetModel> savepoints =
            new RandomSavepoints<>(scope, DatasetModel::new, random);
        for (int i = random.nextInt(5); i >= 0; i--) {
          after = savepoints.next(after);
          long id = idOf(partition);
          if (random.nextInt(4) == 0) {
            scope.delete(Key.of(id));
            after.records.remove(id);
            continue;
          }
          String json = DatasetModel.record(id, random);
          scope.upsert(new Slice(TestStore.bytes(json)));
          after.records.put(id, json);
        }
        if (random.nextInt(3) > 0) {
          possible.add(after);
          scope.commit();
          acknowledge();
        }
      } catch (ConflictException tooLarge) {
        // The memory is small enough for this to happen; the transaction was aborted.
        assertEquals(ConflictException.Reason.STALLED, tooLarge.reason());
      }
    }

    private long idOf(DatasetPartition partition) {
      while (true) {
        long id = random.nextInt(KEYS);
        if (dataset.partition(dataset.partitionOf(Key.of(id))) == partition) {
          return id;
        }
      }
    }

    private void checkCrash(MemoryFileSystem.Operation operation) {
      checked++;
      String where = "seed " + seed + ", crash in " + operation;
      TestStore left = new TestStore(store.files.crash(crashes), seed);
      try {
        checkLeft(left, where);
      } catch (StorageException e) {
        throw new AssertionError(where, e);
      } catch (AssertionError e) {
        throw new AssertionError(where + ": " + e.getMessage(), e);
      }
    }

    private void checkLeft(TestStore left, String where) throws StorageException {
      try (StorageEngine engine = left.open()) {
        if (engine.names().isEmpty()) {
          assertTrue(!created, where + ": the dataset is gone");
          return;
        }
        Dataset there = engine.dataset(DatasetModel.NAME);
        List<String> records = TestStore.records(there.scan(ValueRange.all()));
        DatasetModel state =
            possible.stream()
                .filter(model -> new ArrayList<>(model.records.values()).equals(records))
                .findFirst()
                .orElseThrow(() -> new AssertionError(difference(records)));
        state.check(there);
        there.upsert(TestStore.bytes("{\"id\":1000}"));
      }
      try (StorageEngine engine = left.open()) {
        assertTrue(engine.dataset(DatasetModel.NAME).get(Key.of(1000)).isPresent());
      }
    }

    /** How the records differ from each state that would be possible. */
    private String difference(List<String> records) {
      StringBuilder text = new StringBuilder();
      for (DatasetModel model : possible) {
        List<String> missing = new ArrayList<>(model.records.values());
        missing.removeAll(records);
        List<String> superfluous = new ArrayList<>(records);
        superfluous.removeAll(model.records.values());
        text.append("lacks ").append(heads(missing));
        text.append(" and has ").append(heads(superfluous)).append("; ");
      }
      return text.toString();
    }

    private static List<String> heads(List<String> records) {
      return records.stream().map(json -> json.substring(0, Math.min(60, json.length()))).toList();
    }
  }

  @Test
  void aCrashedBulkLoadLeavesAllOrNothing() throws Exception {
    Seeds.run(
        2,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          RandomGenerator crashes = Seeds.random(~seed);
          TestStore store = TestStore.empty(seed);
          DatasetModel model = new DatasetModel();
          for (long id = 0; id < 300; id++) {
            model.records.put(id, DatasetModel.record(id, random));
          }
          DatasetModel empty = new DatasetModel();
          boolean[] ended = new boolean[1];
          try (StorageEngine engine = store.open()) {
            Dataset dataset = engine.createDataset(DatasetModel.options(1).withPrimaryKeyIndex());
            store.files.onOperation(
                operation -> {
                  TestStore left = new TestStore(store.files.crash(crashes), seed);
                  try (StorageEngine reopened = left.open()) {
                    Dataset there = reopened.dataset(DatasetModel.NAME);
                    boolean loaded = there.get(Key.of(0)).isPresent();
                    assertTrue(loaded || !ended[0]);
                    (loaded ? model : empty).check(there);
                  } catch (StorageException e) {
                    throw new AssertionError("seed " + seed + ", crash in " + operation, e);
                  }
                });
            try (RecordLoader loader = dataset.partition(0).bulkLoad()) {
              for (String record : model.records.values()) {
                loader.add(new Slice(TestStore.bytes(record)));
              }
              assertEquals(300, loader.finish());
              ended[0] = true;
            }
            store.files.onOperation(null);
            model.check(dataset);
          }
        });
  }

  @Test
  void aCrashWhileDatasetsComeAndGoLeavesEachWholeOrGone() throws StorageException {
    RandomGenerator crashes = Seeds.random(3);
    TestStore store = TestStore.empty(3);
    List<String> seen = new ArrayList<>();
    try (StorageEngine engine = store.open()) {
      store.files.onOperation(
          operation -> {
            TestStore left = new TestStore(store.files.crash(crashes), 3);
            try (StorageEngine reopened = left.open()) {
              VerifyReport report = reopened.verify();
              assertEquals(List.of(), report.problems());
              seen.add(reopened.names() + " " + report.records());
            } catch (StorageException e) {
              throw new AssertionError("crash in " + operation, e);
            }
          });
      for (int round = 0; round < 2; round++) {
        Dataset dataset = engine.createDataset(DatasetModel.options(2));
        for (int id = 0; id < 10; id++) {
          dataset.insert(TestStore.person(id, "n1", "c1", id));
        }
        dataset.flush();
        dataset.upsert(TestStore.person(3, "n2", "c1", 1));
        engine.drop(DatasetModel.NAME);
      }
      store.files.onOperation(null);
    }
    assertTrue(seen.contains("[] 0"));
    assertTrue(seen.contains("[model] 10"));
    for (String state : seen) {
      assertTrue(state.startsWith("[model] ") || state.equals("[] 0"), state);
    }
  }

  @Test
  void aCrashInARecoveryIsRecoveredFrom() throws Exception {
    Seeds.run(
        3,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          TestStore store = TestStore.empty(seed);
          DatasetModel model = new DatasetModel();
          StorageEngine lost = store.open();
          Dataset dataset = lost.createDataset(DatasetModel.options(2));
          for (int i = 0; i < 40; i++) {
            long id = random.nextInt(25);
            String json = DatasetModel.record(id, random);
            dataset.upsert(TestStore.bytes(json));
            model.records.put(id, json);
            if (i == 20) {
              dataset.flush();
            }
          }
          TestStore crashed = new TestStore(store.files.crash(0, random), seed);
          crashed.files.onOperation(
              operation -> {
                TestStore again = new TestStore(crashed.files.crash(random), seed);
                try (StorageEngine engine = again.open()) {
                  model.check(engine.dataset(DatasetModel.NAME));
                } catch (StorageException e) {
                  throw new AssertionError("seed " + seed + ", crash in " + operation, e);
                }
              });
          try (StorageEngine engine = crashed.open()) {
            crashed.files.onOperation(null);
            assertTrue(engine.stats().recovery().redoneOperations() > 0);
            model.check(engine.dataset(DatasetModel.NAME));
          }
          lost.close();
        });
  }

  /** A store whose process died with all of its records in the log, none of it forced. */
  private static TestStore killedBeforeAForce(long seed) throws StorageException {
    RandomGenerator random = Seeds.random(seed);
    TestStore store = TestStore.empty(seed);
    DatasetOptions options = DatasetModel.options(1).withMemoryBytes(512 << 10);
    Dataset dataset = store.open(ONE_SEGMENT).createDataset(options);
    RecordSession unforced = dataset.partition(0).openSession();
    for (int id = 0; id < UNFORCED; id++) {
      unforced.upsert(new Slice(TestStore.bytes(DatasetModel.record(id, random))));
    }
    store.files.killProcess();
    return new TestStore(store.files, seed);
  }

  /** Else a power failure would leave in one index what another and the log have lost. */
  @Test
  void aFlushWithinARedoEndsAfterTheEndOfTheLogIsDurable() throws Exception {
    Set<Long> early = new HashSet<>();
    Seeds.run(
        6,
        seed -> {
          RandomGenerator random = Seeds.random(seed);
          TestStore killed = killedBeforeAForce(seed);
          killed.files.onOperation(
              operation -> {
                if (operation.path().getFileName().toString().startsWith("c-")) {
                  int forced = prefixIn(new TestStore(killed.files.crash(0, random), seed));
                  if (operation.call() == FileCall.CREATE && forced < UNFORCED) {
                    early.add(seed);
                  } else if (operation.call() == FileCall.RENAME) {
                    assertEquals(UNFORCED, forced);
                  }
                }
              });
          try (StorageEngine engine = killed.open(ONE_SEGMENT)) {
            killed.files.onOperation(null);
            assertEquals(UNFORCED, engine.dataset(DatasetModel.NAME).count(KeyRange.all()));
          }
        });
    assertTrue(early.size() > 0, "no flush began before the end of the log was durable");
  }

  @Test
  void anOpeningWhoseLogFailsBesideItsRedoSaysSoAndLosesNothing() throws Exception {
    Seeds.run(
        6,
        seed -> {
          TestStore killed = killedBeforeAForce(seed);
          killed.faults.setPlan("write segment-*.unfinished 1 ENOSPC");
          assertThrows(DiskException.class, () -> killed.open(ONE_SEGMENT));
          killed.faults.assertNothingOpen();
          killed.faults.setPlan("");
          assertEquals(UNFORCED, prefixIn(killed));
        });
  }

  /** How many of the records that were put one after the other are there, in all indexes. */
  private static int prefixIn(TestStore left) {
    try (StorageEngine engine = left.open()) {
      Dataset there = engine.dataset(DatasetModel.NAME);
      List<Key> keys = TestStore.keys(there.scan(ValueRange.all()));
      for (int i = 0; i < keys.size(); i++) {
        assertEquals(Key.of((long) i), keys.get(i));
      }
      VerifyReport report = there.verify();
      assertTrue(report.clean(), report::toString);
      return keys.size();
    } catch (StorageException e) {
      throw new AssertionError(e);
    }
  }
}
