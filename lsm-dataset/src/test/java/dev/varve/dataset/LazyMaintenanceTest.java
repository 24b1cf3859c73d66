package dev.varve.dataset;

import static dev.varve.dataset.TestStore.keys;
import static dev.varve.dataset.TestStore.people;
import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.MemoryComponent;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Where no index needs the old record it is not read, and what that leaves behind misleads nobody.
 */
class LazyMaintenanceTest {
  private final TestStore store = TestStore.empty(33);

  private static DatasetOptions lazyPeople() {
    return people().withMaintenance(IndexMaintenance.LAZY);
  }

  private static long byName(Dataset people, String name) throws StorageException {
    long count = people.countBy("name", ValueRange.exactly(Key.of(name)));
    assertEquals(count, keys(people.search("name", ValueRange.exactly(Key.of(name)))).size(), name);
    return count;
  }

  /** Makes every read of a dataset's primary index fail from now on. */
  private void breakPrimary(Dataset dataset) throws StorageException {
    int primary = dataset.stats().partitions().get(0).indexes().get(0).indexId();
    store.faults.setPlan("read */i" + primary + "/* 1 EIO persistent");
  }

  @Test
  void upsertsAndDeletesReadNoOldRecord() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(lazyPeople());
      people.insert(person(1, "a", "x", 1));
      people.insert(person(2, "a", "x", 2));
      people.flush();
    }
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.dataset("people");
      assertEquals(IndexMaintenance.LAZY, people.options().maintenance());
      breakPrimary(people);
      assertThrows(DiskException.class, () -> people.insert(person(1, "b", "x", 1)));
      assertEquals(WriteOutcome.UNKNOWN, people.upsert(person(1, "b", "x", 1)));
      assertEquals(WriteOutcome.UNKNOWN, people.delete(Key.of(2)));
      store.faults.setPlan("");
      assertArrayEquals(person(1, "b", "x", 1), people.get(Key.of(1)).orElseThrow());
      assertEquals(List.of(Key.of(1)), keys(people.scan(ValueRange.all())));
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void noOldRecordIsReadWhereThereIsNoSecondaryIndex() throws StorageException {
    DatasetOptions options = DatasetOptions.of("plain", "id");
    try (StorageEngine engine = store.open()) {
      Dataset plain = engine.createDataset(options);
      plain.insert(person(1, "a", "x", 1));
      plain.flush();
    }
    try (StorageEngine engine = store.open()) {
      Dataset plain = engine.dataset("plain");
      breakPrimary(plain);
      assertEquals(WriteOutcome.UNKNOWN, plain.upsert(person(1, "b", "x", 1)));
      assertEquals(WriteOutcome.UNKNOWN, plain.delete(Key.of(2)));
      store.faults.setPlan("");
      assertArrayEquals(person(1, "b", "x", 1), plain.get(Key.of(1)).orElseThrow());
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void obsoleteEntriesAreNeitherFoundNorCounted() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(lazyPeople());
      people.upsert(person(1, "a", "x", 1));
      people.upsert(person(2, "a", "x", 2));
      people.upsert(person(3, "a", "x", 3));
      people.flush();
      people.upsert(person(1, "b", "x", 1));
      people.delete(Key.of(2));
      people.flush();
      assertEquals(1, byName(people, "a"));
      assertEquals(1, byName(people, "b"));
      // With the value that its oldest version had, and whose entry is still there.
      people.upsert(person(1, "a", "x", 1));
      people.insert(person(2, "a", "x", 2));
      assertEquals(3, byName(people, "a"));
      assertEquals(0, byName(people, "b"));
      people.compact();
      assertEquals(3, byName(people, "a"));
      assertEquals(0, byName(people, "b"));
      assertEquals(List.of(), engine.verify().problems());
      assertTrue(engine.verify().entries() > 2 * 3, "obsolete entries were expected");
    }
  }

  @Test
  void anEntryThatIsMissingIsAProblemAllTheSame() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(lazyPeople());
      people.upsert(person(1, "a", "x", 1));
      people.upsert(person(1, "b", "x", 1));
      assertEquals(List.of(), engine.verify().problems());
      LsmIndex<?> names = people.managed.lifecycles().get(0).openIndexes().all().get(1);
      Slice key = new KeyEncoder().addString("b").addEncoded(Key.of(1).toSlice()).toSlice();
      Entry entry = new Entry();
      entry.key().set(key.bytes(), key.offset(), key.length());
      MemoryComponent<?> component = names.tryEnter();
      component.put(entry.antimatter(true), 0);
      component.exit();
      List<String> problems = engine.verify().problems();
      assertEquals(1, problems.size(), problems::toString);
      assertTrue(problems.get(0).contains("lacks the entry of record <1>"), problems.get(0));
      component = names.tryEnter();
      component.put(entry.antimatter(false), 0);
      component.exit();
    }
  }

  @Test
  void aTransactionTakesOldEntriesOutAndItsChangesBack() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(lazyPeople());
      people.insert(person(1, "a", "x", 1));
      people.flush();
      try (RecordTransaction scope = people.partition(0).beginTransaction()) {
        assertEquals(WriteOutcome.PRESENT, scope.upsert(person(1, "b", "x", 1)));
        assertEquals(WriteOutcome.PRESENT, scope.upsert(person(1, "c", "x", 1)));
        assertEquals(1, byName(people, "a"));
        assertEquals(0, byName(people, "c"));
        scope.abort();
      }
      assertEquals(1, byName(people, "a"));
      assertEquals(0, byName(people, "b"));
      try (RecordTransaction scope = people.partition(0).beginTransaction()) {
        scope.upsert(person(1, "c", "x", 1));
        scope.commit();
      }
      assertEquals(1, byName(people, "c"));
      VerifyReport report = engine.verify();
      assertEquals(List.of(), report.problems());
      assertEquals(2, report.entries(), "a transaction leaves nothing obsolete");
    }
  }

  @Test
  void textsHoldNothingObsolete() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset texts =
          engine.createDataset(
              DatasetOptions.of("texts", "id")
                  .withIndexes(List.of(IndexDefinition.parse("keyword:text")))
                  .withMaintenance(IndexMaintenance.LAZY));
      texts.upsert(TestStore.bytes("{\"id\":1,\"text\":\"oak tree\"}"));
      texts.upsert(TestStore.bytes("{\"id\":2,\"text\":\"elm tree\"}"));
      texts.flush();
      texts.upsert(TestStore.bytes("{\"id\":1,\"text\":\"ash\"}"));
      texts.delete(Key.of(2));
      texts.flush();
      texts.compact();
      assertEquals(0, texts.countBy("keyword:text", TextSearch.allWords("tree")));
      assertEquals(1, texts.countBy("keyword:text", TextSearch.allWords("ash")));
      VerifyReport report = engine.verify();
      assertEquals(List.of(), report.problems());
      assertEquals(2, report.entries(), "a document and its word");
    }
  }
}
