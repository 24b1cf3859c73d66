package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.BitSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * A search of many candidates, in one batch and in several, while the records that it finds change.
 */
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
  void soIsTheKeyOfOneWhoseChangeIsUndoneWhenItHasBeenFound() throws StorageException {
    try (StorageEngine engine = store.open(options())) {
      Dataset dataset = filled(engine);
      dataset.flush();
      int last = RECORDS - 1;
      BitSet found = new BitSet();
      try (RecordTransaction change = dataset.beginTransaction()) {
        // The entry in memory leads to the record, which still has its old one, at the end.
        change.upsert(record(last, -1));
        try (KeyCursor cursor = dataset.searchKeys("n", ValueRange.all())) {
          while (cursor.next()) {
            int id = (int) DatasetModel.id(cursor);
            assertTrue(!found.get(id), id + " twice");
            found.set(id);
            if (id == last) {
              assertTrue(found.cardinality() < RECORDS / 2, found.cardinality() + " before it");
              change.abort();
            }
          }
        }
      }
      assertEquals(RECORDS, found.cardinality());
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

  /**
   * Runs something in the midst of reading a file.
   *
   * @param files the real ones
   * @param onRead is run by each read
   */
  private record WatchedFiles(FileSystem files, Runnable onRead) implements ForwardingFileSystem {
    @Override
    @MustBeClosed
    @SuppressWarnings("MustBeClosedChecker") // the caller's
    public StorageFile open(Path path, OpenMode mode) throws DiskException {
      StorageFile opened = files.open(path, mode);
      return (StorageFile)
          Proxy.newProxyInstance(
              StorageFile.class.getClassLoader(),
              new Class<?>[] {StorageFile.class},
              (proxy, method, arguments) -> {
                if (method.getName().equals("read")) {
                  onRead.run();
                }
                try {
                  return method.invoke(opened, arguments);
                } catch (InvocationTargetException e) {
                  throw e.getCause();
                }
              });
    }
  }

  @Test
  void aKeyWhoseEntryOnDiskWasPassedIsNotFoundAgainInMemory() throws StorageException {
    int records = 60_000;
    int all = records + 2_000; // in one batch
    int moved = 5;
    AtomicReference<Dataset> searched = new AtomicReference<>();
    AtomicInteger reads = new AtomicInteger();
    Runnable move =
        () -> {
          Dataset dataset = searched.get();
          if (dataset != null && reads.incrementAndGet() == 4) {
            try {
              put(dataset, moved, 3 * records);
            } catch (StorageException e) {
              throw new AssertionError(e);
            }
          }
        };
    EngineSeams seams =
        new EngineSeams(
            new WatchedFiles(store.faults, move), store.clock, store.executor, Seeds.random(1));
    EngineOptions options = TestStore.options().cacheBytes(256 << 10).build();
    try (StorageEngine engine = StorageEngine.open(options, seams)) {
      Dataset dataset =
          engine.createDataset(
              DatasetOptions.of("d", "id")
                  .withIndexes(List.of(IndexDefinition.on("n")))
                  .withMemoryBytes(60 << 20));
      for (int id = 0; id < records; id++) {
        put(dataset, id, id);
      }
      dataset.flush();
      // So many that the search sees the last of them in memory when it comes to them.
      for (int id = records; id < all; id++) {
        put(dataset, id, records + id);
      }
      assertEquals(all, Counted.keys(dataset.searchKeys("n", ValueRange.all())).size());
      searched.set(dataset);
      List<Key> keys = Counted.keys(dataset.searchKeys("n", ValueRange.all()));
      searched.set(null);
      assertTrue(reads.get() > 5, reads + " reads");
      assertEquals(1, keys.stream().filter(Key.of(moved)::equals).count());
      assertEquals(all, keys.size());
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
    dataset.upsert(record(id, n));
  }

  private static byte[] record(int id, int n) {
    return TestStore.bytes("{\"id\":" + id + ",\"n\":" + n + "}");
  }
}
