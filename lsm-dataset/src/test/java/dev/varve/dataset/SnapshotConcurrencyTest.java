package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.RecordQuery;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Goal: with real threads that transfer, count, flush and merge all the time, every snapshot is one
 * moment: of all partitions, of a dataset and a key-value store, by scans, by a secondary index, by
 * keys and by counts. Method: transfers keep the sum of all balances; a session raises one key and
 * then another, so that no moment has the second above the first, or the first more than one ahead.
 */
final class SnapshotConcurrencyTest {
  private static final int ACCOUNTS = 60;
  private static final int PAIRS = 20;
  private static final long START = 100;
  private static final long SUM = (ACCOUNTS + PAIRS) * START;
  private static final int LEAST_SNAPSHOTS = 150;
  private static final int TWIN_SNAPSHOTS = 100;

  private final AtomicBoolean writing = new AtomicBoolean(true);
  private final AtomicInteger transfers = new AtomicInteger();

  @Test
  void everySnapshotIsOneMoment() throws Exception {
    long seed = Seeds.one(5);
    EngineSeams seams =
        new EngineSeams(
            new MemoryFileSystem(), new SystemClock(), new ThreadTaskExecutor(), Seeds.random(1));
    try (StorageEngine engine = StorageEngine.open(TestStore.options().build(), seams)) {
      Dataset accounts =
          engine.createDataset(
              DatasetOptions.of("accounts", "id")
                  .withIndexes(List.of(IndexDefinition.on("side"), IndexDefinition.on("balance")))
                  .withPartitions(2)
                  .withMemoryBytes(1 << 20));
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
      KeyValueStore counters =
          engine.createKeyValueStore("counters", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
      for (int id = 0; id < ACCOUNTS; id++) {
        accounts.insert(account(id, START));
      }
      for (int id = 0; id < PAIRS; id++) {
        pairs.put(key(id), value(START));
      }
      ExecutorService threads = Executors.newCachedThreadPool();
      try {
        List<Future<?>> writers = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
          RandomGenerator random = Seeds.random(seed + i);
          Isolation isolation = i == 0 ? Isolation.SNAPSHOT : Isolation.LOCKED_READS;
          writers.add(threads.submit(() -> transfer(engine, random, isolation)));
        }
        writers.add(threads.submit(() -> count(counters)));
        writers.add(threads.submit(() -> raiseTwins(engine, counters)));
        writers.add(threads.submit(() -> maintain(accounts, pairs, counters)));
        int snapshots = 0;
        while (snapshots < LEAST_SNAPSHOTS || transfers.get() < 2000) {
          try (EngineSnapshot snapshot = engine.snapshot()) {
            check(snapshot, accounts, pairs, counters);
          } catch (ConflictException e) {
            assertEquals(ConflictException.Reason.LOCK_TIMEOUT, e.reason());
          }
          checkTwins(engine, counters);
          snapshots++;
          for (Future<?> writer : writers) {
            if (writer.isDone()) {
              writer.get();
            }
          }
        }
        writing.set(false);
        for (Future<?> writer : writers) {
          writer.get();
        }
      } finally {
        writing.set(false);
        threads.shutdownNow();
        assertTrue(threads.awaitTermination(60, TimeUnit.SECONDS));
      }
      // A writer may have saved something for a snapshot that was closed meanwhile.
      engine.snapshot().close();
      assertEquals(0, engine.stats().memory().snapshotBytes());
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private static byte[] account(long id, long balance) {
    return TestStore.bytes(
        "{\"id\":%d,\"balance\":%d,\"side\":%d,\"filler\":\"%s\"}"
            .formatted(id, balance, id % 2, "x".repeat(500)));
  }

  private static byte[] key(long id) {
    return TestStore.bytes("account" + id);
  }

  private static byte[] value(long balance) {
    return TestStore.bytes(Long.toString(balance));
  }

  private static long balance(byte[] record) {
    String text = new String(record, StandardCharsets.UTF_8);
    int begin = text.indexOf("\"balance\":");
    return begin < 0
        ? Long.parseLong(text)
        : Long.parseLong(text.substring(begin + 10, text.indexOf(',', begin)));
  }

  private Object transfer(StorageEngine engine, RandomGenerator random, Isolation isolation)
      throws StorageException {
    Dataset accounts = engine.dataset("accounts");
    KeyValueStore pairs = engine.keyValueStore("pairs");
    while (writing.get()) {
      try (EngineTransaction transaction = engine.beginTransaction(isolation)) {
        long amount = random.nextInt(10);
        change(transaction, accounts, pairs, random.nextInt(ACCOUNTS + PAIRS), -amount);
        change(transaction, accounts, pairs, random.nextInt(ACCOUNTS + PAIRS), amount);
        if (random.nextInt(10) > 0) {
          transaction.commit();
          transfers.incrementAndGet();
        }
      } catch (ConflictException lost) {
        assertTrue(
            List.of(
                    ConflictException.Reason.DEADLOCK,
                    ConflictException.Reason.LOCK_TIMEOUT,
                    ConflictException.Reason.STALLED,
                    ConflictException.Reason.WRITE_CONFLICT)
                .contains(lost.reason()),
            lost.toString());
      }
    }
    return true;
  }

  private static void change(
      EngineTransaction transaction, Dataset accounts, KeyValueStore pairs, int id, long by)
      throws StorageException {
    if (id < ACCOUNTS) {
      transaction
          .of(accounts)
          .update(Key.of(id), old -> Optional.of(account(id, balance(old.orElseThrow()) + by)));
    } else {
      transaction
          .of(pairs)
          .update(key(id - ACCOUNTS), old -> Optional.of(value(balance(old.orElseThrow()) + by)));
    }
  }

  /** Raises one key and then the other, each as a change by itself. */
  private Object count(KeyValueStore counters) throws StorageException {
    for (long i = 1; writing.get(); i++) {
      counters.put(TestStore.bytes("first"), value(i));
      counters.put(TestStore.bytes("second"), value(i));
    }
    return true;
  }

  /** Raises two keys together, in a transaction. */
  private Object raiseTwins(StorageEngine engine, KeyValueStore counters) throws StorageException {
    for (long i = 1; writing.get(); i++) {
      try (EngineTransaction transaction = engine.beginTransaction()) {
        transaction.of(counters).upsert(TestStore.bytes("twin"), value(i));
        transaction.of(counters).upsert(TestStore.bytes("other twin"), value(i));
        transaction.commit();
      } catch (ConflictException full) {
        assertEquals(ConflictException.Reason.STALLED, full.reason());
      }
    }
    return true;
  }

  /** Looks at as many moments as there is time for: some fall into the end of a transaction. */
  private static void checkTwins(StorageEngine engine, KeyValueStore counters)
      throws StorageException {
    for (int i = 0; i < TWIN_SNAPSHOTS; i++) {
      try (EngineSnapshot snapshot = engine.snapshot()) {
        Optional<Long> twin = snapshot.get(counters, TestStore.bytes("twin")).map(x -> balance(x));
        assertEquals(
            twin, snapshot.get(counters, TestStore.bytes("other twin")).map(x -> balance(x)));
        assertEquals(twin, snapshot.get(counters, TestStore.bytes("twin")).map(x -> balance(x)));
      }
    }
  }

  private Object maintain(Dataset accounts, KeyValueStore pairs, KeyValueStore counters)
      throws Exception {
    while (writing.get()) {
      accounts.flush();
      pairs.flush();
      counters.flush();
      accounts.compact();
      pairs.compact();
      Thread.sleep(1);
    }
    return true;
  }

  private static void check(
      EngineSnapshot snapshot, Dataset accounts, KeyValueStore pairs, KeyValueStore counters)
      throws StorageException {
    Optional<byte[]> second = snapshot.get(counters, TestStore.bytes("second"));
    Optional<byte[]> first = snapshot.get(counters, TestStore.bytes("first"));
    long ahead = first.map(x -> balance(x)).orElse(0L) - second.map(x -> balance(x)).orElse(0L);
    assertTrue(ahead == 0 || ahead == 1, "the first is ahead by " + ahead);
    long inPairs = sum(snapshot.scan(pairs, KeyRange.all()));
    assertEquals(SUM, sum(snapshot.scan(accounts, ValueRange.all())) + inPairs, "by scans");
    long bySide = 0;
    for (int side = 0; side < 2; side++) {
      KeySearch search = new KeySearch(ValueRange.exactly(Key.of(side)));
      bySide += sum(snapshot.search(accounts, "side", search));
    }
    assertEquals(SUM, bySide + inPairs, "by a secondary index");
    long byBalance = 0;
    for (long low = -1000; low < 2000; low += 100) {
      KeySearch search = new KeySearch(ValueRange.closedOpen(Key.of(low), Key.of(low + 100)));
      byBalance += sum(snapshot.search(accounts, "balance", search));
    }
    assertEquals(SUM, byBalance + inPairs, "by the index of what changes");
    RecordQuery ordered = RecordQuery.by("balance", ValueRange.all().descending());
    assertEquals(SUM, sum(snapshot.query(accounts, ordered)) + inPairs, "in the order of it");
    KeySearch all = new KeySearch(ValueRange.all());
    assertEquals(ACCOUNTS, snapshot.countBy(accounts, "balance", all), "by the index");
    assertEquals(ACCOUNTS, snapshot.count(accounts, ValueRange.all()));
    long byKey = 0;
    for (int id = 0; id < ACCOUNTS; id++) {
      byKey += balance(snapshot.get(accounts, Key.of(id)).orElseThrow());
    }
    for (int id = 0; id < PAIRS; id++) {
      byKey += balance(snapshot.get(pairs, key(id)).orElseThrow());
    }
    assertEquals(SUM, byKey, "by keys");
  }

  private static long sum(RecordCursor cursor) throws StorageException {
    long sum = 0;
    try (cursor) {
      while (cursor.next()) {
        sum += balance(cursor.value().toByteArray());
      }
    }
    return sum;
  }
}
