package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.KeyValueOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Goal: a truncated store is empty in all of its indexes, at once and after any crash, and nobody
 * sees half of it. Method: the model of a dataset before and after, a crash and a fault in each
 * call to the disk, and those who use the store meanwhile.
 */
final class TruncateTest {
  private static final int KEYS = 16;

  private final TestStore store = TestStore.empty(7);

  @AfterEach
  void nothingIsLeftOpen() {
    store.faults.assertNothingOpen();
  }

  private static DatasetOptions options() {
    return DatasetModel.options(2)
        .withMemoryBytes(512 << 10)
        .withMaintenance(IndexMaintenance.LAZY);
  }

  private static DatasetModel filled(Dataset dataset, RandomGenerator random)
      throws StorageException {
    DatasetModel model = new DatasetModel();
    for (long id = 0; id < KEYS; id++) {
      String json = DatasetModel.record(id, random);
      dataset.upsert(TestStore.bytes(json));
      model.records.put(id, json);
      if (id == KEYS / 2) {
        dataset.flush();
      }
    }
    return model;
  }

  @Test
  void everyIndexIsEmptyAndTakesRecordsAgain() throws StorageException {
    RandomGenerator random = Seeds.random(Seeds.one(3));
    DatasetModel second;
    int number;
    try (StorageEngine engine = store.open()) {
      Dataset before = engine.createDataset(options());
      Dataset other = engine.createDataset(TestStore.people());
      other.insert(TestStore.person(1, "a", "x", 1));
      filled(before, random).check(before);
      number = before.number();
      engine.truncate(DatasetModel.NAME);
      assertThrows(IllegalStateException.class, () -> before.get(Key.of(1)));
      assertThrows(
          IllegalStateException.class,
          () -> before.upsert(TestStore.bytes(DatasetModel.record(1, random))));
      Dataset emptied = engine.dataset(DatasetModel.NAME);
      assertEquals(before.options(), emptied.options());
      assertNotEquals(number, emptied.number());
      new DatasetModel().check(emptied);
      assertTrue(other.get(Key.of(1)).isPresent());
      second = filled(emptied, random);
      second.check(emptied);
      assertEquals(List.of(), engine.verify().problems());
    }
    try (StorageEngine engine = store.open()) {
      second.check(engine.dataset(DatasetModel.NAME));
      assertEquals(List.of(), engine.verify().problems());
      assertEquals(List.of(DatasetModel.NAME, "people"), engine.names());
    }
  }

  @Test
  void pairsGoToo() throws StorageException {
    byte[] key = TestStore.bytes("k");
    try (StorageEngine engine = store.open()) {
      engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS).put(key, key);
      engine.truncate("pairs");
      assertEquals(Optional.empty(), engine.keyValueStore("pairs").get(key));
    }
    try (StorageEngine engine = store.open()) {
      assertEquals(Optional.empty(), engine.keyValueStore("pairs").get(key));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aStoreInUseIsNotTruncatedAndAnUnknownOneIsNamed() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people());
      people.insert(TestStore.person(1, "a", "x", 1));
      try (RecordCursor cursor = people.scan(ValueRange.all())) {
        assertStalled(engine);
        assertTrue(cursor.next());
      }
      try (EngineTransaction transaction = engine.beginTransaction()) {
        transaction.of(people).insert(TestStore.person(2, "a", "x", 1));
        assertStalled(engine);
        transaction.commit();
      }
      assertEquals(2, people.count(ValueRange.all()));
      RequestException unknown =
          assertThrows(RequestException.class, () -> engine.truncate("persons"));
      assertEquals(RequestException.Reason.UNKNOWN_DATASET, unknown.reason());
      engine.truncate("people");
      assertEquals(0, engine.dataset("people").count(ValueRange.all()));
    }
  }

  private static void assertStalled(StorageEngine engine) {
    ConflictException refused =
        assertThrows(ConflictException.class, () -> engine.truncate("people"));
    assertEquals(ConflictException.Reason.STALLED, refused.reason());
  }

  @Test
  void aSnapshotFromBeforeIsGivenUpAndOneFromAfterIsNot() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people());
      people.insert(TestStore.person(1, "a", "x", 1));
      try (EngineSnapshot before = engine.snapshot();
          EngineTransaction early = engine.beginTransaction(Isolation.SNAPSHOT)) {
        engine.truncate("people");
        Dataset emptied = engine.dataset("people");
        assertGivenUp(() -> before.get(emptied, Key.of(1)));
        assertGivenUp(() -> early.of(emptied).get(Key.of(1)));
        try (EngineSnapshot after = engine.snapshot()) {
          emptied.insert(TestStore.person(1, "b", "x", 1));
          assertEquals(Optional.empty(), after.get(emptied, Key.of(1)));
        }
      }
    }
  }

  private static void assertGivenUp(Executable read) {
    ConflictException refused = assertThrows(ConflictException.class, read);
    assertEquals(ConflictException.Reason.SNAPSHOT_GIVEN_UP, refused.reason());
    assertTrue(String.valueOf(refused.getMessage()).contains("'people' was emptied"));
  }

  @Test
  void aCrashInAnyCallLeavesAllRecordsOrNone() throws StorageException {
    long seed = Seeds.one(11);
    RandomGenerator crashes = Seeds.random(~seed);
    List<DatasetModel> possible = new ArrayList<>();
    List<MemoryFileSystem> left = new ArrayList<>();
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options());
      possible.add(filled(dataset, Seeds.random(seed)));
      possible.add(new DatasetModel());
      store.files.onOperation(operation -> left.add(store.files.crash(crashes)));
      engine.truncate(DatasetModel.NAME);
      store.files.onOperation(null);
    }
    assertTrue(left.size() > 20, left.size() + " crash points");
    int emptied = 0;
    for (MemoryFileSystem disk : left) {
      TestStore after = new TestStore(disk, seed);
      try (StorageEngine engine = after.open()) {
        Dataset there = engine.dataset(DatasetModel.NAME);
        int state = there.count(ValueRange.all()) == 0 ? 1 : 0;
        emptied += state;
        possible.get(state).check(there);
        assertEquals(List.of(), engine.verify().problems());
        there.upsert(TestStore.bytes(DatasetModel.record(KEYS, crashes)));
      }
      try (StorageEngine engine = after.open()) {
        assertTrue(engine.dataset(DatasetModel.NAME).get(Key.of(KEYS)).isPresent());
        assertEquals(List.of(), engine.verify().problems());
      }
    }
    assertTrue(emptied > 0 && emptied < left.size(), emptied + " of " + left.size());
  }

  @Test
  void aFaultInAnyCallLeavesAllRecordsOrNone() throws StorageException {
    long seed = Seeds.one(13);
    int failed = 0;
    long calls = truncate(seed, 0).calls();
    for (int call = 1; call <= calls; call++) {
      failed += truncate(seed, call).failed() ? 1 : 0;
    }
    assertTrue(failed > 20, failed + " of " + calls + " faults are told");
  }

  private record Attempt(long calls, boolean failed) {}

  /** Truncates, with one call that fails, or none, and checks what is there afterwards. */
  private static Attempt truncate(long seed, int failing) throws StorageException {
    TestStore disk = TestStore.empty(seed);
    DatasetModel full = new DatasetModel();
    boolean failed = false;
    long calls = 0;
    try (StorageEngine engine = disk.open()) {
      full = filled(engine.createDataset(options()), Seeds.random(seed));
      disk.faults.setPlan(failing == 0 ? "" : "any * " + failing + " EIO");
      long before = disk.faults.callCount();
      try {
        engine.truncate(DatasetModel.NAME);
      } catch (StorageException e) {
        failed = true;
      }
      calls = disk.faults.callCount() - before;
      disk.faults.setPlan("");
    } catch (StorageException closing) {
      // An engine that cannot go on writing says so when it is closed, too.
      assertTrue(failed, closing.toString());
    }
    try (StorageEngine engine = disk.open()) {
      Dataset there = engine.dataset(DatasetModel.NAME);
      boolean emptied = there.count(ValueRange.all()) == 0;
      assertTrue(emptied || failed, "call " + failing);
      (emptied ? new DatasetModel() : full).check(there);
      assertEquals(List.of(), engine.verify().problems());
    }
    disk.faults.assertNothingOpen();
    return new Attempt(calls, failed);
  }
}
