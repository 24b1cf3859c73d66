package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

/** A search whose candidates take several batches, while the records that it finds change. */
class LongSearchTest {
  /** More than two batches of 65,536. */
  private static final int RECORDS = 140_000;

  private final TestStore store = TestStore.empty(1);

  @Test
  void aRecordThatChangesDuringASearchIsFoundOnce() throws StorageException {
    try (StorageEngine engine = store.open(options())) {
      Dataset dataset = filled(engine);
      checkFound(dataset, dataset.search("n", ValueRange.all()));
    }
  }

  @Test
  void soIsItsKeyWhereEntriesOnDiskDecide() throws StorageException {
    try (StorageEngine engine = store.open(options())) {
      Dataset dataset = filled(engine);
      dataset.flush();
      for (int id = RECORDS - 20_000; id < RECORDS; id++) {
        put(dataset, id, 2 * RECORDS + id);
      }
      checkFound(dataset, dataset.searchKeys("n", ValueRange.all()));
      assertTrue(engine.verify().clean());
    }
  }

  @Test
  void soIsItsKeyWhileAnotherThreadChangesAll() throws Exception {
    EngineSeams seams =
        new EngineSeams(
            new MemoryFileSystem(), new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1));
    try (StorageEngine engine = StorageEngine.open(options(), seams)) {
      Dataset dataset = filled(engine);
      dataset.flush();
      ExecutorService thread = Executors.newSingleThreadExecutor();
      try {
        Future<?> writer =
            thread.submit(
                () -> {
                  for (int id = 0; id < RECORDS; id++) {
                    put(dataset, id, 2 * RECORDS + id);
                  }
                  return null;
                });
        do {
          List<Key> keys = Counted.keys(dataset.searchKeys("n", ValueRange.all()));
          assertEquals(RECORDS, keys.size());
          assertEquals(RECORDS, Set.copyOf(keys).size());
        } while (!writer.isDone());
        writer.get();
      } finally {
        thread.shutdownNow();
      }
      assertTrue(engine.verify().clean());
    }
  }

  private static EngineOptions options() {
    return TestStore.options().logRetentionBytes(1 << 30).build();
  }

  private static Dataset filled(StorageEngine engine) throws StorageException {
    Dataset dataset =
        engine.createDataset(
            DatasetOptions.of("d", "id")
                .withIndexes(List.of(IndexDefinition.on("n")))
                .withMemoryBytes(60 << 20));
    for (int id = 0; id < RECORDS; id++) {
      put(dataset, id, id);
    }
    return dataset;
  }

  private static void checkFound(Dataset dataset, KeyCursor opened) throws StorageException {
    BitSet found = new BitSet();
    try (KeyCursor cursor = opened) {
      for (int count = 0; cursor.next(); count++) {
        int id = (int) DatasetModel.id(cursor);
        assertTrue(!found.get(id), id + " twice");
        found.set(id);
        if (count % 1000 == 0) {
          // One that was found comes again behind the rest, as does one that will be, and one
          // that will be comes in front, where nobody looks any more.
          put(dataset, id, 2 * RECORDS + id);
          put(dataset, (id + 70_500) % RECORDS, 3 * RECORDS + id);
          put(dataset, (id + 400) % RECORDS, -id);
        }
      }
    }
    assertEquals(RECORDS, found.cardinality());
  }

  private static void put(Dataset dataset, int id, int n) throws StorageException {
    dataset.upsert(TestStore.bytes("{\"id\":" + id + ",\"n\":" + n + "}"));
  }
}
