package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.ValueChange;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import jdk.jfr.Recording;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: every call may be made by a virtual thread; one that waits in the engine gives its carrier
 * to others. Method: many more of them than carriers wait for a lock whose holder is one of them,
 * too, and goes on only when all of them wait: were carriers kept, it never would. And thousands
 * wait for locks, forces, flushes and reads of the disk, while Java's flight recorder notes every
 * wait, however short, that kept a carrier: none is the engine's. Where there are no virtual
 * threads (before Java 21), threads of the system do the same, but for what is noted.
 */
final class VirtualThreadsTest {
  private static final int WAITING = 1000;
  private static final int OPERATIONS = 5000;
  private static final int MANY = 10_000;
  private static final String PINNED = "jdk.VirtualThreadPinned";
  private static final byte[] COUNTER = TestStore.bytes("counter");
  private static final byte[] HELD = TestStore.bytes("held");

  private static final boolean VIRTUAL = Runtime.version().feature() >= 21;

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

  @Test
  void tenThousandThatWaitForLocksForcesAndReadsPinNoCarrier(@TempDir Path directory)
      throws Exception {
    assumeTrue(VIRTUAL);
    Path recorded = directory.resolve("pinned.jfr");
    EngineOptions options =
        TestStore.options(directory.resolve("node")).lockTimeoutMillis(120_000).build();
    try (StorageEngine engine = StorageEngine.open(options)) {
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
      Dataset people =
          engine.createDataset(TestStore.people().withPartitions(2).withMemoryBytes(2 << 20));
      AtomicInteger numbers = new AtomicInteger();
      Callable<?> operation = () -> work(engine, pairs, people, numbers.getAndIncrement());
      // Classes are loaded, and call sites linked, on carriers that are kept meanwhile.
      all(100, operation);
      try (Recording recording = new Recording()) {
        recording.enable(PINNED).withThreshold(Duration.ZERO).withStackTrace();
        recording.start();
        all(MANY, operation);
        recording.stop();
        recording.dump(recorded);
      }
      assertEquals(MANY + 100, numbers.get());
      assertEquals(
          List.of(),
          RecordingFile.readAllEvents(recorded).stream()
              .filter(event -> event.getEventType().getName().equals(PINNED))
              .map(Object::toString)
              .toList());
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private static Object work(StorageEngine engine, KeyValueStore pairs, Dataset people, int number)
      throws StorageException {
    byte[] key = TestStore.bytes("key " + number);
    pairs.put(key, new byte[500]);
    pairs.modify(TestStore.bytes("counter " + number % 500), ValueChange.addLong(1));
    people.upsert(TestStore.person(number % 500, "n" + number, "London", number % 100));
    if (number % 500 == 250) {
      try (EngineSnapshot snapshot = engine.snapshot()) {
        KeySearch search = new KeySearch(ValueRange.all());
        assertEquals(
            snapshot.count(people, ValueRange.all()), snapshot.countBy(people, "name", search));
      }
    }
    if (number % 500 == 0) {
      pairs.flush();
    }
    return pairs.get(key).orElseThrow();
  }
}
