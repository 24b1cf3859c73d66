package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * What a search without results allocates does not grow with the dataset's indexes: the schema is
 * compiled once, and what reads records is made for the first candidate.
 */
class SearchAllocationTest {
  private static final int SEARCHES = 2_000;
  private static final int MOST_BYTES = 2_136;
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
        long bytes = Long.MAX_VALUE;
        for (int round = 0; round < MOST_ROUNDS && bytes > MOST_BYTES; round++) {
          bytes = Math.min(bytes, allocated(dataset));
        }
        assertTrue(bytes <= MOST_BYTES, bytes + " bytes with " + indexes + " indexes");
      }
    }
  }

  /** The bytes that a search allocates: fewer when more of it is compiled. */
  private long allocated(Dataset dataset) throws StorageException {
    long before = threads.getCurrentThreadAllocatedBytes();
    searches(dataset);
    return (threads.getCurrentThreadAllocatedBytes() - before) / SEARCHES;
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
}
