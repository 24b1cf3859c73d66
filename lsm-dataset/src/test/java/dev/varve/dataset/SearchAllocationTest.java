package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a search without results allocates does not grow with the dataset's indexes: the schema is
 * compiled once, and what reads records is made for the first candidate. Nor does a scan's or a
 * search's for keys grow much with the components that it merges, whose cursors leave what they are
 * made of to the next.
 */
class SearchAllocationTest {
  private static final int SEARCHES = 2_000;
  private static final int MOST_BYTES = 1_400;
  private static final int MOST_BYTES_OF_SCAN = 620;
  private static final int MOST_BYTES_OF_KEYS = 3_000;
  private static final int MOST_BYTES_OF_CURSOR = 100;
  private static final int MOST_ROUNDS = 20;

  private static final KeyRange ABSENT = ValueRange.exactly(Key.of(8));

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();

  @Test
  void anEmptySearchAllocatesLittleHoweverManyIndexesThereAre() throws StorageException {
    for (int indexes : List.of(1, 8, 32)) {
      TestStore store = TestStore.empty(Seeds.one(11));
      try (StorageEngine engine = store.open()) {
        Dataset dataset = engine.createDataset(options(indexes));
        dataset.insert(TestStore.bytes("{\"id\":1,\"f0\":7}"));
        long bytes = allocated(MOST_BYTES, () -> searches(dataset));
        assertTrue(bytes <= MOST_BYTES, bytes + " bytes with " + indexes + " indexes");
      }
    }
  }

  @Test
  void aScanAllocatesLittleHoweverManyComponentsThereAre() throws StorageException {
    for (int components : List.of(1, 10)) {
      TestStore store = TestStore.empty(Seeds.one(12));
      try (StorageEngine engine = store.open()) {
        KeyValueStore pairs =
            engine.createKeyValueStore(
                "pairs", KeyValueOptions.DEFAULTS.withMergePolicy(new MergePolicyOptions("none")));
        for (int i = 0; i < 100 * components; i++) {
          pairs.put(TestStore.bytes("key " + i % 7 + " " + i), TestStore.bytes("value"));
          if (i % 100 == 99) {
            pairs.flush();
          }
        }
        int most = MOST_BYTES_OF_SCAN + components * MOST_BYTES_OF_CURSOR;
        long bytes = allocated(most, () -> scans(pairs));
        assertTrue(bytes <= most, bytes + " bytes with " + components + " components");
      }
    }
  }

  @Test
  void aSearchForKeysAllocatesLittleHoweverManyComponentsThePrimaryHas() throws StorageException {
    for (int components : List.of(1, 10)) {
      TestStore store = TestStore.empty(Seeds.one(13));
      try (StorageEngine engine = store.open()) {
        Dataset dataset =
            engine.createDataset(options(1).withMergePolicy(new MergePolicyOptions("none")));
        for (int i = 0; i < components; i++) {
          dataset.insert(TestStore.bytes("{\"id\":" + i + ",\"f0\":7}"));
          dataset.flush();
        }
        int most = MOST_BYTES_OF_KEYS + components * MOST_BYTES_OF_CURSOR;
        long bytes = allocated(most, () -> keySearches(dataset));
        assertTrue(bytes <= most, bytes + " bytes with " + components + " components");
      }
    }
  }

  /** What is done in a round. */
  @FunctionalInterface
  private interface Round {
    void run() throws StorageException;
  }

  /** The bytes that a search of a round allocates: fewer when more of it is compiled. */
  private long allocated(int enough, Round searches) throws StorageException {
    long bytes = Long.MAX_VALUE;
    for (int round = 0; round < MOST_ROUNDS && bytes > enough; round++) {
      long before = threads.getCurrentThreadAllocatedBytes();
      searches.run();
      bytes = Math.min(bytes, (threads.getCurrentThreadAllocatedBytes() - before) / SEARCHES);
    }
    return bytes;
  }

  private static DatasetOptions options(int indexes) {
    List<IndexDefinition> definitions = new ArrayList<>();
    for (int i = 0; i < indexes; i++) {
      definitions.add(IndexDefinition.on("f" + i));
    }
    return DatasetOptions.of("many", "id").withIndexes(definitions).withMemoryBytes(8 << 20);
  }

  private static void searches(Dataset dataset) throws StorageException {
    for (int i = 0; i < SEARCHES; i++) {
      try (RecordCursor cursor = dataset.search("f0", ABSENT)) {
        assertFalse(cursor.next());
      }
    }
  }

  private static void keySearches(Dataset dataset) throws StorageException {
    for (int i = 0; i < SEARCHES; i++) {
      try (KeyCursor cursor = dataset.searchKeys("f0", ValueRange.exactly(Key.of(7)))) {
        assertTrue(cursor.next());
      }
    }
  }

  private static void scans(KeyValueStore pairs) throws StorageException {
    for (int i = 0; i < SEARCHES; i++) {
      try (RecordCursor cursor = pairs.scan(KeyRange.all())) {
        assertTrue(cursor.next());
      }
    }
  }
}
