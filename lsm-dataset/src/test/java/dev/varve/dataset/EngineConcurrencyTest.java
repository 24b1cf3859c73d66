package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueRange;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Real threads: writers with sessions and transactions on keys of their own and on keys that they
 * share, readers, flushes and compactions, in a dataset small enough to flush and merge all the
 * time. Each writer knows what its own keys must hold in the end; nobody ever reads a record that
 * was not committed. It found a flush that waited for ever: room for its memory component had come
 * about between its attempt to seal and its look at how many there were, and no writer was left.
 */
@Tag("slow")
class EngineConcurrencyTest {
  private static final int WRITERS = 4;
  private static final int OWN_KEYS = 150;
  private static final int SHARED_KEYS = 20;
  private static final int ROUNDS = 400;
  private static final long SHARED = 1_000_000;

  /** In records of transactions that abort: nobody may ever read it. */
  private static final String DOOMED = "doomed";

  private final MemoryFileSystem files = new MemoryFileSystem();
  private final AtomicBoolean writing = new AtomicBoolean(true);

  @Test
  void writersReadersFlushesAndMergesAgreeInTheEnd() throws Exception {
    long seed = Seeds.one(5);
    TreeMap<Long, String> expected = new TreeMap<>();
    try (StorageEngine engine = open()) {
      Dataset dataset = engine.createDataset(DatasetModel.options(2).withMemoryBytes(1 << 20));
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        List<Future<Map<Long, String>>> writers = new ArrayList<>();
        for (int i = 0; i < WRITERS; i++) {
          int writer = i;
          writers.add(threads.submit(() -> write(dataset, writer, Seeds.random(seed + writer))));
        }
        List<Future<Long>> others = new ArrayList<>();
        others.add(threads.submit(() -> read(dataset)));
        others.add(threads.submit(() -> search(dataset)));
        others.add(threads.submit(() -> maintain(dataset)));
        try {
          for (Future<Map<Long, String>> writer : writers) {
            expected.putAll(writer.get());
          }
        } finally {
          writing.set(false);
        }
        for (Future<Long> other : others) {
          assertTrue(other.get() > 0);
        }
      } finally {
        threads.shutdownNow();
      }
      check(dataset, expected);
    }
    try (StorageEngine engine = open()) {
      check(engine.dataset(DatasetModel.NAME), expected);
    }
  }

  private StorageEngine open() throws StorageException {
    return StorageEngine.open(
        TestStore.options().lockTimeoutMillis(20_000).build(),
        new EngineSeams(files, new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1)));
  }

  private static void check(Dataset dataset, Map<Long, String> expected) throws StorageException {
    assertEquals(List.of(), dataset.verify().problems());
    List<String> own = TestStore.records(dataset.scan(ValueRange.below(Key.of(SHARED))));
    assertEquals(new ArrayList<>(expected.values()), own);
  }

  private static Map<Long, String> write(Dataset dataset, int writer, RandomGenerator random)
      throws StorageException {
    TreeMap<Long, String> mine = new TreeMap<>();
    for (int round = 0; round < ROUNDS; round++) {
      int number = random.nextInt(2);
      DatasetPartition partition = dataset.partition(number);
      if (random.nextInt(4) == 0) {
        transaction(dataset, number, writer, random, mine);
        continue;
      }
      try (RecordSession session = partition.openSession()) {
        for (int i = random.nextInt(25); i > 0; i--) {
          boolean shared = random.nextInt(4) == 0;
          long id = idIn(dataset, number, writer, shared, random);
          String json = DatasetModel.record(id, random);
          if (shared) {
            session.upsert(new Slice(TestStore.bytes(json)));
          } else if (random.nextInt(4) == 0) {
            session.delete(Key.of(id));
            mine.remove(id);
          } else {
            session.upsert(new Slice(TestStore.bytes(json)));
            mine.put(id, json);
          }
        }
      }
    }
    return mine;
  }

  private static void transaction(
      Dataset dataset, int number, int writer, RandomGenerator random, Map<Long, String> mine)
      throws StorageException {
    TreeMap<Long, String> after = new TreeMap<>(mine);
    try (RecordTransaction scope = dataset.partition(number).beginTransaction()) {
      boolean commits = random.nextInt(3) > 0;
      for (int i = random.nextInt(6); i > 0; i--) {
        boolean shared = random.nextInt(3) == 0;
        long id = idIn(dataset, number, writer, shared, random);
        String record = DatasetModel.record(id, random);
        String json = commits ? record : record.replace("\"text\":\"", "\"text\":\"" + DOOMED);
        scope.upsert(new Slice(TestStore.bytes(json)));
        if (!shared) {
          after.put(id, json);
        }
      }
      if (commits) {
        scope.commit();
        mine.clear();
        mine.putAll(after);
      }
    } catch (ConflictException e) {
      // The victim of a deadlock, or larger than the memory: it never happened.
      assertTrue(
          e.reason() == ConflictException.Reason.DEADLOCK
              || e.reason() == ConflictException.Reason.STALLED,
          e.toString());
    }
  }

  private static long idIn(
      Dataset dataset, int partition, int writer, boolean shared, RandomGenerator random) {
    while (true) {
      long id =
          shared
              ? SHARED + random.nextInt(SHARED_KEYS)
              : writer * 10_000L + random.nextInt(OWN_KEYS);
      if (dataset.partitionOf(Key.of(id)) == partition) {
        return id;
      }
    }
  }

  private long read(Dataset dataset) throws StorageException {
    long found = 0;
    while (writing.get()) {
      List<String> forth = TestStore.records(dataset.scan(ValueRange.atLeast(Key.of(5_000))));
      List<Long> ids = forth.stream().map(EngineConcurrencyTest::id).toList();
      assertEquals(ids.stream().sorted().distinct().toList(), ids);
      forth.forEach(EngineConcurrencyTest::checkCommitted);
      for (long id = SHARED; id < SHARED + SHARED_KEYS; id++) {
        Optional<byte[]> record = dataset.get(Key.of(id));
        record.ifPresent(bytes -> checkCommitted(new String(bytes, StandardCharsets.UTF_8)));
        found += record.isPresent() ? 1 : 0;
      }
    }
    return found + 1;
  }

  private long search(Dataset dataset) throws StorageException {
    long found = 0;
    while (writing.get()) {
      try (RecordCursor cursor = dataset.search("name", ValueRange.exactly(Key.of("n3")))) {
        while (cursor.next()) {
          String json = new String(cursor.value().toByteArray(), StandardCharsets.UTF_8);
          assertTrue(json.contains("\"name\":\"n3\""), json);
          checkCommitted(json);
          assertEquals(Key.of(id(json)), Key.ofSlice(cursor.key()));
          found++;
        }
      }
      // Beside the one of the maintenance thread: they take turns.
      assertEquals(List.of(), dataset.verify().problems());
    }
    return found + 1;
  }

  private long maintain(Dataset dataset) throws StorageException {
    long rounds = 0;
    while (writing.get()) {
      dataset.flush();
      if (rounds++ % 5 == 0) {
        dataset.compact();
        assertEquals(List.of(), dataset.verify().problems());
      }
    }
    return rounds + 1;
  }

  private static void checkCommitted(String json) {
    assertFalse(json.contains(DOOMED), "read what was never committed");
  }

  private static long id(String json) {
    return Long.parseLong(json.substring(6, json.indexOf(',')));
  }
}
