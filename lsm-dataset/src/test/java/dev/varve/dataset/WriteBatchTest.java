package dev.varve.dataset;

import static dev.varve.dataset.KeyValueModel.slice;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.varve.btree.KeyRange;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.internal.partition.RefusingWriters;
import dev.varve.dataset.internal.partition.SessionWriter;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.WriteBatch;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: a batch is made as a whole or not at all, for snapshots, for other writers and where it is
 * refused. What it leaves in the end and at crashes is seen by {@code KeyValueModelTest} and {@code
 * KeyValueCrashTest}.
 */
final class WriteBatchTest {
  private static final int KEYS = 20;

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void theLastChangeOfAKeyCountsAndABatchMayBeWrittenAgain() throws StorageException {
    try (StorageEngine engine = TestStore.empty(1).open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueModel.options());
      WriteBatch batch =
          new WriteBatch()
              .put(bytes("a"), bytes("1"))
              .remove(bytes("b"))
              .put(bytes("b"), bytes("2"))
              .put(bytes("a"), bytes("3"))
              .remove(bytes("c"));
      assertEquals(5 + 3, batch.bytes());
      for (int i = 0; i < 2; i++) {
        pairs.put(bytes("c"), bytes("4"));
        pairs.write(batch);
        assertEquals("3", KeyValueModel.get(pairs, "a"));
        assertEquals("2", KeyValueModel.get(pairs, "b"));
        assertEquals(2, pairs.count(KeyRange.all()));
      }
      batch.clear();
      pairs.write(batch);
      assertEquals(0, batch.bytes());
    }
  }

  @Test
  void oneThatIsRefusedChangesNothingAndKeepsNoLock() throws StorageException {
    try (StorageEngine engine = TestStore.empty(1).open()) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", KeyValueModel.options().withLargeValueBytes(0));
      pairs.put(bytes("b"), bytes("old"));
      WriteBatch batch =
          new WriteBatch().put(bytes("a"), bytes("new")).put(bytes("b"), bytes("new"));
      try (KeyValueTransaction other = pairs.beginTransaction();
          KeyValueSession session = pairs.openSession()) {
        other.upsert(slice("b"), slice("other"));
        ConflictException refused =
            assertThrows(ConflictException.class, () -> session.write(batch));
        assertEquals(ConflictException.Reason.LOCK_TIMEOUT, refused.reason());
        pairs.put(bytes("c"), bytes("free"));
        other.upsert(slice("a"), slice("free")); // waits in vain for a lock that was kept
      }
      assertEquals("old", KeyValueModel.get(pairs, "b"));
      batch.put(bytes("d"), new byte[40_000]);
      assertThrows(LimitException.class, () -> pairs.write(batch));
      batch.clear();
      for (int i = 0; i < 20; i++) {
        batch.put(bytes("k" + i), new byte[10_000]);
      }
      assertThrows(LimitException.class, () -> pairs.write(batch));
      assertEquals(2, pairs.count(KeyRange.all()));
    }
  }

  @Test
  void aSnapshotThatIsOpenedInTheMiddleWaitsForTheEnd() throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(1);
    try (StorageEngine engine =
        StorageEngine.open(
            TestStore.options().build(),
            new EngineSeams(
                new MemoryFileSystem(),
                new SystemClock(),
                new ThreadTaskExecutor(),
                Seeds.random(1)))) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", KeyValueModel.options());
      List<Future<List<String>>> seen = new ArrayList<>();
      Callable<List<String>> look =
          () -> {
            try (EngineSnapshot snapshot = engine.snapshot();
                RecordCursor cursor = snapshot.scan(pairs, KeyRange.all())) {
              return KeyValueModel.texts(cursor);
            }
          };
      try (SessionWriter writer =
          RefusingWriters.watched(
              pairs.managed.lifecycles().get(0),
              key -> {
                if (key.sameBytes(slice("b"))) {
                  seen.add(threads.submit(look));
                  LockSupport.parkNanos(100_000_000);
                }
              })) {
        writer.writeAll(new WriteBatch().put(bytes("a"), bytes("1")).put(bytes("b"), bytes("1")));
        writer.force();
      }
      assertEquals(2, seen.get(0).get().size());
    } finally {
      threads.shutdownNow();
    }
  }

  /** Each batch gives all keys one value; a snapshot that shows two has met half of one. */
  @Test
  void snapshotsShowAllOfABatchOrNothing() throws Exception {
    long seed = Seeds.one(3);
    ExecutorService threads = Executors.newFixedThreadPool(2);
    AtomicBoolean writing = new AtomicBoolean(true);
    try (StorageEngine engine =
        StorageEngine.open(
            TestStore.options().lockTimeoutMillis(20_000).build(),
            new EngineSeams(
                new MemoryFileSystem(),
                new SystemClock(),
                new ThreadTaskExecutor(),
                Seeds.random(1)))) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", KeyValueModel.options().withMemoryBytes(128 << 10));
      pairs.write(all(Seeds.random(seed), "begin"));
      List<Future<?>> writers = new ArrayList<>();
      for (int writer = 0; writer < 2; writer++) {
        RandomGenerator random = Seeds.random(seed + writer);
        String name = "w" + writer + "-";
        writers.add(
            threads.submit(
                () -> {
                  for (int i = 0; writing.get(); i++) {
                    pairs.write(all(random, name + i));
                  }
                  return null;
                }));
      }
      for (int i = 0; i < 300; i++) {
        try (EngineSnapshot snapshot = engine.snapshot();
            RecordCursor cursor = snapshot.scan(pairs, KeyRange.all())) {
          String first = null;
          int count = 0;
          while (cursor.next()) {
            String value = new String(cursor.value().toByteArray(), StandardCharsets.UTF_8);
            first = first == null ? value : first;
            assertEquals(first, value);
            count++;
          }
          assertEquals(KEYS, count);
        }
      }
      writing.set(false);
      for (Future<?> writer : writers) {
        writer.get();
      }
      assertEquals(List.of(), engine.verify().problems());
    } finally {
      writing.set(false);
      threads.shutdownNow();
    }
  }

  /** All keys in an order of their own, as others have them in another one. */
  private static WriteBatch all(RandomGenerator random, String value) {
    WriteBatch batch = new WriteBatch();
    int first = random.nextInt(KEYS);
    for (int i = 0; i < KEYS; i++) {
      batch.put(bytes("k" + (first + i) % KEYS), bytes(value));
    }
    return batch;
  }
}
