package dev.varve.dataset;

import static dev.varve.dataset.KeyValueModel.slice;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.ForwardingFile;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Savepoint;
import dev.varve.dataset.model.ValueChange;
import dev.varve.dataset.model.WriteBatch;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.KeyValueOptions.Operator;
import dev.varve.transaction.log.Durability;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Goal: operands that are merged without a look at values come to what a read and a write of each
 * would have come to, for every reader, and after flushes, merges, aborts and crashes.
 */
class MergeOperandTest {
  private final TestStore store = TestStore.empty(7);

  private static KeyValueOptions options(Operator operator) {
    return KeyValueModel.options().withOperator(operator);
  }

  private static byte[] bytes(String text) {
    return slice(text).toByteArray();
  }

  private static byte[] count(long count) {
    byte[] bytes = new byte[Long.BYTES];
    Bytes.putLongBigEndian(bytes, 0, count);
    return bytes;
  }

  private static OptionalLong counted(KeyValueStore counters, String key) throws StorageException {
    return counters.get(bytes(key)).stream().mapToLong(v -> Bytes.getLongBigEndian(v, 0)).findAny();
  }

  private static void assertCount(long expected, KeyValueStore counters, String key)
      throws StorageException {
    assertEquals(OptionalLong.of(expected), counted(counters, key), key);
  }

  @Test
  void operandsAddToACounterWhereverItIs() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore counters = engine.createKeyValueStore("c", options(Operator.ADD_LONG));
      counters.merge(bytes("new"), count(5));
      counters.put(bytes("put"), count(100));
      assertCount(5, counters, "new");
      counters.flush();
      counters.merge(bytes("new"), count(-7));
      counters.merge(bytes("put"), count(1));
      assertCount(-2, counters, "new");
      counters.delete(slice("put"));
      counters.merge(bytes("put"), count(3));
      assertCount(3, counters, "put");
      counters.flush();
      counters.merge(bytes("new"), count(Long.MAX_VALUE));
      counters.merge(bytes("new"), count(4));
      assertCount(Long.MIN_VALUE + 1, counters, "new");
      assertEquals(2, counters.count(KeyRange.all()));
      counters.compact();
      assertCount(Long.MIN_VALUE + 1, counters, "new");
      assertCount(3, counters, "put");
      assertTrue(counters.exists(bytes("new")));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void theGreatestOrTheLeastStays() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore greatest = engine.createKeyValueStore("g", options(Operator.MAX));
      KeyValueStore least = engine.createKeyValueStore("l", options(Operator.MIN));
      for (String operand : List.of("m", "\u00ff", "", "mm", "a")) {
        greatest.merge(bytes("k"), bytes(operand));
        least.merge(bytes("k"), bytes(operand.isEmpty() ? "b" : operand));
        greatest.flush();
        least.flush();
      }
      assertEquals("\u00ff", KeyValueModel.get(greatest, "k"));
      assertEquals("a", KeyValueModel.get(least, "k"));
      least.merge(bytes("k"), bytes(""));
      assertEquals("", KeyValueModel.get(least, "k"));
    }
  }

  @Test
  void operandsOfABatchCountAllOrNotAtAll() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore counters = engine.createKeyValueStore("c", options(Operator.ADD_LONG));
      WriteBatch batch =
          new WriteBatch()
              .merge(bytes("a"), count(1))
              .put(bytes("b"), count(10))
              .merge(bytes("b"), count(1))
              .merge(bytes("a"), count(2))
              .remove(bytes("c"))
              .merge(bytes("c"), count(4));
      counters.write(batch);
      counters.write(batch);
      assertCount(6, counters, "a");
      assertCount(11, counters, "b");
      assertCount(4, counters, "c");
      batch.merge(bytes("d"), bytes("short"));
      assertThrows(RequestException.class, () -> counters.write(batch));
      assertCount(6, counters, "a");
    }
    // Without a flush: what was logged is redone.
    TestStore crashed = new TestStore(store.files.crash(0, Seeds.random(1)), 1);
    try (StorageEngine engine = crashed.open()) {
      assertCount(6, engine.keyValueStore("c"), "a");
      assertCount(11, engine.keyValueStore("c"), "b");
    }
  }

  @Test
  void anOperandIsWrittenWithoutAReadWhereAModificationReads() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore counters = engine.createKeyValueStore("c", options(Operator.ADD_LONG));
      counters.put(bytes("k"), count(1));
      counters.flush();
    }
    try (StorageEngine engine = store.open()) {
      KeyValueStore counters = engine.keyValueStore("c");
      assertFalse(counters.exists(bytes("opened, and filtered")));
      long misses = engine.stats().cache().misses();
      counters.merge(bytes("k"), count(1));
      assertEquals(misses, engine.stats().cache().misses());
      counters.modify(bytes("k"), ValueChange.addLong(1));
      assertEquals(misses + 1, engine.stats().cache().misses());
      assertCount(3, counters, "k");
    }
  }

  @Test
  void aTransactionSeesItsOwnOperandsAndTakesThemBack() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore counters = engine.createKeyValueStore("c", options(Operator.ADD_LONG));
      counters.put(bytes("k"), count(1));
      counters.flush();
      counters.merge(bytes("k"), count(1));
      try (EngineSnapshot snapshot = engine.snapshot()) {
        try (KeyValueTransaction transaction = counters.beginTransaction()) {
          transaction.merge(bytes("k"), count(10));
          Savepoint savepoint = transaction.savepoint();
          transaction.merge(bytes("k"), count(100));
          transaction.rollbackTo(savepoint);
          assertEquals(11 + 1, Bytes.getLongBigEndian(transaction.get(bytes("k")).get(), 0));
          assertCount(2, counters, "k");
        }
        assertCount(2, counters, "k");
        counters.merge(bytes("k"), count(1));
        counters.compact();
        assertEquals(2, Bytes.getLongBigEndian(snapshot.get(counters, bytes("k")).get(), 0));
      }
      assertCount(3, counters, "k");
    }
  }

  @Test
  void whatIsNoOperandOfTheStoreIsRefused() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore plain = engine.createKeyValueStore("plain", KeyValueModel.options());
      assertUnsupported("has no operator", () -> plain.merge(bytes("k"), count(1)));
      WriteBatch batch = new WriteBatch().put(bytes("k"), count(1)).merge(bytes("k"), count(1));
      assertUnsupported("has no operator", () -> plain.write(batch));
      try (KeyValueTransaction transaction = plain.beginTransaction()) {
        assertUnsupported("has no operator", () -> transaction.merge(bytes("k"), count(1)));
      }
      assertEquals(0, plain.count(KeyRange.all()));

      KeyValueStore counters = engine.createKeyValueStore("c", options(Operator.ADD_LONG));
      counters.put(bytes("k"), count(1));
      assertUnsupported("all have 8", () -> counters.merge(bytes("k"), bytes("1")));
      assertUnsupported("all have 8", () -> counters.put(bytes("k"), bytes("a long value")));
      assertUnsupported(
          "all have 8", () -> counters.modify(bytes("k"), ValueChange.append(bytes("1"))));
      try (KeyValueTransaction transaction = counters.beginTransaction()) {
        assertUnsupported("all have 8", () -> transaction.merge(bytes("k"), bytes("1")));
        assertUnsupported("all have 8", () -> transaction.upsert(bytes("k"), bytes("1")));
      }
      try (KeyValueLoader loader =
          engine.createKeyValueStore("l", options(Operator.ADD_LONG)).bulkLoad()) {
        assertUnsupported("all have 8", () -> loader.add(bytes("k"), bytes("1")));
      }
      assertCount(1, counters, "k");
    }
  }

  private static void assertUnsupported(String problem, Executable refused) {
    RequestException e = assertThrows(RequestException.class, refused);
    assertEquals(RequestException.Reason.UNSUPPORTED, e.reason());
    assertTrue(String.valueOf(e.getMessage()).contains(problem), e.getMessage());
  }

  @Test
  void theOperatorIsSaidWhenAStoreIsCreatedAndStays() throws StorageException {
    try (StorageEngine engine = store.open()) {
      engine.createKeyValueStore("c", options(Operator.ADD_LONG)).merge(bytes("k"), count(1));
      engine.createKeyValueStore("plain", KeyValueModel.options());
    }
    try (StorageEngine engine = store.open()) {
      for (KeyValueStore same :
          List.of(
              engine.openKeyValueStore("c", options(Operator.ADD_LONG)),
              engine.openKeyValueStore("c", KeyValueModel.options()))) {
        same.merge(bytes("k"), count(1));
      }
      assertCount(3, engine.keyValueStore("c"), "k");
      for (String name : List.of("c", "plain")) {
        ConflictException other =
            assertThrows(
                ConflictException.class,
                () -> engine.openKeyValueStore(name, options(Operator.MAX)));
        assertEquals(ConflictException.Reason.OPTIONS_MISMATCH, other.reason());
      }
    }
    KeyValueOptions counters = options(Operator.ADD_LONG);
    assertThrows(IllegalArgumentException.class, () -> counters.withTimeToLive(Duration.ofDays(1)));
  }

  @Test
  void valuesOfTheLongestLengthAreStoredWithTheirFrame() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore greatest = engine.createKeyValueStore("g", options(Operator.MAX));
      byte[] longest = new byte[(32 << 10) - 1];
      greatest.put(bytes("k"), longest);
      greatest.flush();
      assertEquals(longest.length, greatest.get(bytes("k")).get().length);
      assertThrows(LimitException.class, () -> greatest.merge(bytes("k"), new byte[32 << 10]));
    }
  }

  @Test
  void aLoadedValueIsWhatOperandsAreAbout() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore counters = engine.createKeyValueStore("c", options(Operator.ADD_LONG));
      try (KeyValueLoader loader = counters.bulkLoad()) {
        loader.add(bytes("a"), count(1));
        loader.add(bytes("b"), count(2));
        loader.finish();
      }
      counters.merge(bytes("b"), count(10));
      assertCount(1, counters, "a");
      assertCount(12, counters, "b");
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  /** Does something once, in the next read of a file. */
  private record Interrupted(FileSystem files, AtomicReference<Runnable> next)
      implements ForwardingFileSystem {
    @Override
    public StorageFile opened(StorageFile file) {
      return new Read(file, next);
    }

    private record Read(StorageFile file, AtomicReference<Runnable> next)
        implements ForwardingFile {
      @Override
      public int read(long position, byte[] target, int offset, int length) throws DiskException {
        next.getAndSet(() -> {}).run();
        return file.read(position, target, offset, length);
      }
    }
  }

  /**
   * A component claims the log up to its seal only, and an operand that is logged behind that is
   * redone although the component has it. A writer is in between when it reads for a snapshot.
   */
  @Test
  void anOperandThatIsLoggedBehindTheSealOfItsComponentCountsOnce() throws StorageException {
    for (boolean batched : new boolean[] {false, true}) {
      TestStore disk = TestStore.empty(7);
      try (StorageEngine engine = disk.open()) {
        engine.createKeyValueStore("c", options(Operator.ADD_LONG)).put(bytes("k"), count(100));
        engine.keyValueStore("c").flush();
      }
      AtomicReference<Runnable> interruption = new AtomicReference<>(() -> {});
      EngineSeams seams =
          new EngineSeams(
                  new Interrupted(disk.files, interruption),
                  disk.clock,
                  disk.executor,
                  Seeds.random(1))
              .withLimits(ProcessLimits.NONE);
      try (StorageEngine engine = StorageEngine.open(TestStore.options().build(), seams)) {
        KeyValueStore counters = engine.keyValueStore("c");
        counters.put(bytes("other"), count(1));
        // It stays in memory, and holds the log from here on.
        engine.createKeyValueStore("other", KeyValueModel.options()).put(bytes("k"), bytes("v"));
        List<Boolean> sealed = new ArrayList<>();
        try (EngineSnapshot snapshot = engine.snapshot();
            KeyValueSession session = counters.openSession(Durability.POWER_LOSS)) {
          interruption.set(
              () -> {
                counters.managed.writeBuffer().seal();
                sealed.add(true);
              });
          if (batched) {
            session.write(
                new WriteBatch().merge(bytes("k"), count(1)).merge(bytes("new"), count(1)));
          } else {
            session.merge(bytes("k"), count(1));
          }
          session.force();
          assertEquals(100, Bytes.getLongBigEndian(snapshot.get(counters, bytes("k")).get(), 0));
        }
        assertEquals(List.of(true), sealed);
        disk.executor.runUntilIdle();
        assertEquals(1, TestStore.index(counters).flushes());
        assertCount(101, counters, "k");
        TestStore crashed = new TestStore(disk.files.crash(0, Seeds.random(1)), 1);
        try (StorageEngine again = crashed.open()) {
          assertTrue(again.stats().recovery().redoneOperations() > 0);
          assertCount(101, again.keyValueStore("c"), "k");
          assertEquals(
              batched ? OptionalLong.of(1) : OptionalLong.empty(),
              counted(again.keyValueStore("c"), "new"));
          assertEquals(List.of(), again.verify().problems());
        }
      }
    }
  }

  @Test
  void operandsOfManyThreadsAllCountBesideFlushesAndAfterAPowerLoss() throws Exception {
    MemoryFileSystem files = new MemoryFileSystem();
    int threads = 4;
    int each = 1500;
    try (StorageEngine engine = threaded(files)) {
      KeyValueStore counters =
          engine.createKeyValueStore("c", options(Operator.ADD_LONG).withMemoryBytes(128 << 10));
      ExecutorService pool = Executors.newFixedThreadPool(threads + 1);
      try {
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          writers.add(
              pool.submit(
                  () -> {
                    for (int n = 0; n < each; n++) {
                      counters.merge(bytes("k" + n % 3), count(1));
                    }
                    return null;
                  }));
        }
        while (!writers.stream().allMatch(Future::isDone)) {
          counters.flush();
          counters.get(bytes("k0"));
        }
        for (Future<?> writer : writers) {
          writer.get();
        }
      } finally {
        pool.shutdownNow();
      }
      checkSum(counters, (long) threads * each);
      try (StorageEngine crashed = threaded(files.crash(0, Seeds.random(1)))) {
        checkSum(crashed.keyValueStore("c"), (long) threads * each);
        assertEquals(List.of(), crashed.verify().problems());
      }
    }
  }

  private static void checkSum(KeyValueStore counters, long expected) throws StorageException {
    long sum = 0;
    for (int i = 0; i < 3; i++) {
      sum += counted(counters, "k" + i).orElseThrow();
    }
    assertEquals(expected, sum);
  }

  @MustBeClosed
  private static StorageEngine threaded(MemoryFileSystem files) throws StorageException {
    return StorageEngine.open(
        TestStore.options().lockTimeoutMillis(20_000).build(),
        new EngineSeams(files, new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1)));
  }
}
