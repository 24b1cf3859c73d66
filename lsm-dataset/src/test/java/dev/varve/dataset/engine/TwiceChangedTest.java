package dev.varve.dataset.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.partition.TransactionScope;
import dev.varve.dataset.record.Key;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What a transaction did to a key before it changed the key again is never seen, though it stands
 * in memory until then, and though the transaction may have committed and released its locks when a
 * reader of that state looks for them.
 */
@Tag("slow")
class TwiceChangedTest {
  private static final int TRANSACTIONS = 30_000;

  /** More than processors, so that one is interrupted between what it reads and what it checks. */
  private static final int READERS = 6;

  private final AtomicBoolean writing = new AtomicBoolean(true);

  @Test
  void aRecordThatIsDeletedAndPutAgainIsNeverSeenGone() throws Exception {
    EngineOptions options = TestStore.options().durability(Durability.NONE).build();
    EngineSeams seams =
        new EngineSeams(
            new MemoryFileSystem(), new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1));
    try (StorageEngine engine = StorageEngine.open(options, seams)) {
      Dataset people = engine.createDataset(TestStore.people());
      people.insert(TestStore.person(1, "a", "x", 1));
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        List<Future<Long>> readers = new ArrayList<>();
        for (int i = 0; i < READERS; i++) {
          readers.add(threads.submit(() -> gone(people)));
        }
        try {
          write(people);
        } finally {
          writing.set(false);
        }
        for (Future<Long> reader : readers) {
          assertEquals(0, reader.get());
        }
      } finally {
        threads.shutdownNow();
      }
      assertEquals(0, engine.verify().problems().size());
    }
  }

  private static void write(Dataset people) throws StorageException {
    Slice key = Key.of(1).toSlice();
    Slice record = new Slice(TestStore.person(1, "a", "x", 1));
    for (int i = 0; i < TRANSACTIONS; i++) {
      try (TransactionScope scope = people.partition(0).beginTransaction()) {
        scope.delete(key);
        scope.upsert(record);
        scope.commit();
      }
    }
  }

  /** How often a reader did not find the record. */
  private long gone(Dataset people) throws StorageException {
    long reads = 0;
    long gone = 0;
    while (writing.get()) {
      reads++;
      if (people.get(Key.of(1)).isEmpty()) {
        gone++;
      }
    }
    assertTrue(reads > 0);
    return gone;
  }
}
