package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.KeyValueOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * A checkpoint is a store with all that was acknowledged before it was taken, and of each writer
 * what it had written up to some record. Method: writers that count, and tell what was
 * acknowledged; every checkpoint is opened, verified and held against that. Crashes and faults at
 * every call.
 */
class CheckpointTest {
  private static final int WRITERS = 3;
  private static final int KEYS = 150;
  private static final int CHECKPOINTS = 24;
  private static final int PAIRS = 60;
  private static final Path TARGET = Path.of("/checkpoint");

  @TempDir Path temporary;

  private final AtomicBoolean writing = new AtomicBoolean(true);
  private final AtomicLongArray begun = new AtomicLongArray(WRITERS);
  private final AtomicLongArray acknowledged = new AtomicLongArray(WRITERS);

  private static EngineSeams seams(FileSystem files) {
    return new EngineSeams(files, new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1))
        .withLimits(ProcessLimits.NONE);
  }

  private static StorageEngine open(FileSystem files, Path directory) throws StorageException {
    return StorageEngine.open(TestStore.options(directory).build(), seams(files));
  }

  private static long id(int writer, long number) {
    return writer * 1_000_000L + number % KEYS;
  }

  @Test
  @Tag("slow")
  void checkpointsUnderLoadHaveWhatWasAcknowledgedBefore() throws Exception {
    FileSystem files = new LocalFileSystem();
    int rounds = 0;
    long components = 0;
    StorageEngine secondary = null;
    try (StorageEngine engine = open(files, temporary.resolve("engine"))) {
      Dataset dataset = engine.createDataset(TestStore.people().withMemoryBytes(512 << 10));
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        List<Future<Long>> workers = new ArrayList<>();
        for (int writer = 0; writer < WRITERS; writer++) {
          int number = writer;
          workers.add(threads.submit(() -> write(dataset, number)));
        }
        workers.add(threads.submit(() -> load(engine)));
        for (int i = 0; i < CHECKPOINTS; i++) {
          Path target = temporary.resolve("checkpoint-" + i);
          long[] before = values(acknowledged);
          CheckpointReport report = engine.checkpoint(target);
          long[] after = values(begun);
          long[] forced = values(acknowledged);
          try (StorageEngine copy = open(files, target)) {
            check(copy, before, after);
          }
          secondary = newer(files, secondary);
          check(secondary, forced, values(begun));
          rounds += report.rounds();
          components += report.components();
        }
        Objects.requireNonNull(secondary).close();
        writing.set(false);
        for (Future<Long> worker : workers) {
          assertTrue(worker.get() > 0);
        }
      } finally {
        writing.set(false);
        threads.shutdownNow();
      }
      assertEquals(List.of(), engine.verify().problems());
    }
    System.out.println(components + " components, " + rounds + " looks, " + acknowledged);
    assertTrue(components > CHECKPOINTS, "flushes were under way");
  }

  private static long[] values(AtomicLongArray array) {
    long[] values = new long[array.length()];
    for (int i = 0; i < values.length; i++) {
      values[i] = array.get(i);
    }
    return values;
  }

  private long write(Dataset dataset, int writer) throws StorageException {
    long number = 0;
    while (writing.get()) {
      try (RecordSession session = dataset.openSession()) {
        for (int i = 0; i < 20; i++) {
          number++;
          begun.set(writer, number);
          session.upsert(
              TestStore.person(id(writer, number), "name " + number, "city " + writer, number));
        }
        session.force();
        acknowledged.set(writer, number);
      }
    }
    return number;
  }

  /** Bulk loads, and drops, which checkpoints see whole or not at all. */
  private long load(StorageEngine engine) throws StorageException {
    long loads = 0;
    while (writing.get()) {
      KeyValueStore store =
          engine.createKeyValueStore("bulk", KeyValueOptions.DEFAULTS.withMemoryBytes(128 << 10));
      try (KeyValueLoader loader = store.bulkLoad()) {
        for (int i = 0; i < PAIRS; i++) {
          loader.add(TestStore.bytes("key " + (1000 + i)), new byte[500]);
        }
        loader.finish();
      }
      engine.drop("bulk");
      loads++;
    }
    return loads;
  }

  /** A secondary of the engine, refreshed where there is one. */
  private StorageEngine newer(FileSystem files, @Nullable StorageEngine older)
      throws StorageException {
    if (older == null) {
      return StorageEngine.openSecondary(
          TestStore.options(temporary.resolve("secondary")).build(),
          temporary.resolve("engine"),
          seams(files));
    }
    StorageEngine newer = older.refresh().orElseThrow();
    older.close();
    return newer;
  }

  private static void check(StorageEngine copy, long[] before, long[] after)
      throws StorageException {
    assertEquals(List.of(), copy.verify().problems());
    Dataset dataset = copy.dataset("people");
    for (int writer = 0; writer < WRITERS; writer++) {
      long last = 0;
      for (int key = 0; key < KEYS; key++) {
        last = Math.max(last, numberOf(dataset, id(writer, key)));
      }
      assertTrue(last >= before[writer], "acknowledged " + before[writer] + ", has " + last);
      assertTrue(last <= after[writer], "begun " + after[writer] + ", has " + last);
      for (long number = Math.max(1, last - KEYS + 1); number <= last; number++) {
        assertEquals(number, numberOf(dataset, id(writer, number)), "up to " + last);
      }
    }
    if (copy.names().contains("bulk")) {
      int pairs = 0;
      try (RecordCursor cursor = copy.keyValueStore("bulk").scan(KeyRange.all())) {
        while (cursor.next()) {
          pairs++;
        }
      }
      assertTrue(pairs == 0 || pairs == PAIRS, pairs + " pairs");
    }
  }

  /** What a writer wrote last under an id; 0 for nothing. */
  private static long numberOf(Dataset dataset, long id) throws StorageException {
    Optional<byte[]> record = dataset.get(Key.of(id));
    if (record.isEmpty()) {
      return 0;
    }
    String json = new String(record.get(), StandardCharsets.UTF_8);
    return Long.parseLong(json.substring(json.lastIndexOf(':') + 1, json.length() - 1));
  }

  private static final int RECORDS = 60;

  private static StorageEngine filled(TestStore store) throws StorageException {
    StorageEngine engine = store.open();
    Dataset dataset = engine.createDataset(TestStore.people());
    for (int id = 0; id < RECORDS; id++) {
      dataset.upsert(TestStore.person(id, "name", "city", id));
      if (id == RECORDS / 2) {
        dataset.flush();
      }
    }
    return engine;
  }

  private static void checkFilled(TestStore store, Path directory) throws StorageException {
    try (StorageEngine copy = store.open(TestStore.options(directory).build())) {
      assertEquals(RECORDS, TestStore.records(copy.dataset("people").scan(KeyRange.all())).size());
      assertEquals(List.of(), copy.verify().problems());
    }
  }

  @Test
  void aCrashAnywhereLeavesAWholeCheckpointOrNone() throws Exception {
    TestStore store = TestStore.empty(Seeds.one(3));
    int[] crashes = new int[2];
    try (StorageEngine engine = filled(store)) {
      store.files.onOperation(
          operation -> {
            MemoryFileSystem image = store.files.crash(Seeds.random(operation.number()));
            try {
              TestStore left = new TestStore(image, 1);
              boolean whole = image.exists(TARGET.resolve("store"));
              crashes[whole ? 1 : 0]++;
              if (!whole) {
                try (StorageEngine again = left.open()) {
                  CheckpointReport report = again.checkpoint(TARGET);
                  assertTrue(report.components() > 0);
                }
              }
              checkFilled(left, TARGET);
              checkFilled(left, TestStore.ROOT);
            } catch (StorageException e) {
              throw new AssertionError(operation.toString(), e);
            }
          });
      CheckpointReport report = engine.checkpoint(TARGET);
      store.files.onOperation(null);
      assertEquals(TARGET, report.directory());
      checkFilled(store, TARGET);
    }
    System.out.println(crashes[0] + " crashes before, " + crashes[1] + " after");
    assertTrue(crashes[0] > 20, crashes[0] + " crash points");
    assertTrue(crashes[1] > 0, crashes[1] + " crash points");
  }

  @Test
  void aFaultAnywhereInTheTargetCostsTheEngineNothing() throws Exception {
    TestStore store = TestStore.empty(1);
    int faults = 0;
    try (StorageEngine engine = filled(store)) {
      while (true) {
        long made = store.faults.callCount();
        store.faults.setPlan("any * " + (20 + faults) + " ENOSPC");
        try {
          engine.checkpoint(TARGET.resolve("" + faults));
          break;
        } catch (DiskException full) {
          faults++;
          assertTrue(store.faults.callCount() > made);
        } finally {
          store.faults.setPlan("");
        }
        Path left = TARGET.resolve("" + (faults - 1));
        if (store.files.exists(left.resolve("store"))) {
          checkFilled(store, left); // what failed came after it was whole
        }
      }
    }
    assertTrue(faults > 20, faults + " faults");
    checkFilled(store, TARGET.resolve("" + faults));
    checkFilled(store, TestStore.ROOT);
  }

  @Test
  void anEngineAtRestIsCopiedAsItIs() throws Exception {
    TestStore store = TestStore.empty(1);
    StorageEngine engine = filled(store);
    try {
      TestStore left = new TestStore(store.files.crash(0, Seeds.random(1)), 1);
      long operations = left.files.operationCount();
      CheckpointReport report = EngineInspection.checkpoint(left.files, TestStore.ROOT, TARGET);
      assertTrue(left.files.operationCount() > operations);
      assertTrue(report.components() > 0);
      checkFilled(left, TARGET);
      Path first = Path.of("/backup/1");
      Path second = Path.of("/backup/2");
      BackupReport all = EngineInspection.backup(left.files, TestStore.ROOT, first, null);
      assertEquals(0, all.reused());
      assertEquals(all.componentBytes(), all.copiedBytes());
      try (StorageEngine recovered = left.open()) {
        assertEquals(List.of("people"), recovered.names());
      }
      BackupReport some = EngineInspection.backup(left.files, TestStore.ROOT, second, first);
      assertTrue(some.reused() > 0, () -> some.toString());
      assertTrue(some.copiedBytes() > 0, () -> some.toString());
      checkFilled(left, first);
      checkFilled(left, second);
      checkFilled(left, TestStore.ROOT);
    } finally {
      engine.close();
    }
  }

  @Test
  void whatCannotBeTakenIsRefusedAndLeftAlone() throws Exception {
    TestStore store = TestStore.empty(1);
    try (StorageEngine engine = filled(store)) {
      assertThrows(
          IllegalArgumentException.class,
          () -> engine.checkpoint(TestStore.ROOT.resolve("store/inside")));
      store.files.createDirectories(TARGET.resolve("letters"));
      ConflictException foreign =
          assertThrows(ConflictException.class, () -> engine.checkpoint(TARGET));
      assertEquals(ConflictException.Reason.FOREIGN_FILES, foreign.reason());
      assertEquals(List.of(TARGET.resolve("letters")), store.files.list(TARGET));
    }
    try (StorageEngine reading =
        StorageEngine.openReadOnly(
            TestStore.options().build(),
            new EngineSeams(store.files, store.clock, store.executor, Seeds.random(1)))) {
      assertThrows(RequestException.class, () -> reading.checkpoint(Path.of("/other")));
    }
    checkFilled(store, TestStore.ROOT);
  }
}
