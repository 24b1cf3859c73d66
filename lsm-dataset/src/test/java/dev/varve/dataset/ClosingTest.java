package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.RankedCursor;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.rtree.query.RegionQuery;
import dev.varve.transaction.log.Durability;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Closing does what it says or throws. Whatever others left open, in one store or in all, and
 * whoever interrupts: what was committed is there when the engine is opened again, most of all
 * without a log that would bring it back.
 */
class ClosingTest {
  private static final int RECORDS = 500;

  private final TestStore store = TestStore.empty(Seeds.one(28));

  private static EngineOptions options(Durability durability) {
    return TestStore.options().durability(durability).build();
  }

  private static Slice slice(String text) {
    return new Slice(TestStore.bytes(text));
  }

  /** A store with records that no disk component has yet. */
  private static KeyValueStore filled(StorageEngine engine, String name) throws StorageException {
    KeyValueStore pairs =
        engine.createKeyValueStore(name, KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
    try (KeyValueSession session = pairs.openSession()) {
      for (int i = 0; i < RECORDS; i++) {
        session.put(slice("key " + i), slice("value " + i));
      }
    }
    return pairs;
  }

  private static ConflictException leftOpen(StorageEngine engine) {
    ConflictException left = assertThrows(ConflictException.class, engine::close);
    assertEquals(ConflictException.Reason.LEFT_OPEN, left.reason());
    return left;
  }

  private void assertAllThere(Durability durability) throws StorageException {
    try (StorageEngine again = store.open(options(durability))) {
      for (String name : again.names()) {
        assertEquals(
            RECORDS, TestStore.keys(again.keyValueStore(name).scan(KeyRange.all())).size(), name);
      }
      assertTrue(again.verify().problems().isEmpty());
      assertEquals(0, again.stats().recovery().redoneOperations());
    }
    store.faults.assertNothingOpen();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void anOpenCursorKeepsNothingFromBeingSaved(Durability durability) throws StorageException {
    StorageEngine engine = store.open(options(durability));
    KeyValueStore first = filled(engine, "first");
    filled(engine, "second");
    first.flush();
    RecordCursor cursor = first.scan(KeyRange.all());
    assertTrue(cursor.next());

    ConflictException left = leftOpen(engine);
    assertTrue(left.getMessage().contains("a cursor in partition 0 of 'first'"), left.getMessage());
    String thread = "by thread '" + Thread.currentThread().getName() + "'";
    assertTrue(left.getMessage().contains(thread), left.getMessage());
    assertFalse(left.getMessage().contains("'second'"), left.getMessage());

    assertThrows(IllegalStateException.class, cursor::next);
    leftOpen(engine);
    cursor.close();
    engine.close();
    assertThrows(IllegalStateException.class, cursor::key);
    assertAllThere(durability);
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void anOpenTransactionIsAbortedAndWhatOthersCommittedIsSaved(Durability durability)
      throws StorageException {
    StorageEngine engine = store.open(options(durability));
    KeyValueStore first = filled(engine, "first");
    filled(engine, "second");
    KeyValueTransaction scope = first.beginTransaction();
    scope.upsert(slice("key 1"), slice("never committed"));
    scope.upsert(slice("a key"), slice("never committed"));

    ConflictException left = leftOpen(engine);
    assertTrue(left.getMessage().contains("a transaction in partition 0 of 'first'"));
    ConflictException aborted = assertThrows(ConflictException.class, scope::commit);
    assertEquals(ConflictException.Reason.ABORTED, aborted.reason());
    assertThrows(ConflictException.class, () -> scope.upsert(slice("b"), slice("c")));
    assertFalse(scope.active());
    scope.close();
    engine.close();
    assertAllThere(durability);
  }

  @Test
  void anOpenBulkLoadIsGivenUp() throws StorageException {
    StorageEngine engine = store.open(options(Durability.NONE));
    filled(engine, "second");
    KeyValueStore loaded =
        engine.createKeyValueStore("loaded", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
    KeyValueLoader loader = loaded.bulkLoad();
    loader.add(slice("a"), slice("b"));

    assertTrue(leftOpen(engine).getMessage().contains("a bulk load in partition 0 of 'loaded'"));
    ConflictException aborted = assertThrows(ConflictException.class, loader::finish);
    assertEquals(ConflictException.Reason.ABORTED, aborted.reason());
    loader.close();
    engine.close();
    store.faults.assertNothingOpen();
    try (StorageEngine again = store.open(options(Durability.NONE))) {
      assertEquals(RECORDS, again.verify().records());
    }
  }

  @Test
  void whatOthersCloseWhileTheEngineWaitsIsNoLeak() throws StorageException {
    StorageEngine engine = store.open(options(Durability.NONE));
    KeyValueStore first = filled(engine, "first");
    RecordCursor cursor = first.scan(KeyRange.all());
    store.executor.start(
        new Worker() {
          @Override
          public String name() {
            return "closer";
          }

          @Override
          public int doWork() {
            cursor.close();
            return 0;
          }

          @Override
          public void failed(Throwable cause) {
            throw new AssertionError(cause);
          }
        });
    engine.close();
    assertAllThere(Durability.NONE);
  }

  @Test
  void anIdleSessionIsNoObstacle() throws StorageException {
    StorageEngine engine = store.open(options(Durability.NONE));
    KeyValueStore first =
        engine.createKeyValueStore("first", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
    KeyValueSession session = first.openSession();
    for (int i = 0; i < RECORDS; i++) {
      session.put(slice("key " + i), slice("value " + i));
    }
    engine.close();
    assertThrows(IllegalStateException.class, () -> session.put(slice("a"), slice("b")));
    session.close();
    assertAllThere(Durability.NONE);
  }

  @Test
  void aTrackedLeakShowsTheStackOfItsOpening() throws StorageException {
    StorageEngine engine = store.open(TestStore.options().trackLeaks().build());
    KeyValueStore first = filled(engine, "first");
    RecordCursor cursor = first.scan(KeyRange.all());
    ConflictException left = leftOpen(engine);
    assertEquals(1, left.getSuppressed().length);
    assertTrue(
        Arrays.stream(left.getSuppressed()[0].getStackTrace())
            .anyMatch(
                frame -> frame.getMethodName().equals("aTrackedLeakShowsTheStackOfItsOpening")));
    cursor.close();
    engine.close();
  }

  @Test
  void afterAFailureThatLosesRecordsClosingThrowsItsCause() throws StorageException {
    StorageEngine engine = store.open(options(Durability.NONE));
    filled(engine, "first");
    AssertionError bug = new AssertionError("maintenance stopped");
    engine.parts().node().health().poison(bug);
    IllegalStateException lost = assertThrows(IllegalStateException.class, engine::close);
    assertEquals(bug, lost.getCause());
    store.faults.assertNothingOpen();
  }

  @ParameterizedTest
  @EnumSource(Durability.class)
  void aClosingThreadThatIsInterruptedSkipsNothing(Durability durability) throws StorageException {
    StorageEngine engine = store.open(options(durability));
    for (int i = 0; i < 5; i++) {
      filled(engine, "store " + i);
    }
    Thread.currentThread().interrupt();
    engine.close();
    assertTrue(Thread.interrupted());
    assertAllThere(durability);
  }

  @Test
  void partitionsOfADatasetAreAllSavedByAnInterruptedThread() throws StorageException {
    StorageEngine engine = store.open(options(Durability.NONE));
    Dataset people = engine.createDataset(TestStore.people().withPartitions(8));
    for (int id = 0; id < RECORDS; id++) {
      people.insert(TestStore.person(id, "a", "x", 1));
    }
    RecordCursor cursor = people.scan(ValueRange.all());
    Thread.currentThread().interrupt();
    leftOpen(engine);
    assertTrue(Thread.interrupted());
    cursor.close();
    engine.close();
    try (StorageEngine again = store.open(options(Durability.NONE))) {
      assertEquals(RECORDS, TestStore.keys(again.dataset("people").scan(ValueRange.all())).size());
      assertTrue(again.verify().problems().isEmpty());
    }
  }

  // ---- With threads

  private static StorageEngine openWithThreads(MemoryFileSystem files) throws StorageException {
    EngineOptions options =
        TestStore.options()
            .durability(Durability.NONE)
            .closeTimeoutMillis(50)
            .lockTimeoutMillis(600_000)
            .build();
    return StorageEngine.open(
        options,
        new EngineSeams(files, new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1)));
  }

  @Test
  void aThreadThatIsInterruptedWhileItClosesSavesEverything() throws Exception {
    MemoryFileSystem files = new MemoryFileSystem();
    StorageEngine engine = openWithThreads(files);
    for (int i = 0; i < 5; i++) {
      filled(engine, "store " + i);
    }
    ExecutorService threads = Executors.newFixedThreadPool(1);
    CountDownLatch begun = new CountDownLatch(1);
    Future<Boolean> interrupted =
        threads.submit(
            () -> {
              begun.countDown();
              engine.close();
              return Thread.interrupted();
            });
    begun.await();
    threads.shutdownNow();
    interrupted.get(1, TimeUnit.MINUTES);
    try (StorageEngine again = openWithThreads(files)) {
      for (String name : again.names()) {
        assertEquals(
            RECORDS, TestStore.keys(again.keyValueStore(name).scan(KeyRange.all())).size());
      }
    }
  }

  @Test
  void anEngineWithAWriteUnderWayIsClosedOnceTheWriteHasReturned() throws Exception {
    MemoryFileSystem files = new MemoryFileSystem();
    StorageEngine engine = openWithThreads(files);
    KeyValueStore first = filled(engine, "first");
    filled(engine, "second");
    KeyValueSession holder = first.openSession();
    holder.put(slice("key 1"), slice("held"));
    ExecutorService threads = Executors.newFixedThreadPool(1);
    Future<?> waiting =
        threads.submit(
            () -> {
              try (KeyValueSession session = first.openSession()) {
                session.put(slice("key 1"), slice("waited for it"));
              }
              return null;
            });
    while (engine.parts().node().locks().stats().waits() == 0) {
      Thread.onSpinWait();
    }
    ConflictException left = leftOpen(engine);
    assertTrue(left.getMessage().contains("is not closed"), left.getMessage());
    assertTrue(left.getMessage().contains("writes under way in partition 0 of 'first': 1"));
    assertTrue(left.getMessage().contains("a write session in partition 0 of 'first'"));
    holder.close();
    waiting.get(1, TimeUnit.MINUTES);
    threads.shutdown();
    engine.close();
    try (StorageEngine again = openWithThreads(files)) {
      assertEquals(2L * RECORDS, again.verify().records());
      assertEquals("waited for it", KeyValueModel.get(again.keyValueStore("first"), "key 1"));
    }
  }

  /** Fills a store and leaves: a hook closes the engine while the process shuts down. */
  static final class Leaving {
    private Leaving() {}

    public static void main(String[] arguments) throws StorageException {
      StorageEngine engine = openFiles(Path.of(arguments[0]));
      Runtime.getRuntime()
          .addShutdownHook(
              new Thread(
                  () -> {
                    Thread.currentThread().interrupt();
                    try {
                      engine.close();
                    } catch (StorageException e) {
                      Runtime.getRuntime().halt(2);
                    }
                  }));
      filled(engine, "first");
    }
  }

  private static StorageEngine openFiles(Path directory) throws StorageException {
    return StorageEngine.open(EngineOptions.builder(directory).durability(Durability.NONE).build());
  }

  @Test
  void aShutdownHookMayCloseTheEngine(@TempDir Path directory) throws Exception {
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                Leaving.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertEquals(0, child.waitFor());
    try (StorageEngine again = openFiles(directory)) {
      assertEquals(RECORDS, again.verify().records());
    }
  }

  // ---- Cursors that are closed

  private static DatasetOptions places() {
    return DatasetOptions.of("places", "id")
        .withMemoryBytes(1 << 20)
        .withIndexes(
            List.of(
                new IndexDefinition("at", IndexKind.parse("rtree"), List.of(FieldPath.parse("at"))),
                new IndexDefinition(
                    "text", IndexKind.parse("keyword"), List.of(FieldPath.parse("text")))));
  }

  @Test
  void everyKindOfCursorRefusesToBeUsedWhenItIsClosedOrAtNoRecord() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people().withPartitions(2));
      people.insert(TestStore.person(1, "a", "x", 1));
      KeyValueStore pairs = filled(engine, "pairs");
      Dataset places = engine.createDataset(places());
      places.insert(TestStore.bytes("{\"id\":1,\"at\":[1,2],\"text\":\"one two\"}"));
      for (RecordCursor cursor :
          new RecordCursor[] {
            pairs.scan(KeyRange.all()),
            people.scan(ValueRange.all()),
            people.partition(people.partitionOf(Key.of(1))).scan(ValueRange.all()),
            people.search("name", ValueRange.all()),
            people.partition(people.partitionOf(Key.of(1))).search("name", ValueRange.all()),
            places.search("at", new NearestSearch(1, 2)),
            places.partition(0).search("at", new NearestSearch(1, 2)),
            places.search("at", new SpatialSearch(RegionQuery.everything())),
            places.search("text", TextSearch.allWords("two")),
          }) {
        assertThrows(IllegalStateException.class, cursor::key);
        assertTrue(cursor.next());
        cursor.key();
        cursor.value();
        if (cursor instanceof RankedCursor ranked) {
          ranked.distance();
        }
        cursor.close();
        cursor.close();
        assertThrows(IllegalStateException.class, cursor::next);
        assertThrows(IllegalStateException.class, cursor::key);
        assertThrows(IllegalStateException.class, cursor::value);
        if (cursor instanceof RankedCursor ranked) {
          assertThrows(IllegalStateException.class, ranked::distance);
        }
      }
      try (RecordCursor atEnd = people.search("name", ValueRange.all())) {
        assertTrue(atEnd.next());
        assertFalse(atEnd.next());
        assertFalse(atEnd.next());
        assertThrows(IllegalStateException.class, atEnd::key);
      }
    }
  }
}
