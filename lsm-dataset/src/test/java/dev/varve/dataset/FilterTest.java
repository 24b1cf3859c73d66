package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the filter field of a dataset is good for, and what it refuses. */
class FilterTest {
  private final TestStore store = TestStore.empty(7);

  private static DatasetOptions options() {
    return options("d");
  }

  private static DatasetOptions options(String name) {
    return DatasetOptions.of(name, "id")
        .withIndexes(List.of(IndexDefinition.on("n")))
        .withFilterField(Optional.of(FieldPath.parse("t")))
        .withMemoryBytes(1 << 20)
        .withMergePolicy(MergePolicyOptions.none());
  }

  private static byte[] record(int id, int n, int time) {
    return TestStore.bytes("{\"id\":%d,\"n\":%d,\"t\":%d}".formatted(id, n, time));
  }

  private static FilterRange from(int time) {
    return FilterRange.of(ValueRange.atLeast(Key.of(time)));
  }

  private static FilterRange range(int low, int high) {
    return FilterRange.of(ValueRange.closed(Key.of(low), Key.of(high)));
  }

  private static IndexStats index(Dataset dataset, int position) throws StorageException {
    return dataset.stats().partitions().get(0).indexes().get(position);
  }

  @Test
  void aQueryOfTheLastHundredthReadsTheComponentsOfThatTime() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options());
      for (int id = 0; id < 2000; id++) {
        dataset.insert(record(id, id % 7, id));
        if (id % 100 == 99) {
          dataset.flush();
        }
      }
      assertEquals(20, dataset.count(ValueRange.all(), from(1980)));
      assertEquals(1, index(dataset, 0).rangeReads());
      assertEquals(19, index(dataset, 0).rangeSkips());
      KeySearch three = new KeySearch(ValueRange.exactly(Key.of(3)));
      assertEquals(3, dataset.countBy("n", three, from(1980)));
      assertEquals(1, index(dataset, 1).rangeReads());
      assertEquals(19, index(dataset, 1).rangeSkips());
      assertEquals("<1900> to <1999>", index(dataset, 0).values().get(19).toString());
    }
  }

  @Test
  void anUpsertHidesTheOldRecordFromWhoeverReadsItsTime() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options());
      dataset.insert(record(1, 1, 10));
      dataset.insert(record(2, 1, 11));
      dataset.flush();
      dataset.upsert(record(1, 1, 50));
      dataset.delete(Key.of(2));
      dataset.flush();
      FilterRange old = range(5, 20);
      assertEquals(0, dataset.count(ValueRange.all(), old));
      KeySearch one = new KeySearch(ValueRange.exactly(Key.of(1)));
      assertEquals(1, dataset.countBy("n", one, from(50)));
      assertEquals(0, dataset.countBy("n", one, old));
    }
  }

  /** Makes every read of the primary index fail from now on. */
  private void breakPrimary(Dataset dataset) throws StorageException {
    store.faults.setPlan("read */i" + index(dataset, 0).indexId() + "/* 1 EIO persistent");
  }

  @Test
  void changesReadNoOldRecordUnlessTheStrategyDoes() throws StorageException {
    for (IndexMaintenance maintenance : IndexMaintenance.values()) {
      boolean blind = maintenance != IndexMaintenance.EAGER;
      for (List<IndexDefinition> indexes :
          List.of(options().indexes(), List.<IndexDefinition>of())) {
        String name = maintenance + "-" + indexes.size();
        try (StorageEngine engine = store.open()) {
          DatasetOptions made = options(name).withIndexes(indexes);
          Dataset dataset = engine.createDataset(made.withMaintenance(maintenance));
          dataset.upsert(record(1, 1, 10));
          dataset.upsert(record(2, 1, 11));
        }
        try (StorageEngine engine = store.open()) {
          Dataset dataset = engine.dataset(name);
          breakPrimary(dataset);
          if (blind) {
            assertEquals(WriteOutcome.UNKNOWN, dataset.upsert(record(1, 1, 50)), name);
            assertEquals(WriteOutcome.UNKNOWN, dataset.delete(Key.of(2)), name);
          } else {
            assertThrows(DiskException.class, () -> dataset.upsert(record(1, 1, 50)), name);
          }
          store.faults.setPlan("");
          dataset.flush();
          assertEquals(blind ? 0 : 2, dataset.count(ValueRange.all(), range(5, 20)), name);
          assertEquals(blind ? 1 : 0, dataset.count(ValueRange.all(), from(50)), name);
          assertEquals(List.of(), engine.verify().problems(), name);
        }
      }
    }
  }

  /** Under validation the newer component is about the new time alone, and says so. */
  @Test
  void aComponentOfBlindChangesIsReadWithEachOlderOne() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset =
          engine.createDataset(options().withMaintenance(IndexMaintenance.VALIDATION));
      dataset.upsert(record(1, 1, 10));
      dataset.upsert(record(3, 1, 10));
      dataset.flush();
      dataset.upsert(record(1, 1, 50));
      dataset.flush();
      dataset.upsert(record(2, 1, 90));
      dataset.delete(Key.of(3));
      dataset.flush();
      List<IndexStats.Values> values = index(dataset, 0).values();
      assertEquals(
          List.of("<10> to <10>", "<50> to <50>", "<90> to <90>"),
          values.stream().map(Object::toString).toList());
      // The oldest has nothing below it that it could hide.
      assertEquals(
          List.of(RangeFilter.Coverage.WHOLE, RangeFilter.Coverage.HELD, RangeFilter.Coverage.HELD),
          values.stream().map(IndexStats.Values::coverage).toList());
      // A record of the oldest time may be hidden by any younger component.
      assertEquals(0, dataset.count(ValueRange.all(), range(5, 20)));
      assertEquals(3, index(dataset, 0).rangeReads());
      // Of the youngest time it cannot.
      assertEquals(1, dataset.count(ValueRange.all(), from(80)));
      assertEquals(3 + 1, index(dataset, 0).rangeReads());
      assertEquals(2, index(dataset, 0).rangeSkips());
      // What a secondary index has too many is told by the records.
      KeySearch one = new KeySearch(ValueRange.exactly(Key.of(1)));
      assertEquals(0, dataset.countBy("n", one, range(5, 20)));
      assertEquals(1, dataset.countBy("n", one, range(40, 60)));
      int n = dataset.options().indexes().indexOf(IndexDefinition.on("n")) + 1;
      assertEquals(2, index(dataset, n).rangeReads());
      assertEquals(4, index(dataset, n).rangeSkips());
      // Eager changes from here on cover what they hide, and what was there is read as before.
      dataset.setMaintenance(IndexMaintenance.EAGER);
      dataset.upsert(record(2, 1, 95));
      dataset.flush();
      assertEquals(0, dataset.count(ValueRange.all(), range(85, 92)));
      assertEquals(0, dataset.count(ValueRange.all(), range(5, 20)));
      assertEquals(3 + 1 + 2 + 3, index(dataset, 0).rangeReads());
      dataset.compact();
      assertEquals(2, dataset.count(ValueRange.all(), from(50)));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  /** The records that such a component hides are known to be dead, whoever has replaced them. */
  @Test
  void aComponentThatOnlyHidesWhatIsDeadIsLeftOut() throws StorageException {
    DatasetOptions options = options().withMaintenance(IndexMaintenance.MUTABLE_BITMAP);
    StorageEngine engine = store.open();
    Dataset dataset = engine.createDataset(options);
    for (int id = 1; id <= 6; id++) {
      dataset.upsert(record(id, 1, id < 5 ? 10 : 30));
    }
    flush(dataset);
    dataset.upsert(record(1, 1, 50));
    dataset.delete(Key.of(2));
    // A transaction reads the old record, and leaves alone what is the same.
    try (RecordTransaction transaction = dataset.partition(0).beginTransaction()) {
      transaction.upsert(new Slice(record(5, 2, 30)));
      transaction.commit();
    }
    // What is in memory is read by everybody.
    assertEquals(2, dataset.count(ValueRange.all(), range(5, 20)));
    flush(dataset);
    dataset.upsert(record(3, 1, 90));
    flush(dataset);
    long readBefore = index(dataset, 0).rangeReads();
    assertEquals(List.of(4), found(dataset, ValueRange.all(), range(5, 20)));
    assertEquals(readBefore + 1, index(dataset, 0).rangeReads());
    assertEquals(List.of(4), found(dataset, keys(2, 4), range(5, 20)));
    assertEquals(List.of(5, 6), found(dataset, ValueRange.all().descending(), range(25, 40)));
    assertEquals(readBefore + 1 + 1 + 2, index(dataset, 0).rangeReads());
    assertEquals(List.of(), engine.verify().problems());
    // What is dead in a component that was merged is found anew, and so it is after an opening.
    dataset.setMergePolicy(MergePolicyOptions.constant(3));
    store.executor.runUntilIdle();
    dataset.upsert(record(4, 1, 95));
    flush(dataset);
    engine.close();
    engine = store.open();
    dataset = engine.dataset("d");
    // The first to read finds what a scan under validation would.
    assertEquals(List.of(), found(dataset, ValueRange.all(), range(5, 20)));
    assertEquals(2, index(dataset, 0).rangeReads());
    store.executor.runUntilIdle();
    assertEquals(2, index(dataset, 0).components().size());
    assertEquals(List.of(), found(dataset, ValueRange.all(), range(5, 20)));
    assertEquals(2 + 1, index(dataset, 0).rangeReads());
    assertEquals(List.of(), engine.verify().problems());
    // Under another strategy nobody finds out what has died since.
    dataset.setMaintenance(IndexMaintenance.VALIDATION);
    dataset.upsert(record(1, 1, 96));
    flush(dataset);
    assertEquals(List.of(5, 6), found(dataset, ValueRange.all(), range(25, 40)));
    assertEquals(List.of(), engine.verify().problems());
    engine.close();
  }

  /** Of some components it is known before it is known of others, and scans are right meanwhile. */
  @Test
  void whatIsDeadIsFoundComponentByComponent() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset =
          engine.createDataset(options().withMaintenance(IndexMaintenance.VALIDATION));
      int[][] changed = {{1, 2, 3, 4}, {1, 5}, {2, 5}, {3}};
      for (int i = 0; i < changed.length; i++) {
        for (int id : changed[i]) {
          dataset.upsert(record(id, 1, 10 * (i + 1)));
        }
        flush(dataset);
      }
      dataset.setMaintenance(IndexMaintenance.MUTABLE_BITMAP);
      do {
        assertEquals(List.of(4), found(dataset, ValueRange.all(), range(5, 12)));
        assertEquals(List.of(1, 4), found(dataset, ValueRange.all(), range(5, 22)));
        assertEquals(List.of(2, 5), found(dataset, ValueRange.all(), range(25, 32)));
      } while (store.executor.step());
      long readBefore = index(dataset, 0).rangeReads();
      assertEquals(List.of(4), found(dataset, ValueRange.all(), range(5, 12)));
      assertEquals(readBefore + 1, index(dataset, 0).rangeReads());
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private void flush(Dataset dataset) throws StorageException {
    dataset.flush();
    store.executor.runUntilIdle();
  }

  private static KeyRange keys(int low, int high) {
    return ValueRange.closed(Key.of(low), Key.of(high));
  }

  private static List<Integer> found(Dataset dataset, KeyRange keys, FilterRange filter)
      throws StorageException {
    return SearchModelTest.found(dataset.scan(keys, filter));
  }

  @Test
  void recordsWithoutAValueAreInNoRangeAndInNoReadersWay() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options());
      dataset.insert(TestStore.bytes("{\"id\":1,\"n\":1}"));
      dataset.insert(TestStore.bytes("{\"id\":2,\"n\":1,\"t\":null}"));
      dataset.insert(TestStore.bytes("{\"id\":3,\"n\":1,\"t\":[1]}"));
      dataset.flush();
      assertEquals(0, dataset.count(ValueRange.all(), FilterRange.of(ValueRange.all())));
      assertEquals(1, index(dataset, 0).rangeSkips());
      assertEquals(3, dataset.count(ValueRange.all(), FilterRange.NONE));
    }
  }

  @Test
  void aDatasetThatIsNotFilteredRefusesARange() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options().withFilterField(Optional.empty()));
      KeySearch all = new KeySearch(ValueRange.all());
      for (RequestException refused :
          List.of(
              assertThrows(RequestException.class, () -> dataset.scan(ValueRange.all(), from(1))),
              assertThrows(RequestException.class, () -> dataset.countBy("n", all, from(1))))) {
        assertEquals(RequestException.Reason.UNSUPPORTED, refused.reason());
      }
    }
  }

  @Test
  void theFieldIsKeptInTheCatalog() throws StorageException {
    try (StorageEngine engine = store.open()) {
      engine.createDataset(options());
    }
    try (StorageEngine engine = store.open()) {
      assertEquals(Optional.of(FieldPath.parse("t")), engine.dataset("d").options().filterField());
    }
  }
}
