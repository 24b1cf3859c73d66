package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.dataset.model.TextSearch;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.rtree.query.RegionQuery;
import dev.varve.scheduler.admission.StallCause;
import dev.varve.scheduler.admission.WriteConditions;
import dev.varve.scheduler.admission.WriteGate;
import dev.varve.scheduler.admission.WriteGate.Decision;
import dev.varve.scheduler.admission.WriteGates;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What is refused leaves nothing behind: no writer, session, transaction, lock, file, place in a
 * partition or heap. Every entry point is refused in every way it can be, over and over, and what
 * the engine has is counted before and after.
 */
class RefusalLeakTest {
  /** More than so much for each refusal would be something that stays. */
  private static final double BYTES_A_REFUSAL = 24;

  private final TestStore store = TestStore.empty(Seeds.one(5));
  private StorageEngine engine;
  private Dataset records;
  private KeyValueStore pairs;

  /** A call that is refused. */
  @FunctionalInterface
  private interface Call {
    void run() throws StorageException;
  }

  /** What an engine has that calls give back. */
  private record Counts(
      int transactions, int active, int locked, int inUse, int sessions, int files, int waits) {}

  @BeforeEach
  void open() throws StorageException {
    engine = store.open(TestStore.options().lockTimeoutMillis(1).stallTimeoutMillis(1).build());
    records =
        engine.createDataset(
            DatasetOptions.of("records", "id")
                .withPartitions(2)
                .withMemoryBytes(4 << 20)
                .withIndexes(
                    List.of(
                        IndexDefinition.on("name"),
                        new IndexDefinition(
                            "at", IndexKind.parse("rtree"), List.of(FieldPath.parse("at"))),
                        new IndexDefinition(
                            "text",
                            IndexKind.parse("keyword"),
                            List.of(FieldPath.parse("text"))))));
    pairs = engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(4 << 20));
    for (int id = 0; id < 10; id++) {
      records.insert(record(id));
    }
    try (KeyValueSession session = pairs.openSession()) {
      session.put(slice("key"), slice("value"));
    }
  }

  @AfterEach
  void close() throws StorageException {
    engine.close();
    store.faults.assertNothingOpen();
  }

  private static byte[] record(int id) {
    return TestStore.bytes(
        "{\"id\":" + id + ",\"name\":\"n\",\"at\":[1,2],\"text\":\"some words\"}");
  }

  private static Slice slice(String text) {
    return new Slice(TestStore.bytes(text));
  }

  // ---- What is refused

  /** Records that no entry point takes. */
  private static List<byte[]> wrongRecords() {
    return List.of(
        TestStore.bytes("{\"id\":null}"),
        TestStore.bytes("{\"name\":\"n\"}"),
        TestStore.bytes("{\"id\":1"),
        TestStore.bytes("[]"),
        TestStore.bytes("{\"id\":\"" + "x".repeat(300) + "\"}"),
        TestStore.bytes("{\"id\":1,\"name\":\"" + "x".repeat(300) + "\"}"),
        TestStore.bytes("{\"id\":1,\"name\":\"" + "x".repeat(40 << 10) + "\"}"));
  }

  private static final Slice LONG_KEY = slice("x".repeat(300));
  private static final Slice LONG_VALUE = slice("x".repeat(40 << 10));

  private List<Call> datasetWrites() {
    List<Call> calls = new ArrayList<>();
    for (byte[] wrong : wrongRecords()) {
      calls.add(() -> records.insert(wrong));
      calls.add(() -> records.upsert(wrong));
    }
    byte[] duplicate = record(1);
    calls.add(() -> records.insert(duplicate));
    return calls;
  }

  private List<Call> datasetReads() {
    return List.of(
        () -> records.search("none", ValueRange.all()).close(),
        () -> records.search("at", ValueRange.all()).close(),
        () -> records.search("text", new NearestSearch(1, 2)).close(),
        () -> records.search("name", new SpatialSearch(RegionQuery.everything())).close(),
        () -> records.search("name", TextSearch.allWords("some")).close(),
        () -> records.search("text", TextSearch.containing("some")).close(),
        () -> engine.dataset("none"),
        () -> engine.dataset("pairs"),
        () -> engine.keyValueStore("records"),
        () -> engine.createDataset(DatasetOptions.of("records", "id")),
        () -> engine.drop("none"));
  }

  private static List<Call> sessionWrites(RecordSession session, Slice duplicate) {
    List<Call> calls = new ArrayList<>();
    for (byte[] wrong : wrongRecords()) {
      calls.add(() -> session.insert(new Slice(wrong)));
      calls.add(() -> session.upsert(new Slice(wrong)));
    }
    calls.add(() -> session.insert(duplicate));
    return calls;
  }

  private static List<Call> scopeWrites(RecordTransaction scope, Slice duplicate) {
    List<Call> calls = new ArrayList<>();
    for (byte[] wrong : wrongRecords()) {
      calls.add(() -> scope.insert(new Slice(wrong)));
      calls.add(() -> scope.upsert(new Slice(wrong)));
    }
    calls.add(() -> scope.insert(duplicate));
    return calls;
  }

  private static List<Call> pairWrites(KeyValueSession session) {
    return List.of(
        () -> session.insert(slice("key"), slice("other")),
        () -> session.insert(LONG_KEY, slice("value")),
        () -> session.put(LONG_KEY, slice("value")),
        () -> session.upsert(slice("a"), LONG_VALUE),
        () -> session.put(slice("a"), LONG_VALUE));
  }

  /** Everything that opens something, and is refused after that. */
  private List<Call> openings() {
    DatasetPartition partition = records.partition(records.partitionOf(Key.of(1)));
    Slice present = new Slice(record(1));
    Slice wrong = new Slice(wrongRecords().get(0));
    return List.of(
        () -> {
          try (RecordSession session = partition.openSession()) {
            session.insert(present);
          }
        },
        () -> {
          try (RecordTransaction scope = partition.beginTransaction()) {
            scope.upsert(present);
            scope.insert(wrong);
          }
        },
        () -> partition.bulkLoad().close(),
        () -> pairs.bulkLoad().close(),
        () -> partition.search("none", ValueRange.all()).close());
  }

  private List<Call> loads(KeyValueStore empty, DatasetPartition emptyRecords) {
    return List.of(
        () -> {
          try (KeyValueLoader loader = empty.bulkLoad()) {
            loader.add(slice("b"), slice("1"));
            loader.add(slice("a"), slice("1"));
          }
        },
        () -> {
          try (KeyValueLoader loader = empty.bulkLoad()) {
            loader.add(LONG_KEY, slice("1"));
          }
        },
        () -> {
          try (RecordLoader loader = emptyRecords.bulkLoad()) {
            loader.add(new Slice(wrongRecords().get(0)));
          }
        });
  }

  // ---- The count

  private Counts counts() {
    var node = engine.parts().node();
    int inUse = 0;
    int sessions = 0;
    for (ManagedDataset dataset : engine.parts().active().list()) {
      for (var lifecycle : dataset.lifecycles()) {
        inUse += lifecycle.inUse().size();
        sessions += lifecycle.sessions().size();
      }
    }
    return new Counts(
        node.transactions().size(),
        node.transactions().active(),
        node.locks().stats().locked(),
        inUse,
        sessions,
        (int) store.faults.openResources().stream().filter(RefusalLeakTest::isNoComponent).count(),
        node.admission().stalls().report().open().size());
  }

  /** How many components there are is the flushes' and merges' business. */
  private static boolean isNoComponent(String resource) {
    return !resource.endsWith(".lsm");
  }

  private static long usedHeap() {
    System.gc();
    Runtime runtime = Runtime.getRuntime();
    return runtime.totalMemory() - runtime.freeMemory();
  }

  private static void refused(Call call) {
    try {
      call.run();
    } catch (RequestException
        | ConflictException
        | LimitException
        | IllegalStateException expected) {
      return;
    } catch (StorageException e) {
      throw new AssertionError(e);
    }
    throw new AssertionError("nothing was refused");
  }

  /** Makes calls in mutex, so many in all. */
  private void refuse(String what, List<Call> calls, int times) {
    calls.forEach(RefusalLeakTest::refused);
    calls.forEach(RefusalLeakTest::refused);
    Counts before = counts();
    long heapBefore = usedHeap();
    for (int i = 0; i < times; i++) {
      refused(calls.get(i % calls.size()));
    }
    long grown = usedHeap() - heapBefore;
    assertEquals(before, counts(), what);
    assertTrue(grown < Math.max(1 << 20, times * BYTES_A_REFUSAL), what + ": " + grown + " bytes");
  }

  private void refuseEverything(int times) throws StorageException {
    refuse("writes of a dataset", datasetWrites(), times);
    refuse("reads of a dataset", datasetReads(), times);
    DatasetPartition partition = records.partition(records.partitionOf(Key.of(1)));
    Slice present = new Slice(record(1));
    try (RecordSession session = partition.openSession()) {
      refuse("a session", sessionWrites(session, present), times);
    }
    try (RecordTransaction scope = partition.beginTransaction()) {
      refuse("a transaction", scopeWrites(scope, present), times);
    }
    try (KeyValueSession session = pairs.openSession()) {
      refuse("a session over pairs", pairWrites(session), times);
    }
    refuse("what is opened", openings(), times / 20);
  }

  @Test
  void aThousandRefusalsLeaveNothingBehind() throws StorageException {
    refuseEverything(1_000);
  }

  @Test
  @Tag("slow")
  void aHundredThousandRefusalsOfEachKindLeaveNothingBehind() throws StorageException {
    refuseEverything(100_000);
  }

  @Test
  void bulkLoadsThatAreRefusedLeaveNothingBehind() throws StorageException {
    KeyValueStore empty =
        engine.createKeyValueStore("empty", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
    Dataset emptyRecords =
        engine.createDataset(
            DatasetOptions.of("empty records", "id")
                .withMemoryBytes(1 << 20)
                .withIndexes(List.of(IndexDefinition.on("name"))));
    refuse("bulk loads", loads(empty, emptyRecords.partition(0)), 1_000);
  }

  // ---- Waits that end in vain

  /** A gate that lets nobody write. */
  private static final class ShutGate implements WriteGate {
    @Override
    public Decision decide(WriteConditions conditions) {
      return new Decision.Closed(StallCause.PACE, "the test");
    }

    @Override
    public String describe() {
      return "shut";
    }
  }

  @Test
  void waitsAtTheGateThatEndInVainLeaveNothingBehind() throws StorageException {
    DatasetPartition partition = records.partition(0);
    engine.setGate(new ShutGate());
    refuse(
        "waits at the gate",
        List.of(
            () -> {
              try (RecordSession session = partition.openSession()) {
                session.upsert(new Slice(record(1)));
              }
            },
            () -> partition.beginTransaction().close()),
        5_000);
    engine.setGate(WriteGates.STOP);
  }

  @Test
  void waitsForLocksThatEndInVainLeaveNothingBehind() throws StorageException {
    DatasetPartition partition = records.partition(records.partitionOf(Key.of(1)));
    try (RecordTransaction holder = partition.beginTransaction()) {
      holder.getForUpdate(Key.of(1));
      holder.upsert(new Slice(record(1)));
      refuse("waits for a lock", lockWaits(partition), 5_000);
      refuse(
          "waits for a lock that are interrupted",
          lockWaits(partition).stream().map(RefusalLeakTest::interrupted).toList(),
          5_000);
    }
  }

  private static Call interrupted(Call call) {
    return () -> {
      Thread.currentThread().interrupt();
      try {
        call.run();
      } finally {
        Thread.interrupted();
      }
    };
  }

  private List<Call> lockWaits(DatasetPartition partition) {
    return List.of(
        () -> records.upsert(record(1)),
        () -> records.delete(Key.of(1)),
        () -> {
          try (RecordSession session = partition.openSession()) {
            session.delete(Key.of(1));
          }
        },
        () -> {
          try (RecordTransaction scope = partition.beginTransaction()) {
            scope.get(Key.of(1));
          }
        });
  }
}
