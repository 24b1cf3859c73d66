package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.Savepoint;
import dev.varve.dataset.model.ValueChange;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.KeyValueOptions;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: a change that depends on what is there is never lost and never half done. Method: counters
 * that several threads raise; functions that return nothing, throw, or give another key.
 */
final class UpdateTest {
  private static final KeyValueOptions PAIRS = KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20);
  private static final byte[] KEY = TestStore.bytes("counter");
  private static final int THREADS = 4;
  private static final int TIMES = 50;

  private final TestStore store = TestStore.empty(41);

  private static Optional<byte[]> one(Optional<byte[]> found) {
    int before = found.map(value -> Integer.parseInt(text(value))).orElse(0);
    return Optional.of(TestStore.bytes(Integer.toString(before + 1)));
  }

  private static String text(byte[] value) {
    return new String(value, StandardCharsets.UTF_8);
  }

  @Test
  void updatesOfOneKeyByManyThreadsAllCount(@TempDir Path directory) throws StorageException {
    try (StorageEngine engine = StorageEngine.open(TestStore.options(directory).build())) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
      Dataset people = engine.createDataset(TestStore.people().withPartitions(2));
      List<CompletableFuture<Void>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        all.add(
            CompletableFuture.runAsync(
                () -> {
                  try {
                    for (int i = 0; i < TIMES; i++) {
                      pairs.update(KEY, UpdateTest::one);
                      people.update(Key.of(1), found -> Optional.of(grown(found.orElse(null))));
                    }
                  } catch (StorageException e) {
                    throw new AssertionError(e);
                  }
                }));
      }
      all.forEach(CompletableFuture::join);
      assertEquals(Integer.toString(THREADS * TIMES), text(pairs.get(KEY).orElseThrow()));
      assertArrayEquals(
          TestStore.person(1, "Ada", "London", THREADS * TIMES),
          people.get(Key.of(1)).orElseThrow());
      assertEquals(1, people.countBy("name", ValueRange.all()));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  private static byte[] grown(byte @Nullable [] record) {
    if (record == null) {
      return TestStore.person(1, "Ada", "London", 1);
    }
    String json = text(record);
    int age = Integer.parseInt(json.substring(json.lastIndexOf(':') + 1, json.length() - 1));
    return TestStore.person(1, "Ada", "London", age + 1);
  }

  /** A blind change makes what was read for an update before it old. */
  @Test
  void whatWasReadForAnUpdateIsOldAfterABlindChange() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset plain = engine.createDataset(DatasetOptions.of("plain", "id"));
      plain.upsert(TestStore.person(2, "Alan", "London", 41));
      try (RecordTransaction transaction = plain.beginTransaction()) {
        assertTrue(transaction.getForUpdate(Key.of(1)).isEmpty());
        transaction.upsert(TestStore.person(1, "Ada", "London", 36));
        ConflictException there =
            assertThrows(
                ConflictException.class,
                () -> transaction.insert(TestStore.person(1, "Byron", "London", 36)));
        assertEquals(ConflictException.Reason.DUPLICATE_KEY, there.reason());
      }
      try (RecordTransaction transaction = plain.beginTransaction()) {
        assertTrue(transaction.getForUpdate(Key.of(2)).isPresent());
        transaction.upsert(TestStore.person(2, "Turing", "London", 41));
        Savepoint place = transaction.savepoint();
        transaction.delete(Key.of(2));
        transaction.rollbackTo(place);
        byte[] kept = transaction.get(Key.of(2)).orElseThrow();
        assertTrue(new String(kept, StandardCharsets.UTF_8).contains("Turing"));
        transaction.commit();
      }
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  /** What a transaction has read for an update is not looked up again, unless it has changed. */
  @Test
  void whatWasReadForAnUpdateIsChangedAsItIsByThen() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people());
      people.upsert(TestStore.person(1, "Ada", "London", 36));
      people.upsert(TestStore.person(2, "Alan", "London", 41));
      try (RecordTransaction transaction = people.beginTransaction()) {
        assertTrue(transaction.getForUpdate(Key.of(1)).isPresent());
        people.flush();
        transaction.upsert(TestStore.person(1, "Augusta", "London", 36));
        transaction.upsert(TestStore.person(1, "Lovelace", "London", 36));
        assertTrue(transaction.getForUpdate(Key.of(1)).isPresent());
        transaction.upsert(TestStore.person(2, "Turing", "London", 41));
        Savepoint place = transaction.savepoint();
        transaction.upsert(TestStore.person(1, "Byron", "London", 36));
        assertTrue(transaction.getForUpdate(Key.of(1)).isPresent());
        transaction.rollbackTo(place);
        transaction.upsert(TestStore.person(1, "King", "London", 36));
        assertTrue(transaction.getForUpdate(Key.of(3)).isEmpty());
        assertEquals(
            WriteOutcome.ABSENT, transaction.upsert(TestStore.person(3, "Grace", "York", 1)));
        assertTrue(transaction.getForUpdate(Key.of(4)).isEmpty());
        assertEquals(WriteOutcome.ABSENT, transaction.delete(Key.of(4)));
        transaction.commit();
      }
      for (String name : List.of("King", "Turing", "Grace")) {
        assertEquals(1, people.countBy("name", ValueRange.exactly(Key.of(name))), name);
      }
      assertEquals(3, people.countBy("name", ValueRange.all()));
      people.flush();
      people.compact();
      assertEquals(3, people.count(ValueRange.all()));
      assertEquals(List.of(), engine.verify().problems());
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void nothingDeletesAndAnExceptionLeavesAllAsItWas() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
      Dataset people = engine.createDataset(TestStore.people());
      assertTrue(pairs.update(KEY, found -> Optional.empty()).isEmpty());
      pairs.put(KEY, TestStore.bytes("7"));
      people.upsert(TestStore.person(1, "Ada", "London", 36));
      IllegalStateException planned = new IllegalStateException("planned");
      assertSame(
          planned,
          assertThrows(
              IllegalStateException.class,
              () ->
                  pairs.update(
                      KEY,
                      found -> {
                        throw planned;
                      })));
      assertArrayEquals(TestStore.bytes("7"), pairs.get(KEY).orElseThrow());
      pairs.update(KEY, found -> Optional.empty());
      people.update(Key.of(1), found -> Optional.empty());
      assertTrue(pairs.get(KEY).isEmpty());
      assertTrue(people.get(Key.of(1)).isEmpty());
      assertEquals(0, people.countBy("name", ValueRange.all()));
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void anotherKeyIsRefused() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people().withPartitions(2));
      people.upsert(TestStore.person(1, "Ada", "London", 36));
      RequestException e =
          assertThrows(
              RequestException.class,
              () ->
                  people.update(
                      Key.of(1), found -> Optional.of(TestStore.person(2, "Ada", "London", 36))));
      assertEquals(RequestException.Reason.MALFORMED_RECORD, e.reason());
      assertEquals(1, people.count(ValueRange.all()));
    }
  }

  @Test
  void aPatchThatIsRefusedLeavesTheRecordAndTheTransaction() throws StorageException {
    byte[] old = TestStore.person(1, "Ada", "London", 36);
    List<String> refused = List.of("[]", "{\"id\":2}", "{\"id\":null}", "{\"a\":{");
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people().withPartitions(2));
      people.upsert(old);
      try (RecordSession session = people.openSession()) {
        for (String patch : refused) {
          byte[] bytes = TestStore.bytes(patch);
          assertThrows(RequestException.class, () -> session.patch(Key.of(1), bytes), patch);
        }
      }
      try (RecordTransaction transaction = people.beginTransaction()) {
        for (String patch : refused) {
          byte[] bytes = TestStore.bytes(patch);
          assertThrows(RequestException.class, () -> transaction.patch(Key.of(1), bytes), patch);
          assertTrue(transaction.active());
        }
        transaction.patch(Key.of(1), TestStore.bytes("{\"name\":\"Augusta\"}"));
        transaction.commit();
      }
      byte[] tooLong = TestStore.bytes("{\"name\":\"" + "x".repeat(30_000) + "\"}");
      assertThrows(LimitException.class, () -> people.patch(Key.of(1), tooLong));
      assertArrayEquals(
          TestStore.person(1, "Augusta", "London", 36), people.get(Key.of(1)).orElseThrow());
      assertEquals(List.of(), engine.verify().problems());
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void modificationsAreOnesOfTheValueThatIsThere() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
      assertArrayEquals(
          TestStore.bytes("ab"),
          pairs.modify(KEY, ValueChange.append(TestStore.bytes("ab"))).get());
      pairs.modify(KEY, ValueChange.append(TestStore.bytes("c")));
      assertThrows(IllegalArgumentException.class, () -> pairs.modify(KEY, ValueChange.addLong(1)));
      pairs.modify(KEY, ValueChange.max(TestStore.bytes("abb")));
      assertArrayEquals(TestStore.bytes("abc"), pairs.get(KEY).orElseThrow());
      try (KeyValueTransaction transaction = pairs.beginTransaction()) {
        transaction.modify(KEY, ValueChange.max(TestStore.bytes("b")));
        transaction.commit();
      }
      assertArrayEquals(TestStore.bytes("b"), pairs.get(KEY).orElseThrow());
      assertTrue(pairs.modify(KEY, before -> Optional.empty()).isEmpty());
      assertFalse(pairs.exists(KEY));
      pairs.modify(KEY, ValueChange.addLong(-2));
      assertArrayEquals(new byte[] {-1, -1, -1, -1, -1, -1, -1, -2}, pairs.get(KEY).orElseThrow());
      pairs.modify(KEY, ValueChange.addLong(3));
      assertArrayEquals(new byte[] {0, 0, 0, 0, 0, 0, 0, 1}, pairs.get(KEY).orElseThrow());
      assertThrows(
          LimitException.class, () -> pairs.modify(KEY, ValueChange.append(new byte[(32 << 10)])));
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void compareAndSetChangesOnlyWhatIsExpected() throws StorageException {
    Optional<byte[]> nothing = Optional.empty();
    Optional<byte[]> one = Optional.of(TestStore.bytes("1"));
    Optional<byte[]> two = Optional.of(TestStore.bytes("2"));
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
      assertFalse(pairs.compareAndSet(KEY, one, two));
      assertTrue(pairs.get(KEY).isEmpty());
      assertTrue(pairs.compareAndSet(KEY, nothing, one));
      assertFalse(pairs.compareAndSet(KEY, nothing, two));
      assertFalse(pairs.compareAndSet(KEY, two, one));
      assertArrayEquals(one.orElseThrow(), pairs.get(KEY).orElseThrow());
      assertTrue(pairs.compareAndSet(KEY, one, two));
      assertArrayEquals(two.orElseThrow(), pairs.get(KEY).orElseThrow());
      assertTrue(pairs.compareAndSet(KEY, two, nothing));
      assertTrue(pairs.get(KEY).isEmpty());
    }
  }

  @Test
  void aTransactionUpdatesWhatItHasChanged() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
      Dataset people = engine.createDataset(TestStore.people());
      try (EngineTransaction transaction = engine.beginTransaction()) {
        transaction.of(pairs).update(KEY, UpdateTest::one);
        transaction.of(pairs).update(KEY, UpdateTest::one);
        transaction.of(people).update(Key.of(1), found -> Optional.of(grown(null)));
        transaction.of(people).update(Key.of(1), found -> Optional.of(grown(found.orElseThrow())));
        transaction.commit();
      }
      assertArrayEquals(TestStore.bytes("2"), pairs.get(KEY).orElseThrow());
      assertArrayEquals(
          TestStore.person(1, "Ada", "London", 2), people.get(Key.of(1)).orElseThrow());
    }
  }
}
