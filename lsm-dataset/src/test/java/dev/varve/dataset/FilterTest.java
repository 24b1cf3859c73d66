package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What the filter field of a dataset is good for, and what it refuses. */
class FilterTest {
  private final TestStore store = TestStore.empty(7);

  private static DatasetOptions options() {
    return DatasetOptions.of("d", "id")
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
      FilterRange old = FilterRange.of(ValueRange.closed(Key.of(5), Key.of(20)));
      assertEquals(0, dataset.count(ValueRange.all(), old));
      KeySearch one = new KeySearch(ValueRange.exactly(Key.of(1)));
      assertEquals(1, dataset.countBy("n", one, from(50)));
      assertEquals(0, dataset.countBy("n", one, old));
    }
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
