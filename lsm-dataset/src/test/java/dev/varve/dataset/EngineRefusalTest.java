package dev.varve.dataset;

import static dev.varve.dataset.TestStore.bytes;
import static dev.varve.dataset.TestStore.people;
import static dev.varve.dataset.TestStore.person;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.RecordLimits;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.checkpoint.CheckpointFile;
import dev.varve.transaction.log.LogContext;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/** Wrong input of each kind gets its typed error, which says what is wrong, and changes nothing. */
class EngineRefusalTest {
  private final TestStore store = TestStore.empty(7);

  @Test
  void aRecordThatIsNoneOrOverALimitIsRefusedWhole() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people().withPartitions(2));
      refused(RequestException.Reason.MALFORMED_RECORD, () -> people.insert(bytes("{\"id\":")));
      refused(RequestException.Reason.MALFORMED_RECORD, () -> people.upsert(bytes("{\"x\":1}")));
      refused(
          RequestException.Reason.MALFORMED_RECORD,
          () -> people.insert(bytes("{\"id\":1,\"id\":2}")));
      assertThrows(
          LimitException.class, () -> people.insert(bytes("{\"id\":\"" + "k".repeat(300) + "\"}")));
      assertThrows(
          LimitException.class,
          () -> people.insert(bytes("{\"id\":1,\"name\":\"" + "k".repeat(300) + "\"}")));
      assertThrows(
          LimitException.class,
          () -> people.insert(bytes("{\"id\":1,\"x\":\"" + "k".repeat(40_000) + "\"}")));
      // What is too long to be written may still be deleted, if it is there.
      assertEquals(WriteOutcome.ABSENT, people.delete(Key.of("k".repeat(3000))));
      assertEquals(List.of(), TestStore.keys(people.scan(ValueRange.all())));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aSessionGoesOnAfterARefusedRecord() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      try (RecordSession session = people.partition(0).openSession()) {
        session.insert(new Slice(person(1, "a", "x", 1)));
        refused(
            RequestException.Reason.MALFORMED_RECORD, () -> session.insert(new Slice(bytes("{}"))));
        conflict(
            ConflictException.Reason.DUPLICATE_KEY,
            () -> session.insert(new Slice(person(1, "b", "y", 2))));
        session.insert(new Slice(person(2, "a", "x", 1)));
      }
      assertEquals(List.of(Key.of(1), Key.of(2)), TestStore.keys(people.scan(ValueRange.all())));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void anUnknownNameIsRefused() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS);
      refused(RequestException.Reason.UNKNOWN_DATASET, () -> engine.dataset("nobody"));
      refused(RequestException.Reason.UNKNOWN_DATASET, () -> engine.dataset("pairs"));
      refused(RequestException.Reason.UNKNOWN_DATASET, () -> engine.keyValueStore("people"));
      refused(RequestException.Reason.UNKNOWN_DATASET, () -> engine.drop("nobody"));
      refused(RequestException.Reason.INVALID_NAME, () -> engine.dataset(""));
      refused(
          RequestException.Reason.UNKNOWN_INDEX,
          () -> people.search("age", ValueRange.all()).close());
      conflict(ConflictException.Reason.NAME_EXISTS, () -> engine.createDataset(people()));
      conflict(
          ConflictException.Reason.NAME_EXISTS,
          () -> engine.createKeyValueStore("people", KeyValueOptions.DEFAULTS));
    }
  }

  @Test
  void optionsReportAllProblemsAtOnce() {
    IllegalArgumentException dataset =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                new DatasetOptions(
                    "",
                    List.of(),
                    List.of(IndexDefinition.on("a"), IndexDefinition.on("a")),
                    0,
                    1,
                    MergePolicyOptions.none(),
                    0.9,
                    IndexMaintenance.EAGER,
                    Optional.empty(),
                    Optional.empty(),
                    0));
    for (String problem :
        List.of("name", "primary key", "two indexes", "partitions 0", "memoryBytes 1", "0.9")) {
      assertTrue(String.valueOf(dataset.getMessage()).contains(problem), dataset.getMessage());
    }
    IllegalArgumentException engine =
        assertThrows(
            IllegalArgumentException.class,
            () ->
                TestStore.options()
                    .pageBytes(1000)
                    .cacheBytes(1)
                    .lockTimeoutMillis(-1)
                    .mergeThreads(0)
                    .build());
    for (String problem :
        List.of("pageBytes 1000", "cacheBytes 1", "lockTimeoutMillis -1", "mergeThreads 0")) {
      assertTrue(String.valueOf(engine.getMessage()).contains(problem), engine.getMessage());
    }
  }

  @Test
  void optionsThatContradictTheFilesAreRefused() throws StorageException {
    try (StorageEngine engine = store.open()) {
      engine.openDataset(people());
      engine.openDataset(people().withMemoryBytes(2 << 20));
      conflict(
          ConflictException.Reason.OPTIONS_MISMATCH,
          () -> engine.openDataset(people().withPartitions(2)));
      ConflictException others =
          assertThrows(
              ConflictException.class,
              () -> engine.openDataset(people().withIndexes(List.of(IndexDefinition.on("age")))));
      assertTrue(others.getMessage().endsWith("not [age (btree:age)]"), others.getMessage());
      assertThrows(
          LimitException.class,
          () -> engine.createDataset(DatasetOptions.of("big", "id").withMemoryBytes(1L << 40)));
    }
    conflict(
        ConflictException.Reason.OPTIONS_MISMATCH,
        () -> store.open(TestStore.options().pageBytes(8192).build()).close());
    // Left open, it is what the store was made with; but then other options have to fit that.
    RecordLimits longerKeys = new RecordLimits(32 << 10, 32, 32, 1024);
    EngineOptions.Builder open = TestStore.options().pageBytes(0);
    store.open(open.build()).close();
    conflict(
        ConflictException.Reason.OPTIONS_MISMATCH,
        () -> store.open(open.recordLimits(longerKeys).build()).close());
    store.open().close();
  }

  @Test
  void aNewStoreHasPagesThatItsLongestKeysAndRecordsFit() {
    assertEquals(8192, EngineOptions.of(TestStore.ROOT).newStorePageBytes());
    EngineOptions.Builder longer =
        EngineOptions.builder(TestStore.ROOT).recordLimits(new RecordLimits(1 << 20, 64, 64, 1025));
    assertEquals(16384, longer.build().newStorePageBytes());
    assertThrows(IllegalArgumentException.class, longer.pageBytes(8192)::build);
    // A page has 255 units at most: a longer record would be refused when it is flushed.
    EngineOptions.Builder larger =
        EngineOptions.builder(TestStore.ROOT).recordLimits(new RecordLimits(2 << 20, 64, 64, 256));
    assertEquals(16384, larger.build().newStorePageBytes());
    assertThrows(IllegalArgumentException.class, larger.pageBytes(8192)::build);
  }

  @Test
  void whatWasStoredUnderWiderLimitsIsReadAndDeletedUnderNarrowerOnes() throws StorageException {
    RecordLimits wide = new RecordLimits(32 << 10, 32, 60, 512);
    RecordLimits narrow = new RecordLimits(2 << 10, 2, 4, 32);
    Slice[] pairs = new Slice[4];
    Key[] people = new Key[4];
    try (StorageEngine engine = store.open(TestStore.options().recordLimits(wide).build())) {
      Dataset dataset = engine.createDataset(people().withPartitions(2));
      KeyValueStore kept = engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS);
      try (KeyValueSession session = kept.openSession()) {
        for (int i = 0; i < pairs.length; i++) {
          String id = i + "k".repeat(200);
          pairs[i] = new Slice(bytes(id));
          people[i] = Key.of(id);
          session.put(pairs[i], new Slice(new byte[20 << 10]));
          dataset.insert(
              bytes(
                  "{\"id\":\""
                      + id
                      + "\",\"name\":\""
                      + "n".repeat(150)
                      + "\",\"x\":[[[[1234567890]]]],\"y\":\""
                      + "y".repeat(20 << 10)
                      + "\"}"));
        }
      }
    }
    try (StorageEngine engine = store.open(TestStore.options().recordLimits(narrow).build())) {
      Dataset dataset = engine.dataset("people");
      KeyValueStore kept = engine.keyValueStore("pairs");
      assertThrows(
          LimitException.class, () -> dataset.insert(bytes("{\"id\":\"" + "k".repeat(40) + "\"}")));
      Key name = Key.of("n".repeat(150));
      assertEquals(4, TestStore.keys(dataset.search("name", ValueRange.exactly(name))).size());
      assertEquals(WriteOutcome.PRESENT, dataset.delete(people[0]));
      try (KeyValueSession session = kept.openSession()) {
        assertEquals(WriteOutcome.PRESENT, session.delete(pairs[0]));
        session.remove(pairs[1]);
        session.remove(new Slice(new byte[5000]));
        assertThrows(LimitException.class, () -> session.put(pairs[2], new Slice(new byte[1])));
      }
      try (KeyValueTransaction transaction = kept.beginTransaction()) {
        assertEquals(WriteOutcome.PRESENT, transaction.delete(pairs[2]));
        transaction.commit();
      }
      assertEquals(WriteOutcome.ABSENT, dataset.delete(people[0]));
      assertEquals(3, TestStore.keys(dataset.scan(ValueRange.all())).size());
      assertEquals(3, TestStore.keys(dataset.search("name", ValueRange.exactly(name))).size());
      assertEquals(1, TestStore.keys(kept.scan(KeyRange.all())).size());
      engine.dataset("people").compact();
      kept.compact();
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  @SuppressWarnings("NullAway") // nulls are what it is about
  void whatIsMissingIsNamed() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      missing("record", () -> people.insert(null));
      missing("record", () -> people.upsert(null));
      missing("primaryKey", () -> people.delete(null));
      missing("primaryKey", () -> people.get(null));
      try (RecordSession session = people.partition(0).openSession()) {
        missing("record", () -> session.upsert((Slice) null));
        missing("primaryKey", () -> session.delete(null));
      }
      RequestException unknown =
          assertThrows(
              RequestException.class, () -> people.search("age", ValueRange.all()).close());
      assertEquals(RequestException.Reason.UNKNOWN_INDEX, unknown.reason());
      assertTrue(unknown.getMessage().endsWith("its indexes are [name, home]"));
    }
  }

  private static void missing(String name, Executable call) {
    assertEquals(name, assertThrows(NullPointerException.class, call).getMessage());
  }

  @Test
  void aSecondEngineOnTheDirectoryIsRefused() throws StorageException {
    try (StorageEngine engine = store.open()) {
      conflict(ConflictException.Reason.DIRECTORY_IN_USE, () -> store.open().close());
      engine.createDataset(people()).insert(person(1, "a", "x", 1));
    }
    store.open().close();
  }

  @Test
  void everyCallAfterCloseThrows() throws StorageException {
    StorageEngine engine = store.open();
    Dataset people = engine.createDataset(people());
    people.insert(person(1, "a", "x", 1));
    RecordSession session = people.partition(0).openSession();
    RecordCursor cursor = people.scan(ValueRange.all());
    cursor.close();
    engine.close();
    engine.close();
    for (Executable call :
        List.<Executable>of(
            engine::names,
            engine::stats,
            engine::verify,
            () -> engine.dataset("people"),
            () -> engine.createDataset(people()),
            () -> engine.drop("people"),
            () -> people.get(Key.of(1)),
            () -> people.insert(person(2, "a", "x", 1)),
            () -> people.delete(Key.of(1)),
            () -> people.scan(ValueRange.all()),
            () -> people.search("name", ValueRange.all()),
            people::flush,
            people::compact,
            people::verify,
            people::stats,
            () -> people.partition(0).beginTransaction(),
            () -> people.partition(0).bulkLoad(),
            () -> session.upsert(new Slice(person(3, "a", "x", 1))),
            () -> session.get(Key.of(1)))) {
      assertThrows(IllegalStateException.class, call);
    }
    session.close();
    try (StorageEngine again = store.open()) {
      assertEquals(1, again.verify().records());
    }
  }

  @Test
  void whatWasLeftOpenDoesNotKeepAnEngineFromClosing() throws StorageException {
    StorageEngine engine = store.open();
    Dataset people = engine.createDataset(people());
    people.insert(person(1, "a", "x", 1));
    RecordTransaction scope = people.partition(0).beginTransaction();
    scope.insert(new Slice(person(2, "a", "x", 1)));
    RecordCursor cursor = people.search("name", ValueRange.all());
    conflict(ConflictException.Reason.LEFT_OPEN, engine::close);
    assertThrows(IllegalStateException.class, cursor::next);
    conflict(ConflictException.Reason.ABORTED, scope::commit);
    try (StorageEngine again = store.open()) {
      assertEquals(
          List.of(Key.of(1)), TestStore.keys(again.dataset("people").scan(ValueRange.all())));
      assertEquals(List.of(), again.verify().problems());
    }
  }

  @Test
  void aDroppedDatasetIsGoneForGood() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      people.insert(person(1, "a", "x", 1));
      people.flush();
      people.insert(person(2, "a", "x", 1));
      engine.drop("people");
      assertThrows(IllegalStateException.class, () -> people.get(Key.of(1)));
      assertThrows(IllegalStateException.class, () -> people.insert(person(3, "a", "x", 1)));
      Dataset again = engine.createDataset(people());
      assertEquals(List.of(), TestStore.keys(again.scan(ValueRange.all())));
      again.insert(person(1, "b", "x", 1));
      assertEquals(List.of(), engine.verify().problems());
    }
    try (StorageEngine engine = store.open()) {
      assertEquals(1, engine.verify().records());
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aDatasetInUseIsNotDropped() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      people.insert(person(1, "a", "x", 1));
      try (RecordCursor cursor = people.scan(ValueRange.all())) {
        conflict(ConflictException.Reason.STALLED, () -> engine.drop("people"));
        assertTrue(cursor.next());
      }
      people.insert(person(2, "a", "x", 1));
      engine.drop("people");
      assertEquals(List.of(), engine.names());
    }
  }

  @Test
  void aBulkLoadNeedsAnEmptyPartitionAndSortedInput() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      try (RecordLoader loader = people.partition(0).bulkLoad()) {
        loader.add(new Slice(person(2, "a", "x", 1)));
        refused(
            RequestException.Reason.UNSORTED_INPUT,
            () -> loader.add(new Slice(person(1, "a", "x", 1))));
        refused(
            RequestException.Reason.UNSORTED_INPUT,
            () -> loader.add(new Slice(person(2, "a", "x", 1))));
      }
      assertEquals(List.of(), TestStore.keys(people.scan(ValueRange.all())));
      people.insert(person(5, "a", "x", 1));
      conflict(ConflictException.Reason.NOT_EMPTY, () -> people.partition(0).bulkLoad().close());
      people.insert(person(6, "a", "x", 1));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void aDamagedFileIsRefusedByName() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      people.insert(person(1, "a", "x", 1));
    }
    Path catalog = TestStore.ROOT.resolve("store/catalog");
    store.files.damage(catalog, 45, 1);
    CorruptionException corrupt =
        assertThrows(CorruptionException.class, () -> store.open().close());
    assertEquals(catalog.toString(), corrupt.file());
    store.files.damage(catalog, 45, 1);
    store.open().close();
  }

  @Test
  void whatIsMissingIsRefusedByName() throws StorageException {
    try (StorageEngine engine = store.open()) {
      engine.createDataset(people()).insert(person(1, "a", "x", 1));
    }
    Path index = TestStore.ROOT.resolve("store/data/d1/p0/i2");
    for (Path file : store.files.list(index)) {
      store.files.delete(file);
    }
    store.files.delete(index);
    CorruptionException missing =
        assertThrows(CorruptionException.class, () -> store.open().close());
    assertEquals(index.toString(), missing.file());
    store.files.delete(TestStore.ROOT.resolve("store/catalog"));
    assertThrows(CorruptionException.class, () -> store.open().close());
  }

  @Test
  void verifyNamesADamagedPage() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      for (int id = 0; id < 100; id++) {
        people.insert(person(id, "n" + id, "x", id));
      }
      people.flush();
    }
    Path index = TestStore.ROOT.resolve("store/data/d1/p0/i1");
    Path component = store.files.list(index).get(0);
    store.files.damage(component, 5000, 4);
    try (StorageEngine engine = store.open()) {
      List<String> problems = engine.verify().problems();
      assertTrue(problems.stream().anyMatch(p -> p.contains(component.toString())), "" + problems);
    }
  }

  @Test
  void verifyFindsSecondariesThatAreNoProjection() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(people());
      for (int id = 0; id < 10; id++) {
        people.insert(person(id, "n" + id, "x", id));
      }
      people.flush();
    }
    // The secondary index goes back to what it was before the last flush, which nothing allows.
    Path index = TestStore.ROOT.resolve("store/data/d1/p0/i2");
    byte[] component = store.files.content(store.files.list(index).get(0));
    long storeId;
    try (StorageEngine engine = store.open()) {
      storeId = engine.parts().node().catalog().storeId();
      Dataset people = engine.dataset("people");
      people.upsert(person(3, "other", "x", 3));
      people.delete(Key.of(4));
      people.compact();
    }
    List<Path> files = store.files.list(index);
    for (Path file : files) {
      store.files.delete(file);
    }
    Path old = index.resolve("c-1-1.lsm");
    try (StorageFile file = store.files.open(old, OpenMode.CREATE_NEW)) {
      file.write(0, component, 0, component.length);
      file.force();
    }
    forgetFlushes(storeId);
    try (StorageEngine engine = store.open()) {
      List<String> problems = engine.verify().problems();
      assertTrue(problems.stream().anyMatch(p -> p.contains("lacks the entry")), "" + problems);
      assertTrue(problems.stream().anyMatch(p -> p.contains("old entry")), "" + problems);
      assertTrue(problems.stream().anyMatch(p -> p.contains("which is gone")), "" + problems);
    }
  }

  /** Takes out of the checkpoint what it relies on: it would notice an older file first. */
  private void forgetFlushes(long storeId) throws StorageException {
    Path directory = TestStore.ROOT.resolve("store/log");
    CheckpointFile file =
        new CheckpointFile(new LogContext(store.files, store.executor, directory, storeId));
    Checkpoint known = Objects.requireNonNull(file.read());
    file.write(
        new Checkpoint(
            known.kind(), known.lowWaterMark(), known.nextTransaction(), known.position()));
  }

  @Test
  void verifyNamesAFileThatBelongsToNoIndex() throws StorageException {
    Path stranger = TestStore.ROOT.resolve("store/data/d1/p0/i1/notes.txt");
    try (StorageEngine engine = store.open()) {
      engine.createDataset(people()).insert(person(1, "a", "x", 1));
      try (StorageFile file = store.files.open(stranger, OpenMode.CREATE_NEW)) {
        file.force();
      }
      assertEquals(List.of(stranger + " belongs to no index"), engine.verify().problems());
    }
  }

  private static void refused(RequestException.Reason reason, Executable call) {
    assertEquals(reason, assertThrows(RequestException.class, call).reason());
  }

  private static void conflict(ConflictException.Reason reason, Executable call) {
    assertEquals(reason, assertThrows(ConflictException.class, call).reason());
  }
}
