package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.ForwardingFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.env.Worker;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Goal: a running engine shows to others who waits for what, one at rest can be asked, and the
 * watchdog barks. Method: a slow device in virtual time; a worker that looks while a writer waits.
 */
class WaitReportTest {
  private static final long SECOND = 1_000_000_000L;

  private final TestStore store = TestStore.empty(17);

  private static KeyValueOptions pairs(String policy) {
    return KeyValueOptions.DEFAULTS
        .withMemoryBytes(1 << 20)
        .withMergePolicy(new MergePolicyOptions(policy));
  }

  private static void put(KeyValueSession session, int key) throws StorageException {
    session.put(
        new Slice(("key " + key).getBytes(StandardCharsets.UTF_8)), new Slice(new byte[1000]));
  }

  private static EngineOptions.Builder options() {
    return TestStore.options().logRetentionBytes(64 << 20);
  }

  /** Reads the file of a running engine, as another process does, whenever somebody waits. */
  private final class Reader implements Worker {
    private final List<String> seen = new ArrayList<>();

    @Override
    public String name() {
      return "reader";
    }

    @Override
    public int doWork() {
      try {
        EngineInspection.running(store.files, TestStore.ROOT).ifPresent(seen::add);
      } catch (StorageException e) {
        throw new IllegalStateException(e);
      }
      return 0;
    }

    @Override
    public long napNanos() {
      return SECOND / 4;
    }

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  @Test
  void whoWaitsForWhatIsInAFileWhileTheEngineRuns() throws StorageException {
    Reader reader = new Reader();
    try (StorageEngine engine = store.open(options().ioBytesPerSecond(100_000).build())) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("constant(3) limit 4"));
      store.executor.start(reader);
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < 4000; i++) {
          put(session, i);
        }
      }
      assertThrows(
          ConflictException.class, () -> EngineInspection.stopped(store.files, TestStore.ROOT, 0));
      assertTrue(engine.awaitQuiet(3_600_000));
      store.executor.runForNanos(2 * SECOND);
      assertEquals(Optional.empty(), EngineInspection.running(store.files, TestStore.ROOT));
      assertEquals(List.of(), engine.stats().scheduling().broken());
    }
    assertTrue(
        reader.seen.stream()
            .anyMatch(
                json ->
                    json.contains("\"cause\":\"COMPONENT_LIMIT\"")
                        && json.contains("merges are behind: 4 of 4 disk components")
                        && json.matches(".*\"tasks\":\\[[0-9]+\\],\"occupied\".*")
                        && json.matches(
                            ".*\"kind\":\"MERGE\",\"state\":\"RUNNING\".*\"bytesPerSecond\":[1-9].*")),
        String.join("\n", reader.seen));
  }

  @Test
  void theWatchdogGoesOnAfterALookThatFailed() throws StorageException {
    AtomicInteger failures = new AtomicInteger(5);
    ForwardingFileSystem files =
        new ForwardingFileSystem() {
          @Override
          public FileSystem files() {
            return store.faults;
          }

          @Override
          public StorageFile opened(StorageFile file) {
            if (file.path().endsWith("stalls.json.next") && failures.getAndDecrement() > 0) {
              throw new NoClassDefFoundError("as when there is no file handle");
            }
            return file;
          }
        };
    Reader reader = new Reader();
    EngineSeams seams =
        new EngineSeams(files, store.clock, store.executor, Seeds.random(store.seed));
    EngineOptions slow = options().ioBytesPerSecond(100_000).build();
    try (StorageEngine engine = StorageEngine.open(slow, seams.withLimits(ProcessLimits.NONE))) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("constant(3) limit 4"));
      store.executor.start(reader);
      try (KeyValueSession session = pairs.openSession()) {
        for (int i = 0; i < 4000; i++) {
          put(session, i);
        }
      }
    }
    assertTrue(failures.get() < 0, "looks that failed: " + (5 - failures.get()));
    assertTrue(!reader.seen.isEmpty(), "nothing was shown after them");
  }

  @Test
  void anEngineAtRestIsAskedWhatWouldWait() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("none"));
      for (int round = 0; round < 6; round++) {
        try (KeyValueSession session = pairs.openSession()) {
          put(session, round);
        }
        pairs.flush();
      }
    }
    WaitReport before = EngineInspection.stopped(store.files, TestStore.ROOT, 5);
    assertEquals(List.of(), before.waits());
    assertEquals(List.of(), before.tasks());
    assertEquals(6, before.indexes().get(0).components());
    // The merge that this policy wants fails, so that it is due when the engine is closed.
    try (StorageEngine engine = store.open()) {
      store.faults.setPlan("create c-*.building 1 EIO persistent");
      engine.keyValueStore("pairs").setMergePolicy(new MergePolicyOptions("constant(4) limit 5"));
      engine.awaitQuiet(1000);
      store.faults.setPlan("");
    }
    WaitReport report = EngineInspection.stopped(store.files, TestStore.ROOT, 5);
    assertEquals(WaitReport.STOPPED, report.source());
    assertEquals(1, report.tasks().size());
    assertEquals(WaitReport.DUE, report.tasks().get(0).state());
    assertTrue(report.tasks().get(0).inputBytes() > 6 * 4096, report.toString());
    WaitReport.Wait wait = report.waits().get(0);
    assertEquals("COMPONENT_LIMIT", wait.cause());
    assertEquals(List.of(1L), wait.tasks());
    assertEquals(0, wait.writers());
    assertTrue(wait.holder().endsWith("6 of 5 disk components"), wait.holder());
    try (StorageEngine engine = store.open()) {
      assertTrue(engine.awaitQuiet(1000));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void anEngineAtRestIsAskedWhatWouldWaitForComponentsThatAreCut() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("none"));
      for (int round = 0; round < 6; round++) {
        try (KeyValueSession session = pairs.openSession()) {
          put(session, 0);
          put(session, round + 1);
        }
        pairs.flush();
      }
      // The merge that this policy wants fails, so that it is due when the engine is closed.
      store.faults.setPlan("create r-*.building 1 EIO persistent");
      pairs.setMergePolicy(new MergePolicyOptions("partitioned-leveling(2, 64k, 16k, 4) limit 5"));
      engine.awaitQuiet(1000);
      store.faults.setPlan("");
    }
    WaitReport report = EngineInspection.stopped(store.files, TestStore.ROOT, 5);
    assertEquals(6, report.indexes().get(0).components());
    assertEquals(5, report.indexes().get(0).limit());
    assertEquals(1, report.tasks().size());
    String merge = report.tasks().get(0).description();
    assertTrue(merge.startsWith("merge of components [6, 5, 4, 3, 2, 1] of level 0"), merge);
    assertTrue(report.tasks().get(0).inputBytes() > 6 * 4096, report.toString());
    assertEquals("COMPONENT_LIMIT", report.waits().get(0).cause());
    assertEquals(List.of(1L), report.waits().get(0).tasks());
    try (StorageEngine engine = store.open()) {
      engine.keyValueStore("pairs").scan(KeyRange.all()).close();
      assertTrue(engine.awaitQuiet(1000));
      assertEquals(List.of(), engine.verify().problems());
    }
    assertEquals(0, EngineInspection.stopped(store.files, TestStore.ROOT, 5).tasks().size());
  }

  @Test
  void theWatchdogNamesATransactionThatNeverEnds() throws StorageException {
    EngineOptions options = options().stallTimeoutMillis(40_000).build();
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("none"));
      try (KeyValueTransaction endless = pairs.beginTransaction();
          KeyValueSession session = pairs.openSession()) {
        endless.upsert(new Slice(new byte[] {1}), new Slice(new byte[] {2}));
        assertThrows(
            ConflictException.class,
            () -> {
              for (int i = 0; i < 4000; i++) {
                put(session, i);
              }
            });
        String broken = String.join("\n", engine.stats().scheduling().broken());
        assertTrue(broken.startsWith("WRITERS_LEAVE_SEALED_COMPONENTS"), broken);
        assertTrue(broken.contains("a transaction has not ended"), broken);
      }
    }
  }

  @Test
  void anOldSnapshotIsNamedAsLongAsItKeepsVersions() throws StorageException {
    try (StorageEngine engine = store.open(options().build())) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", pairs("none"));
      byte[] key = {1};
      pairs.put(key, key);
      try (EngineSnapshot snapshot = engine.snapshot()) {
        pairs.put(key, new byte[500]);
        pairs.flush();
        assertArrayEquals(key, snapshot.get(pairs, key).orElseThrow());
        store.executor.runForNanos(9_000_000_000L);
        assertTrue(EngineInspection.running(store.files, TestStore.ROOT).isEmpty());
        store.executor.runForNanos(3_000_000_000L);
        String named = engine.waits().snapshots().get(0);
        assertTrue(
            named.contains(Thread.currentThread().getName()) && named.contains("12000 ms"), named);
        String shown = EngineInspection.running(store.files, TestStore.ROOT).orElseThrow();
        assertTrue(shown.contains("\"snapshots\":[\"snapshot opened by thread"), shown);
      }
      store.executor.runForNanos(3_000_000_000L);
      assertTrue(EngineInspection.running(store.files, TestStore.ROOT).isEmpty());
      assertEquals(List.of(), engine.waits().snapshots());
    }
  }

  @Test
  void aFileThatIsDamagedIsNotBelieved() throws StorageException {
    try (StorageEngine engine = store.open()) {
      assertFalse(engine.waits().source().isEmpty());
      WaitReportFile.in(store.files, TestStore.ROOT)
          .write(WaitReportFile.json(WaitReport.nothing(7)));
      assertEquals(
          "{\"source\":\"running\",\"atMillis\":7,\"scheduler\":\"\",\"gate\":\"\","
              + "\"ioBytesPerSecond\":0,\"waits\":[],\"tasks\":[],\"indexes\":[],"
              + "\"transactions\":[],\"snapshots\":[],\"values\":[],\"tuner\":[],\"broken\":[]}",
          EngineInspection.running(store.files, TestStore.ROOT).orElseThrow());
      try (StorageFile file =
          store.files.open(TestStore.ROOT.resolve(WaitReportFile.NAME), OpenMode.READ_WRITE)) {
        // The worked example of docs/format/stalls.md.
        byte[] sum = new byte[11];
        assertEquals(203, file.size());
        assertEquals(11, file.read(file.size() - 11, sum, 0, 11));
        assertEquals("e3aa1e23\"}\n", new String(sum, StandardCharsets.US_ASCII));
        file.write(3, new byte[] {'x'}, 0, 1);
      }
      assertThrows(
          CorruptionException.class, () -> EngineInspection.running(store.files, TestStore.ROOT));
    }
  }
}
