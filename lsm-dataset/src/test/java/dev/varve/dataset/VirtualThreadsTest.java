package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueChange;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: every call may be made by a virtual thread; one that waits in the engine gives its carrier
 * to others. Method: many more of them than carriers wait for a lock whose holder is one of them,
 * too, and goes on only when all of them wait: were carriers kept, it never would. Where there are
 * no virtual threads (before Java 21), threads of the system do the same.
 */
final class VirtualThreadsTest {
  private static final int WAITING = 1000;
  private static final int OPERATIONS = 5000;
  private static final byte[] COUNTER = TestStore.bytes("counter");
  private static final byte[] HELD = TestStore.bytes("held");

  private final ExecutorService threads = threads();

  private static ExecutorService threads() {
    try {
      return (ExecutorService)
          Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
    } catch (NoSuchMethodException e) {
      return Executors.newCachedThreadPool();
    } catch (ReflectiveOperationException e) {
      throw new LinkageError("a method of the JDK", e);
    }
  }

  @AfterEach
  void stop() {
    threads.shutdownNow();
  }

  private void all(int count, Callable<?> operation) throws Exception {
    List<Future<?>> futures = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      futures.add(threads.submit(operation));
    }
    for (Future<?> future : futures) {
      future.get();
    }
  }

  private static StorageEngine open(Path directory) throws StorageException {
    EngineOptions options =
        TestStore.options(directory)
            .lockTimeoutMillis(120_000)
            .durability(Durability.PROCESS_CRASH)
            .build();
    return StorageEngine.open(options);
  }

  @Test
  void waitingForALockKeepsNoCarrier(@TempDir Path directory) throws Exception {
    try (StorageEngine engine = open(directory)) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(8 << 20));
      CountDownLatch locked = new CountDownLatch(1);
      Future<?> holder =
          threads.submit(
              () -> {
                try (KeyValueTransaction transaction = pairs.beginTransaction()) {
                  transaction.upsert(HELD, new byte[Long.BYTES]);
                  locked.countDown();
                  while (engine.parts().node().locks().stats().waits() < WAITING) {
                    LockSupport.parkNanos(1_000_000);
                  }
                  transaction.commit();
                }
                return true;
              });
      locked.await();
      all(WAITING, () -> pairs.modify(HELD, ValueChange.addLong(1)));
      holder.get();
      assertArrayEquals(
          ValueChange.addLong(WAITING).of(Optional.empty()).orElseThrow(),
          pairs.get(HELD).orElseThrow());
    }
  }

  @Test
  void thousandsWriteAndReadAtOnce(@TempDir Path directory) throws Exception {
    try (StorageEngine engine = open(directory)) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(8 << 20));
      Dataset people = engine.createDataset(TestStore.people().withPartitions(2));
      people.upsert(TestStore.person(1, "Ada", "London", 0));
      all(
          OPERATIONS,
          () -> {
            pairs.modify(COUNTER, ValueChange.addLong(1));
            people.patch(
                Key.of(1), TestStore.bytes("{\"age\":" + pairs.count(KeyRange.all()) + "}"));
            return people.get(Key.of(1)).orElseThrow();
          });
      assertArrayEquals(
          ValueChange.addLong(OPERATIONS).of(Optional.empty()).orElseThrow(),
          pairs.get(COUNTER).orElseThrow());
      assertArrayEquals(
          TestStore.person(1, "Ada", "London", 1), people.get(Key.of(1)).orElseThrow());
      assertEquals(List.of(), engine.verify().problems());
    }
  }
}
