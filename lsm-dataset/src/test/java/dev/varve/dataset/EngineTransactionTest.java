package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.KeyValueOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Goal: a transaction over several datasets, partitions and key-value stores is one: it is seen,
 * taken back, refused and named as a whole. Method: two datasets of several partitions and a
 * key-value store on a disk in memory; crashes are those of {@link EngineTransactionCrashTest}.
 */
final class EngineTransactionTest {
  private static final DatasetOptions PEOPLE = TestStore.people().withPartitions(3);
  private static final DatasetOptions STAFF =
      DatasetOptions.of("staff", "id")
          .withIndexes(List.of(IndexDefinition.on("name")))
          .withMemoryBytes(1 << 20)
          .withPartitions(2);
  private static final KeyValueOptions PAIRS = KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20);

  private final TestStore store = TestStore.empty(31);

  private static byte[] person(long id) {
    return TestStore.person(id, "Ada", "London", 36);
  }

  private static byte[] bytes(String text) {
    return TestStore.bytes(text);
  }

  /** How a transaction ends. */
  private enum End {
    COMMIT,
    ABORT,
    CLOSE,
    COMMIT_OF_A_PART,
    ABORT_OF_A_PART
  }

  @ParameterizedTest
  @EnumSource
  void allStoresHaveItOrNone(End end) throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(PEOPLE);
      Dataset staff = engine.createDataset(STAFF);
      KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
      people.upsert(person(7));
      pairs.put(bytes("old"), bytes("1"));
      try (EngineTransaction transaction = engine.beginTransaction()) {
        RecordTransaction ofPeople = transaction.of(people);
        for (long id = 0; id < 7; id++) {
          ofPeople.insert(person(id));
          transaction.of(staff).upsert(person(id + 100));
        }
        ofPeople.delete(Key.of(7));
        KeyValueTransaction ofPairs = transaction.of(pairs);
        ofPairs.upsert(bytes("new"), bytes("2"));
        ofPairs.delete(bytes("old"));

        assertArrayEquals(person(3), ofPeople.get(Key.of(3)).orElseThrow(), "its own change");
        assertTrue(ofPeople.get(Key.of(7)).isEmpty(), "its own deletion");
        assertEquals(1, people.count(ValueRange.all()), "others see what was before");
        assertEquals(0, staff.count(ValueRange.all()));
        assertTrue(pairs.get(bytes("old")).isPresent());
        switch (end) {
          case COMMIT -> transaction.commit();
          case ABORT -> transaction.abort();
          case CLOSE -> {}
          case COMMIT_OF_A_PART -> ofPairs.commit();
          case ABORT_OF_A_PART -> ofPeople.abort();
        }
        assertEquals(end == End.CLOSE, transaction.active());
        assertEquals(end == End.CLOSE, ofPeople.active());
        if (end != End.CLOSE) {
          assertThrows(IllegalStateException.class, () -> ofPairs.insert(bytes("a"), bytes("b")));
        }
      }
      boolean committed = end == End.COMMIT || end == End.COMMIT_OF_A_PART;
      check(engine, committed);
    }
    store.faults.assertNothingOpen();
    try (StorageEngine again = store.open()) {
      check(again, end == End.COMMIT || end == End.COMMIT_OF_A_PART);
    }
  }

  private static void check(StorageEngine engine, boolean committed) throws StorageException {
    Dataset people = engine.dataset("people");
    KeyValueStore pairs = engine.keyValueStore("pairs");
    assertEquals(committed ? 7 : 1, people.count(ValueRange.all()));
    assertEquals(committed, people.get(Key.of(7)).isEmpty());
    assertEquals(committed ? 7 : 0, engine.dataset("staff").countBy("name", ValueRange.all()));
    assertEquals(committed, pairs.get(bytes("new")).isPresent());
    assertEquals(committed, pairs.get(bytes("old")).isEmpty());
    assertEquals(List.of(), engine.verify().problems());
  }

  @Test
  void aDatasetsOwnTransactionSpansItsPartitions() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(PEOPLE);
      try (RecordTransaction transaction = people.beginTransaction()) {
        for (long id = 0; id < 20; id++) {
          transaction.insert(person(id));
        }
        ConflictException twice =
            assertThrows(ConflictException.class, () -> transaction.insert(person(4)));
        assertEquals(ConflictException.Reason.DUPLICATE_KEY, twice.reason());
        transaction.commit();
      }
      assertEquals(20, people.count(ValueRange.all()));
    }
  }

  @Test
  void aCircleOfWaitsOverTwoStoresIsRefusedAtOnce(@TempDir Path directory) throws Exception {
    EngineOptions options = TestStore.options(directory).lockTimeoutMillis(60_000).build();
    try (StorageEngine engine = StorageEngine.open(options)) {
      Dataset people = engine.createDataset(PEOPLE);
      KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
      EngineTransaction victim = engine.beginTransaction();
      victim.of(pairs).upsert(bytes("a"), bytes("2"));
      CompletableFuture<Void> holds = new CompletableFuture<>();
      CompletableFuture<Void> other =
          CompletableFuture.runAsync(
              () -> {
                try (EngineTransaction transaction = engine.beginTransaction()) {
                  transaction.of(people).upsert(person(1));
                  holds.complete(null);
                  transaction.of(pairs).upsert(bytes("a"), bytes("1"));
                  transaction.commit();
                } catch (StorageException e) {
                  throw new AssertionError(e);
                }
              });
      holds.join();
      RecordTransaction ofPeople = victim.of(people);
      while (engine.parts().node().locks().stats().waits() == 0) {
        Thread.onSpinWait();
      }
      ConflictException e = assertThrows(ConflictException.class, () -> ofPeople.upsert(person(1)));
      assertEquals(ConflictException.Reason.DEADLOCK, e.reason());
      assertFalse(victim.active(), "it is aborted as a whole");
      victim.close();
      other.join();
      assertArrayEquals(bytes("1"), pairs.get(bytes("a")).orElseThrow());
    }
  }

  @Test
  void whatIsTooLargeForADatasetIsRefusedWhateverPartitionsItIsIn() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(PEOPLE);
      KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
      EngineTransaction transaction = engine.beginTransaction();
      transaction.of(pairs).upsert(bytes("a"), bytes("1"));
      RecordTransaction ofPeople = transaction.of(people);
      String filler = "x".repeat(10_000);
      LimitException e =
          assertThrows(
              LimitException.class,
              () -> {
                for (long id = 0; id < 1000; id++) {
                  ofPeople.upsert(bytes("{\"id\":" + id + ",\"x\":\"" + filler + "\"}"));
                }
              });
      assertTrue(e.getMessage().contains("'people'"), e.getMessage());
      assertFalse(transaction.active());
      assertTrue(pairs.get(bytes("a")).isEmpty());
      assertEquals(0, people.count(ValueRange.all()));
      transaction.close();
    }
  }

  @Test
  void oneThatIsLeftOpenIsNamedWithAllItsPartitionsAndEndedInAll() throws StorageException {
    EngineOptions options = TestStore.options().transactionTimeoutMillis(1000).build();
    try (StorageEngine engine = store.open(options)) {
      Dataset people = engine.createDataset(PEOPLE.withPartitions(1));
      KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
      EngineTransaction transaction = engine.beginTransaction();
      transaction.of(people).upsert(person(1));
      transaction.of(pairs).upsert(bytes("a"), bytes("1"));
      assertEquals(
          List.of("partition 0 of 'people', partition 0 of 'pairs'"),
          engine.waits().transactions().stream().map(held -> held.dataset()).toList());
      store.executor.runForNanos(2_000_000_000L);
      assertFalse(transaction.active());
      ConflictException e = assertThrows(ConflictException.class, transaction::commit);
      assertEquals(ConflictException.Reason.TRANSACTION_TIMED_OUT, e.reason());
      people.upsert(person(1));
      pairs.put(bytes("a"), bytes("2"));
      transaction.close();
    }
  }

  @Test
  void anEngineThatClosesEndsItEverywhere() throws StorageException {
    StorageEngine engine = store.open();
    Dataset people = engine.createDataset(PEOPLE);
    KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
    people.upsert(person(1));
    EngineTransaction transaction = engine.beginTransaction();
    transaction.of(people).delete(Key.of(1));
    transaction.of(pairs).upsert(bytes("a"), bytes("1"));
    ConflictException left = assertThrows(ConflictException.class, engine::close);
    assertEquals(ConflictException.Reason.LEFT_OPEN, left.reason());
    assertFalse(transaction.active());
    transaction.close();
    try (StorageEngine again = store.open()) {
      assertTrue(again.dataset("people").get(Key.of(1)).isPresent());
      assertTrue(again.keyValueStore("pairs").get(bytes("a")).isEmpty());
      assertEquals(List.of(), again.verify().problems());
    }
  }

  @Test
  void storesOfAnotherEngineAreRefused() throws StorageException {
    try (StorageEngine engine = store.open();
        StorageEngine other = store.open(TestStore.options(Path.of("/other")).build())) {
      Dataset foreign = other.createDataset(PEOPLE);
      KeyValueStore foreignPairs = other.createKeyValueStore("pairs", PAIRS);
      try (EngineTransaction transaction = engine.beginTransaction()) {
        assertThrows(IllegalArgumentException.class, () -> transaction.of(foreign));
        assertThrows(IllegalArgumentException.class, () -> transaction.of(foreignPairs));
        transaction.commit();
      }
    }
  }
}
