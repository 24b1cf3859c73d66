package dev.varve.dataset;

import static dev.varve.dataset.TestStore.keys;
import static dev.varve.dataset.TestStore.people;
import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.MemoryComponent;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Entries that changes left obsolete are told by their stamps, and go with the next merge. */
class ValidationTest {
  private final TestStore store = TestStore.empty(36);

  private static DatasetOptions validated() {
    return people().withPrimaryKeyIndex().withMaintenance(IndexMaintenance.VALIDATION);
  }

  private static long countByName(Dataset people, String name) throws StorageException {
    return people.countBy("name", ValueRange.exactly(Key.of(name)));
  }

  private static List<Key> byName(Dataset people, String name) throws StorageException {
    return keys(people.search("name", ValueRange.exactly(Key.of(name))));
  }

  /** Record 1 was called a and is b, 2 was a and is gone, 3 is a; all of that lies on disk. */
  private static void change(Dataset people) throws StorageException {
    people.upsert(person(1, "a", "x", 1));
    people.upsert(person(2, "a", "x", 1));
    people.upsert(person(3, "a", "x", 1));
    people.flush();
    assertEquals(WriteOutcome.UNKNOWN, people.upsert(person(1, "b", "x", 1)));
    assertEquals(WriteOutcome.UNKNOWN, people.delete(Key.of(2)));
    people.flush();
  }

  @Test
  void itBringsAnIndexOfPrimaryKeysAlong() {
    DatasetOptions options = people().withMaintenance(IndexMaintenance.VALIDATION);
    assertEquals(validated(), options);
    assertTrue(options.withIndexes(List.of()).hasPrimaryKeyIndex());
    assertEquals(validated(), validated().withPartitions(1));
  }

  @Test
  void countsAreRightAndReadNoRecord() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      change(people);
    }
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.dataset("people");
      assertEquals(List.of(Key.of(3)), byName(people, "a"));
      int primary = people.stats().partitions().get(0).indexes().get(0).indexId();
      store.faults.setPlan("read */i" + primary + "/* 1 EIO persistent");
      assertEquals(1, countByName(people, "a"));
      assertEquals(1, countByName(people, "b"));
      // What is in memory is looked at.
      people.upsert(person(3, "c", "x", 1));
      assertEquals(0, countByName(people, "a"));
      assertEquals(1, countByName(people, "c"));
      store.faults.setPlan("");
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void mergesLeaveOutWhatIsObsolete() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      change(people);
      assertEquals((3 + 1) + 3 + 2, engine.verify().entries());
      people.compact();
      assertEquals(2 * 2 + 2, engine.verify().entries());
      assertEquals(1, countByName(people, "a"));
      assertEquals(1, countByName(people, "b"));
      // With values that were there before, and are there again.
      people.upsert(person(1, "a", "x", 1));
      people.insert(person(2, "a", "x", 1));
      assertEquals(3, countByName(people, "a"));
      people.flush();
      assertEquals(3, countByName(people, "a"));
      people.compact();
      assertEquals(List.of(), engine.verify().problems());
      assertEquals(3 * 3, engine.verify().entries());
    }
  }

  @Test
  void aMergeHeedsNoTransactionThatMayBeAborted() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated().withMergePolicy(MergePolicyOptions.none()));
      for (int i = 0; i < 4; i++) {
        people.upsert(person(1, "a", "x", i));
        people.upsert(person(2 + i, "a", "x", i));
        people.flush();
      }
      long merges = merges(people);
      try (RecordTransaction scope = people.beginTransaction()) {
        scope.upsert(new Slice(person(1, "b", "x", 3)));
        scope.delete(Key.of(2));
        people.setMergePolicy(MergePolicyOptions.constant(3));
        store.executor.runUntilIdle();
        assertTrue(merges(people) > merges, "a merge was expected to be under way");
        scope.abort();
      }
      assertEquals(5, countByName(people, "a"));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private static long merges(Dataset people) throws StorageException {
    return people.stats().partitions().get(0).indexes().get(1).merges();
  }

  @Test
  void anEntryOlderThanItsRecordIsAProblem() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      people.upsert(person(1, "a", "x", 1));
      assertEquals(List.of(), engine.verify().problems());
      LsmIndex<?> names = people.managed.lifecycles().get(0).openIndexes().all().get(1);
      Slice key = new KeyEncoder().addString("a").addEncoded(Key.of(1).toSlice()).toSlice();
      Entry entry = new Entry();
      names.find(key, entry);
      byte[] stamp = entry.value().toByteArray();
      MemoryComponent<?> component = names.tryEnter();
      entry.value().set(new byte[] {0}, 0, 1);
      component.put(entry, 0);
      component.exit();
      List<String> problems = engine.verify().problems();
      assertEquals(1, problems.size(), problems::toString);
      assertTrue(problems.get(0).contains("lacks the entry of record <1>"), problems.get(0));
      component = names.tryEnter();
      entry.value().set(stamp, 0, stamp.length);
      component.put(entry, 0);
      component.exit();
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void anAbortOfWhichACrashLeavesAPartTakesNothingAway() throws StorageException {
    TestStore crashed;
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      people.insert(person(1, "a", "x", 1));
      people.flush();
      try (RecordTransaction scope = people.beginTransaction()) {
        scope.upsert(new Slice(person(1, "b", "x", 1)));
        scope.delete(Key.of(1));
        scope.abort();
      }
      assertEquals(1, countByName(people, "a"));
      people.managed.lifecycles().get(0).openIndexes().all().get(3).flush();
      crashed = new TestStore(store.files.crash(Seeds.random(2)), 2);
    }
    try (StorageEngine engine = crashed.open()) {
      Dataset people = engine.dataset("people");
      people.compact();
      assertEquals(1, countByName(people, "a"));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aSwitchHoldsAtOnceAndAfterACrash() throws StorageException {
    TestStore crashed;
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people().withPrimaryKeyIndex());
      people.insert(person(1, "a", "x", 1));
      assertEquals(WriteOutcome.PRESENT, people.upsert(person(1, "b", "x", 1)));
      people.setMaintenance(IndexMaintenance.LAZY);
      assertEquals(WriteOutcome.UNKNOWN, people.upsert(person(1, "c", "x", 1)));
      people.flush();
      assertEquals(2 + 1 + 1, engine.verify().entries(), "lazy leaves b where it is");
      assertEquals(0, countByName(people, "b"));
      people.upsert(person(1, "d", "x", 1));
      people.compact();
      assertEquals(1 + 1 + 1, engine.verify().entries(), "until the next merge");
      assertEquals(WriteOutcome.UNKNOWN, people.upsert(person(1, "b", "x", 1)));
      assertEquals(WriteOutcome.UNKNOWN, people.upsert(person(1, "c", "x", 1)));
      people.setMaintenance(IndexMaintenance.EAGER);
      assertEquals(WriteOutcome.PRESENT, people.upsert(person(1, "d", "x", 1)));
      assertEquals(0, countByName(people, "b"));
      people.compact();
      assertEquals(1 + 1 + 1, engine.verify().entries(), "what lazy left goes");
      people.setMaintenance(IndexMaintenance.VALIDATION);
      crashed = new TestStore(store.files.crash(Seeds.random(1)), 1);
    }
    try (StorageEngine engine = crashed.open()) {
      Dataset people = engine.dataset("people");
      assertEquals(IndexMaintenance.VALIDATION, people.options().maintenance());
      assertEquals(WriteOutcome.UNKNOWN, people.upsert(person(1, "e", "x", 1)));
      assertEquals(1, countByName(people, "e"));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private static LsmIndex<?> index(Dataset people, int position) throws StorageException {
    return people.managed.lifecycles().get(0).openIndexes().all().get(position);
  }

  @Test
  void componentsRememberAgainstWhichKeysTheyWereChecked() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated().withMergePolicy(MergePolicyOptions.none()));
      change(people);
      people.upsert(person(4, "a", "x", 1));
      people.flush();
      LsmIndex<?> names = index(people, 1);
      LsmIndex<?> keys = index(people, 3);
      assertEquals(3, keys.state().newestFlush());
      assertEquals(0, names.state().checkedTo(), "the first component was there at the opening");
      people.compact();
      assertEquals(3, names.state().checkedTo());
      // What comes into memory now may have been checked only as far as keys were on disk before.
      people.upsert(person(4, "b", "x", 1));
      assertEquals(2, names.state().checkedTo());
      assertEquals(1, countByName(people, "a"));
      people.flush();
      assertEquals(2, names.state().checkedTo());
      assertEquals(1, countByName(people, "a"));
      assertEquals(2, countByName(people, "b"));
      people.compact();
      assertEquals(4, names.state().checkedTo());
      assertEquals(1, countByName(people, "a"));
      people.delete(Key.of(3));
      people.flush();
      assertEquals(0, countByName(people, "a"));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void whatRecoveryBringsBackWasNotChecked() throws StorageException {
    TestStore crashed;
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(validated());
      people.upsert(person(1, "a", "x", 1));
      people.upsert(person(1, "b", "x", 1));
      index(people, 3).flush();
      crashed = new TestStore(store.files.crash(Seeds.random(3)), 3);
    }
    try (StorageEngine engine = crashed.open()) {
      Dataset people = engine.dataset("people");
      people.flush();
      assertEquals(0, countByName(people, "a"));
      assertEquals(1, countByName(people, "b"));
      assertEquals(List.of(), engine.verify().problems());
      people.upsert(person(2, "b", "x", 1));
      people.compact();
      assertEquals(3 * 2, engine.verify().entries());
    }
  }

  @Test
  void validationIsRefusedWithoutAnIndexOfPrimaryKeys() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      assertThrows(
          RequestException.class, () -> people.setMaintenance(IndexMaintenance.VALIDATION));
      assertEquals(IndexMaintenance.EAGER, people.options().maintenance());
    }
  }

  @Test
  void placesAreValidatedToo() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset spots =
          engine.createDataset(
              DatasetOptions.of("spots", "id")
                  .withIndexes(List.of(IndexDefinition.parse("rtree:spot")))
                  .withPrimaryKeyIndex()
                  .withMaintenance(IndexMaintenance.VALIDATION));
      for (int x = 0; x < 3; x++) {
        spots.upsert(TestStore.bytes("{\"id\":1,\"spot\":[" + x + ",1]}"));
        spots.flush();
      }
      assertEquals(3 + 1, engine.verify().entries());
      spots.compact();
      assertEquals(1 + 1, engine.verify().entries());
      assertEquals(List.of(), engine.verify().problems());
    }
  }
}
