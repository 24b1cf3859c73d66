package dev.varve.dataset;

import static dev.varve.dataset.TestStore.keys;
import static dev.varve.dataset.TestStore.people;
import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The engine from the outside: what is written is found by every way in, also after a reopen. */
class StorageEngineTest {
  private final TestStore store = TestStore.empty(1);

  @Test
  void aRecordIsFoundByEveryWayInAndAfterAReopen() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people().withPartitions(3));
      for (int id = 0; id < 20; id++) {
        people.insert(person(id, "n" + id % 5, "c" + id % 3, id));
      }
      checkTwenty(people);
      people.flush();
      checkTwenty(people);
      people.compact();
      checkTwenty(people);
      assertEquals(List.of(), engine.verify().problems());
    }
    try (StorageEngine engine = store.open()) {
      assertEquals(List.of("people"), engine.names());
      checkTwenty(engine.dataset("people"));
      assertEquals(List.of(), engine.verify().problems());
      assertEquals(0, engine.stats().recovery().redoneOperations());
    }
  }

  private static void checkTwenty(Dataset people) throws StorageException {
    assertArrayEquals(person(7, "n2", "c1", 7), people.get(Key.of(7)).orElseThrow());
    assertEquals(Optional.empty(), people.get(Key.of(20)));
    assertEquals(
        List.of(Key.of(3), Key.of(4), Key.of(5)),
        keys(people.scan(ValueRange.closed(Key.of(3), Key.of(5)))));
    assertEquals(
        List.of(Key.of(19), Key.of(18)),
        keys(people.scan(ValueRange.atLeast(Key.of(18)).descending())));
    assertEquals(
        List.of(Key.of(1), Key.of(6), Key.of(11), Key.of(16)),
        keys(people.search("name", ValueRange.exactly(Key.of("n1")))).stream().sorted().toList());
    assertEquals(
        List.of(Key.of(2), Key.of(5)),
        keys(people.search("home", ValueRange.closed(Key.of("c2", 0), Key.of("c2", 5)))).stream()
            .sorted()
            .toList());
  }

  /** The log of what had just been flushed was still there, and counted as the store's size. */
  @Test
  void aQuietEngineHasGivenUpTheLogOfItsLastFlush() throws StorageException {
    for (long seed = 1; seed <= 20; seed++) {
      try (StorageEngine engine = TestStore.empty(seed).open()) {
        Dataset people = engine.createDataset(people());
        people.insert(person(1, "a", "x", 1));
        people.flush();
        assertTrue(engine.awaitQuiet(60_000));
        assertEquals(
            engine.parts().workers().keeper().mark(),
            engine.parts().workers().keeper().lowWaterMark());
      }
    }
  }

  /** Over several seeds: with some, the flushes leave a merge unfinished. */
  @Test
  void aQuietEngineHasNoMergeLeftToDo() throws StorageException {
    for (long seed = 1; seed <= 20; seed++) {
      try (StorageEngine engine = TestStore.empty(seed).open()) {
        Dataset people = engine.createDataset(people());
        for (int id = 0; id < 3; id++) {
          people.insert(person(id, "a", "x", id));
          people.flush();
        }
        assertTrue(engine.awaitQuiet(1000));
        int components = people.stats().partitions().get(0).indexes().get(0).components().size();
        assertEquals(1, components, "components with seed " + seed);
      }
    }
  }

  @Test
  void upsertAndDeleteTakeOldSecondaryEntriesAway() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      assertEquals(WriteOutcome.ABSENT, people.upsert(person(1, "a", "x", 1)));
      people.flush();
      assertEquals(WriteOutcome.PRESENT, people.upsert(person(1, "b", "x", 1)));
      assertEquals(List.of(), keys(people.search("name", ValueRange.exactly(Key.of("a")))));
      assertEquals(List.of(Key.of(1)), keys(people.search("name", ValueRange.all())));
      assertEquals(WriteOutcome.PRESENT, people.delete(Key.of(1)));
      assertEquals(WriteOutcome.ABSENT, people.delete(Key.of(1)));
      assertEquals(List.of(), keys(people.search("name", ValueRange.all())));
      assertEquals(List.of(), engine.verify().problems());
      people.compact();
      VerifyReport report = engine.verify();
      assertEquals(List.of(), report.problems());
      assertEquals(0, report.entries());
    }
  }

  @Test
  void aDuplicateIsRefusedAndLeavesNothingBehind() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      people.insert(person(1, "a", "x", 1));
      ConflictException refused =
          assertThrows(ConflictException.class, () -> people.insert(person(1, "b", "y", 2)));
      assertEquals(ConflictException.Reason.DUPLICATE_KEY, refused.reason());
      assertArrayEquals(person(1, "a", "x", 1), people.get(Key.of(1)).orElseThrow());
      assertEquals(List.of(), keys(people.search("name", ValueRange.exactly(Key.of("b")))));
      people.upsert(person(1, "c", "y", 2));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aSessionSharesOneForceWhichAReaderOfItsRecordsMayMake() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      people.insert(person(0, "a", "x", 1));
      long forces = engine.stats().log().forces();
      try (RecordSession session = people.partition(0).openSession()) {
        for (int id = 1; id <= 100; id++) {
          session.insert(new Slice(person(id, "a", "x", id)));
        }
        assertEquals(100, session.unforced());
        assertTrue(session.get(Key.of(50)).isPresent());
        assertEquals(forces, engine.stats().log().forces());
        assertTrue(people.get(Key.of(50)).isPresent());
        assertEquals(100, session.unforced());
        session.force();
        assertEquals(0, session.unforced());
      }
      assertEquals(forces + 1, engine.stats().log().forces());
    }
  }

  @Test
  void anAbortedTransactionNeverHappened() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      people.insert(person(1, "a", "x", 1));
      people.flush();
      people.insert(person(2, "b", "x", 2));
      List<String> before = TestStore.records(people.scan(ValueRange.all()));
      try (RecordTransaction scope = people.partition(0).beginTransaction()) {
        scope.upsert(new Slice(person(1, "c", "y", 3)));
        scope.delete(Key.of(2));
        scope.insert(new Slice(person(3, "d", "y", 3)));
        scope.upsert(new Slice(person(3, "e", "y", 3)));
        assertThrows(
            ConflictException.class, () -> scope.insert(new Slice(person(3, "f", "y", 3))));
        assertTrue(scope.active());
        assertTrue(scope.get(Key.of(3)).isPresent());
        assertFalse(scope.get(Key.of(2)).isPresent());
      }
      assertEquals(before, TestStore.records(people.scan(ValueRange.all())));
      assertEquals(List.of(), engine.verify().problems());
      people.flush();
      assertEquals(List.of(), engine.verify().problems());
    }
    try (StorageEngine engine = store.open()) {
      assertEquals(List.of(), engine.verify().problems());
      assertEquals(2, engine.verify().records());
    }
  }

  @Test
  void aCommittedTransactionIsThereAsAWhole() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      people.insert(person(1, "a", "x", 1));
      try (RecordTransaction scope = people.partition(0).beginTransaction()) {
        scope.delete(Key.of(1));
        scope.insert(new Slice(person(2, "b", "y", 3)));
        scope.commit();
      }
      assertEquals(List.of(Key.of(2)), keys(people.scan(ValueRange.all())));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aKeyValueStoreKeepsRawPairs() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS);
      try (KeyValueSession session = pairs.openSession()) {
        session.insert(slice("k1"), slice("v1"));
        session.upsert(slice("k2"), slice("v2"));
        assertThrows(ConflictException.class, () -> session.insert(slice("k2"), slice("v3")));
      }
      KeyValue found = new KeyValue();
      assertTrue(pairs.get(slice("k2"), found));
      assertEquals(slice("v2").toString(), found.value().toString());
      assertEquals(List.of("v1", "v2"), TestStore.records(pairs.scan(ValueRange.all())));
    }
    try (StorageEngine engine = store.open()) {
      assertEquals(
          List.of("v1", "v2"),
          TestStore.records(engine.keyValueStore("pairs").scan(ValueRange.all())));
    }
  }

  @Test
  void eachLevelOfDurabilitySurvivesWhatItSays() throws StorageException {
    for (Durability level : Durability.values()) {
      TestStore disk = TestStore.empty(2);
      StorageEngine engine = disk.open();
      Dataset people = engine.createDataset(people());
      try (RecordSession session = people.partition(0).openSession(level)) {
        for (int id = 0; id < 10; id++) {
          session.insert(new Slice(person(id, "a", "x", id)));
          session.force();
        }
      }
      assertEquals(10, keys(people.scan(ValueRange.all())).size());
      int afterPowerLoss = recordsOf(new TestStore(disk.files.crash(0, Seeds.random(2)), 2));
      assertEquals(level == Durability.POWER_LOSS ? 10 : 0, afterPowerLoss, level.name());
      disk.files.killProcess();
      assertEquals(10, recordsOf(new TestStore(disk.files, 2)), level.name());
    }
  }

  private static int recordsOf(TestStore left) throws StorageException {
    try (StorageEngine engine = left.open()) {
      assertEquals(List.of(), engine.verify().problems());
      return keys(engine.dataset("people").scan(ValueRange.all())).size();
    }
  }

  @Test
  void theRealFileSystemClockAndThreadsDoTheSame(@TempDir Path directory) throws StorageException {
    try (StorageEngine engine = StorageEngine.open(directory.resolve("new/node"))) {
      Dataset people = engine.openDataset(people().withPartitions(3));
      for (int id = 0; id < 20; id++) {
        people.insert(person(id, "n" + id % 5, "c" + id % 3, id));
      }
      checkTwenty(people);
      people.compact();
      checkTwenty(people);
    }
    try (StorageEngine engine = StorageEngine.open(directory.resolve("new/node"))) {
      checkTwenty(engine.openDataset(people().withPartitions(3)));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private static Slice slice(String text) {
    return new Slice(TestStore.bytes(text));
  }
}
