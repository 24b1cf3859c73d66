package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Records in any order are loaded as if they came in order, whether they fit into memory or not,
 * and what is refused does not end the load. Method: a map says what must be there.
 */
class SortingLoaderTest {
  private static final int RECORDS = 2_000;

  /** Of a thousand words each: more than half of the memory for entries. */
  private static final int WORDY_RECORDS = 260;

  private final TestStore store = TestStore.empty(1);

  private static DatasetOptions options(int partitions) {
    return DatasetOptions.of("d", "id")
        .withIndexes(Stream.of("n", "keyword:text").map(IndexDefinition::parse).toList())
        .withPartitions(partitions)
        .withMemoryBytes(1 << 20);
  }

  private static String json(int id, int n) {
    return "{\"id\":%d,\"n\":%d,\"text\":\"tree %d\"}".formatted(id, n, n);
  }

  private void load(int partitions, long sortBytes) throws StorageException {
    long seed = 7L + partitions;
    System.out.println("seed " + seed);
    List<Integer> ids = new ArrayList<>();
    for (int i = 0; i < RECORDS; i++) {
      ids.add(i % (RECORDS / 2));
    }
    Collections.shuffle(ids, new Random(seed));
    Map<Integer, String> expected = new TreeMap<>();
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options(partitions));
      try (SortingLoader loader = dataset.bulkLoadUnsorted(sortBytes)) {
        for (int i = 0; i < RECORDS; i++) {
          expected.put(ids.get(i), json(ids.get(i), i));
          loader.add(TestStore.bytes(json(ids.get(i), i)));
        }
        assertEquals(RECORDS / 2, loader.finish());
        assertEquals(RECORDS / 2, loader.replaced());
      }
      List<String> found = new ArrayList<>(TestStore.records(dataset.scan(KeyRange.all())));
      assertEquals(List.copyOf(expected.values()), found);
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void recordsThatFitIntoMemory() throws StorageException {
    load(1, 1 << 30);
  }

  @Test
  void recordsThatDoNotFitIntoMemory() throws StorageException {
    load(1, 10_000);
  }

  @Test
  void everyPartitionGetsItsOwn() throws StorageException {
    load(3, 10_000);
  }

  @Test
  void whatIsRefusedDoesNotEndTheLoad() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options(1));
      try (SortingLoader loader = dataset.bulkLoadUnsorted(1 << 20)) {
        loader.add(TestStore.bytes(json(2, 2)));
        for (String refused : List.of("", "{", "[]", "{\"n\":1}", "{\"id\":null}")) {
          assertThrows(RequestException.class, () -> loader.add(TestStore.bytes(refused)), refused);
        }
        String over = "{\"id\":\"" + "k".repeat(100_000) + "\"}";
        assertThrows(LimitException.class, () -> loader.add(TestStore.bytes(over)));
        loader.add(TestStore.bytes(json(1, 1)));
        assertEquals(2, loader.finish());
      }
      assertEquals(2, TestStore.records(dataset.scan(KeyRange.all())).size());
      ConflictException full =
          assertThrows(ConflictException.class, () -> dataset.bulkLoadUnsorted(1 << 20).close());
      assertEquals(ConflictException.Reason.NOT_EMPTY, full.reason());
    }
  }

  @Test
  void whatIsNotFinishedLeavesNothing() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options(1));
      try (SortingLoader loader = dataset.bulkLoadUnsorted(100)) {
        for (int id = 0; id < 50; id++) {
          loader.add(TestStore.bytes(json(50 - id, id)));
        }
      }
      assertTrue(TestStore.records(dataset.scan(KeyRange.all())).isEmpty());
      dataset.insert(TestStore.bytes(json(1, 1)));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  /** Adds a record with so many new words that a few hundred of them do not fit into memory. */
  private static void addWords(SortingLoader loader, int id) throws StorageException {
    StringBuilder words = new StringBuilder("all ");
    for (int i = 0; i < 1_000; i++) {
      words.append('w').append((id * 1_000 + i) * 7 % 1_000_003).append(' ');
    }
    loader.add(TestStore.bytes("{\"id\":%d,\"n\":%d,\"text\":\"%s\"}".formatted(id, id, words)));
  }

  @Test
  void entriesThatDoNotFitIntoMemoryAreAllLoadedOrNone() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset dataset = engine.createDataset(options(1));
      // While a run is written beside the load, and while runs are merged into the component.
      for (String plan :
          List.of(
              "write *sort-* 3 ENOSPC",
              "read *sort-* 1 EIO",
              "read *sort-* 40 EIO",
              "write *.building 5 ENOSPC")) {
        store.faults.setPlan(plan);
        assertThrows(DiskException.class, () -> loadWords(dataset), plan);
        store.faults.setPlan("");
        assertTrue(TestStore.records(dataset.scan(KeyRange.all())).isEmpty(), plan);
      }
      assertEquals(WORDY_RECORDS, loadWords(dataset));
      assertEquals(
          WORDY_RECORDS,
          TestStore.keys(dataset.search("keyword:text", TextSearch.allWords("all"))).size());
      assertEquals(List.of(), engine.verify().problems());
    }
    store.faults.assertNothingOpen();
  }

  private static long loadWords(Dataset dataset) throws StorageException {
    try (SortingLoader loader = dataset.bulkLoadUnsorted(1 << 20)) {
      for (int id = 0; id < WORDY_RECORDS; id++) {
        addWords(loader, id);
      }
      return loader.finish();
    }
  }
}
