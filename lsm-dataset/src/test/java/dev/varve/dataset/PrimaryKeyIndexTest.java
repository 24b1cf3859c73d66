package dev.varve.dataset;

import static dev.varve.dataset.TestStore.keys;
import static dev.varve.dataset.TestStore.people;
import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.MemoryComponent;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import java.util.List;
import org.junit.jupiter.api.Test;

/** An index of primary keys answers for the records what their keys decide. */
class PrimaryKeyIndexTest {
  private final TestStore store = TestStore.empty(34);

  /** Makes every read of a dataset's primary index fail from now on. */
  private void breakPrimary(Dataset dataset) throws StorageException {
    int primary = dataset.stats().partitions().get(0).indexes().get(0).indexId();
    store.faults.setPlan("read */i" + primary + "/* 1 EIO persistent");
  }

  @Test
  void uniquenessExistenceAndCountsReadNoRecord() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people().withPrimaryKeyIndex());
      for (long id = 0; id < 5; id++) {
        people.insert(person(id, "a", "x", id));
      }
      people.delete(Key.of(3));
      people.flush();
    }
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.dataset("people");
      assertEquals(people().withPrimaryKeyIndex(), people.options());
      breakPrimary(people);
      assertThrows(ConflictException.class, () -> people.insert(person(1, "b", "x", 1)));
      people.insert(person(3, "b", "x", 1));
      assertTrue(people.exists(Key.of(1)));
      assertFalse(people.exists(Key.of(7)));
      assertEquals(5, people.count(ValueRange.all()));
      assertEquals(2, people.count(ValueRange.atLeast(Key.of(3)).descending()));
      store.faults.setPlan("");
      assertEquals(List.of(), engine.verify().problems());
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void anAbortLeavesItAsItWas() throws StorageException {
    for (IndexMaintenance maintenance : IndexMaintenance.values()) {
      TestStore fresh = TestStore.empty(35);
      try (StorageEngine engine = fresh.open()) {
        Dataset people =
            engine.createDataset(people().withPrimaryKeyIndex().withMaintenance(maintenance));
        people.upsert(person(1, "a", "x", 1));
        people.upsert(person(2, "a", "x", 1));
        people.flush();
        try (RecordTransaction scope = people.beginTransaction()) {
          scope.upsert(new Slice(person(1, "b", "x", 1)));
          scope.delete(Key.of(1));
          scope.upsert(new Slice(person(2, "b", "x", 1)));
          scope.insert(new Slice(person(3, "a", "x", 1)));
          scope.abort();
        }
        people.compact();
        assertEquals(2, people.count(ValueRange.all()));
        assertEquals(2, people.countBy("name", ValueRange.exactly(Key.of("a"))));
        assertEquals(
            List.of(Key.of(1), Key.of(2)),
            keys(people.search("name", ValueRange.exactly(Key.of("a")))));
        assertFalse(people.exists(Key.of(3)));
        assertEquals(List.of(), engine.verify().problems());
      }
    }
  }

  @Test
  void aKeyThatItLacksIsAProblem() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people().withPrimaryKeyIndex());
      people.insert(person(1, "a", "x", 1));
      LsmIndex<?> keys = people.managed.lifecycles().get(0).openIndexes().all().get(3);
      Slice key = Key.of(1).toSlice();
      Entry entry = new Entry();
      entry.key().set(key.bytes(), key.offset(), key.length());
      MemoryComponent<?> component = keys.tryEnter();
      component.put(entry.antimatter(true), 0);
      component.exit();
      List<String> problems = engine.verify().problems();
      // By the stamps, the entries of a record that has no key are obsolete.
      assertEquals(3, problems.size(), problems::toString);
      assertTrue(
          problems.get(2).contains("index 'primary-key' of partition 0 of 'people' lacks"),
          problems.get(2));
      component = keys.tryEnter();
      component.put(entry.antimatter(false), 0);
      component.exit();
    }
  }

  @Test
  void itIsOverThePrimaryKeyAndThereIsOne() {
    DatasetOptions keyed = people().withPrimaryKeyIndex();
    assertTrue(keyed.hasPrimaryKeyIndex());
    assertFalse(people().hasPrimaryKeyIndex());
    assertThrows(
        IllegalArgumentException.class,
        () -> people().withIndexes(List.of(IndexDefinition.parse("primary-key:name"))));
    assertThrows(IllegalArgumentException.class, () -> renamed(keyed).withPrimaryKeyIndex());
  }

  /** The same with another name for the index. */
  private static DatasetOptions renamed(DatasetOptions keyed) {
    return keyed.withIndexes(List.of(IndexDefinition.parse("primary-key:id")));
  }
}
