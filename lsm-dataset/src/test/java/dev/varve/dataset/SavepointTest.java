package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.internal.partition.NodeTransaction;
import dev.varve.dataset.internal.partition.RecordWriter.Operation;
import dev.varve.dataset.internal.partition.RefusingWriters;
import dev.varve.dataset.internal.partition.TransactionWriter;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.Savepoint;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.KeyValueOptions;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: a transaction that goes back to a savepoint is as if it had never gone on: for its own
 * reads, for others after its commit, and after a crash. Method: chosen sequences; the model and
 * crash tests of datasets, filters, key-value stores and engines do the same at random.
 */
final class SavepointTest {
  private static final KeyValueOptions PAIRS =
      KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20).withLargeValueBytes(0);
  private static final byte[] OLD = TestStore.person(1, "Ada", "London", 36);
  private static final byte[] NEW = TestStore.person(1, "Augusta", "Ockham", 37);
  private static final byte[] NEWER = TestStore.person(1, "Lovelace", "Paris", 38);
  private static final byte[] OTHER = TestStore.person(2, "Alan", "London", 41);
  private static final byte[] PAIR = TestStore.bytes("a");

  private TestStore store = TestStore.empty(51);

  @ParameterizedTest
  @EnumSource
  void ownReadsSeeWhatWasThereAndACommitAndACrashKeepIt(IndexMaintenance maintenance)
      throws StorageException {
    StorageEngine engine = store.open();
    Dataset people =
        engine.createDataset(
            TestStore.people()
                .withPartitions(2)
                .withPrimaryKeyIndex()
                .withMaintenance(maintenance));
    KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
    people.upsert(OLD);
    people.flush();
    try (EngineTransaction transaction = engine.beginTransaction()) {
      RecordTransaction own = transaction.of(people);
      own.upsert(NEW);
      Savepoint first = transaction.savepoint();
      own.upsert(NEWER);
      Savepoint second = own.savepoint();
      own.delete(Key.of(1));
      own.insert(OTHER);
      transaction.of(pairs).upsert(PAIR, PAIR);
      assertEquals(0, TestStore.records(own.search("name", name("Lovelace"))).size());

      transaction.rollbackTo(second);
      assertArrayEquals(NEWER, own.get(Key.of(1)).orElseThrow());
      assertTrue(own.get(Key.of(2)).isEmpty());
      assertTrue(transaction.of(pairs).get(PAIR).isEmpty());
      assertEquals(1, TestStore.records(own.search("name", name("Lovelace"))).size());
      assertEquals(1, TestStore.records(own.scan(ValueRange.all())).size());

      own.delete(Key.of(1));
      own.rollbackTo(first);
      assertArrayEquals(NEW, own.get(Key.of(1)).orElseThrow());
      assertEquals(1, TestStore.records(own.search("name", name("Augusta"))).size());
      assertEquals(0, TestStore.records(own.search("name", name("Lovelace"))).size());
      assertEquals(0, TestStore.records(own.search("name", name("Alan"))).size());
      assertArrayEquals(OLD, people.get(Key.of(1)).orElseThrow(), "others see what is committed");

      own.insert(OTHER);
      own.rollbackTo(first);
      transaction.commit();
    }
    check(engine);
    store = new TestStore(store.files.crash(Seeds.random(1)), 52);
    try (StorageEngine again = store.open()) {
      check(again);
      again.dataset("people").flush();
      again.dataset("people").compact();
      check(again);
    }
    engine.close();
  }

  private static void check(StorageEngine engine) throws StorageException {
    Dataset people = engine.dataset("people");
    assertArrayEquals(NEW, people.get(Key.of(1)).orElseThrow());
    assertEquals(1, people.count(ValueRange.all()));
    assertEquals(1, people.countBy("name", ValueRange.all()));
    assertEquals(1, people.countBy("name", name("Augusta")));
    assertTrue(engine.keyValueStore("pairs").get(PAIR).isEmpty());
    assertEquals(List.of(), engine.verify().problems());
  }

  private static KeyRange name(String name) {
    return ValueRange.exactly(Key.of(name));
  }

  @Test
  void anAbortAfterwardsTakesBackTheRest() throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people());
      people.upsert(OLD);
      try (RecordTransaction transaction = people.beginTransaction()) {
        transaction.upsert(NEW);
        Savepoint place = transaction.savepoint();
        transaction.delete(Key.of(1));
        transaction.rollbackTo(place);
        transaction.upsert(NEWER);
      }
      people.flush();
      assertArrayEquals(OLD, people.get(Key.of(1)).orElseThrow());
      assertEquals(1, people.countBy("name", name("Ada")));
      assertEquals(List.of(), engine.verify().problems());
    }
    store.faults.assertNothingOpen();
  }

  @Test
  void aSavepointThatWasForgottenOrIsOfAnotherTransactionIsRefused() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
      try (KeyValueTransaction one = pairs.beginTransaction();
          KeyValueTransaction two = pairs.beginTransaction()) {
        Savepoint first = one.savepoint();
        one.upsert(PAIR, PAIR);
        Savepoint second = one.savepoint();
        assertThrows(IllegalArgumentException.class, () -> two.rollbackTo(first));
        one.rollbackTo(first);
        Savepoint third = one.savepoint();
        one.upsert(PAIR, OLD);
        assertThrows(IllegalArgumentException.class, () -> one.rollbackTo(second));
        assertArrayEquals(OLD, one.get(PAIR).orElseThrow(), "what is refused changes nothing");
        one.rollbackTo(third);
        one.commit();
        assertThrows(IllegalStateException.class, () -> one.rollbackTo(first));
      }
      assertTrue(pairs.get(PAIR).isEmpty());
    }
  }

  /** The upsert after the savepoint makes five puts, and so does going back. */
  @ParameterizedTest
  @ValueSource(ints = {6, 7, 8, 9, 10})
  void goingBackThatFailsAnywhereAbortsAll(int refusedPut) throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people());
      people.upsert(OLD);
      NodeTransaction transaction =
          new NodeTransaction(people.managed.node(), Isolation.LOCKED_READS);
      TransactionWriter writer =
          RefusingWriters.join(transaction, people.managed.lifecycles().get(0), refusedPut);
      Savepoint place = transaction.savepoint();
      writer.changeRecord(Operation.UPSERT, new Slice(NEW));
      assertThrows(OutOfMemoryError.class, () -> transaction.rollbackTo(place));
      assertFalse(transaction.active());
      transaction.close();
      assertArrayEquals(OLD, people.get(Key.of(1)).orElseThrow());
      assertEquals(List.of(), engine.verify().problems());
    }
    try (StorageEngine again = store.open()) {
      assertArrayEquals(OLD, again.dataset("people").get(Key.of(1)).orElseThrow());
      assertEquals(List.of(), again.verify().problems());
    }
  }

  @Test
  void goingBackAgainAndAgainIsBoundedByTheMemoryOfATransaction() throws StorageException {
    try (StorageEngine engine = store.open()) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", PAIRS);
      byte[] value = new byte[20_000];
      try (KeyValueTransaction transaction = pairs.beginTransaction()) {
        transaction.upsert(PAIR, value);
        Savepoint place = transaction.savepoint();
        assertThrows(
            LimitException.class,
            () -> {
              for (int i = 0; i < 1000; i++) {
                transaction.upsert(PAIR, value);
                transaction.rollbackTo(place);
              }
            });
        assertFalse(transaction.active());
      }
      assertTrue(pairs.get(PAIR).isEmpty());
    }
  }
}
