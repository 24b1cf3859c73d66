package dev.varve.dataset;

import static dev.varve.dataset.KeyValueModel.slice;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.PartitionLifecycle;
import dev.varve.dataset.internal.partition.RecordWriter;
import dev.varve.dataset.internal.partition.RefusingWriters;
import dev.varve.dataset.internal.partition.SessionWriter;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.ValueRange;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.transaction.log.Durability;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A memory component refuses an operation whose commit is in the log already: nothing is written
 * any more, nobody sees what is not decided, nothing newer is flushed over it, and recovery brings
 * it back.
 */
class LostCommitTest {
  private final TestStore store = TestStore.empty(9);

  @Test
  void anOperationThatIsCommittedAndNotAppliedComesBackWithRecovery() throws StorageException {
    StorageEngine engine = store.open();
    KeyValueStore pairs = engine.createKeyValueStore(KeyValueModel.NAME, KeyValueModel.options());
    try (KeyValueSession session = pairs.openSession()) {
      session.put(slice("a"), slice("old"));
      session.put(slice("b"), slice("old"));
    }
    pairs.flush();
    // Two that were let in before the failure, and are in the component beside the lost one.
    KeyValueSession beside = pairs.openSession();
    beside.put(slice("c"), slice("new"));
    PartitionLifecycle lifecycle = pairs.managed.lifecycles().get(0);
    KeyValueSession losing =
        new KeyValueSession(RefusingWriters.session(lifecycle, Durability.POWER_LOSS, slice("a")));
    losing.put(slice("b"), slice("new"));
    assertThrows(OutOfMemoryError.class, () -> losing.put(slice("a"), slice("new")));

    assertThrows(DiskException.class, () -> losing.put(slice("d"), slice("1")));
    assertThrows(DiskException.class, () -> beside.put(slice("d"), slice("1")));
    assertThrows(DiskException.class, pairs::openSession);
    assertThrows(DiskException.class, pairs::flush);
    assertThrows(OutcomeUnknownException.class, losing::force);
    assertThrows(OutcomeUnknownException.class, () -> KeyValueModel.get(pairs, "b"));
    assertThrows(OutcomeUnknownException.class, losing::close);
    // Neither the end of the session nor that of another unlocks it.
    assertTrue(engine.parts().node().locks().stats().locked() >= 2);
    beside.close();
    assertEquals("new", KeyValueModel.get(pairs, "c"));
    // What is in memory stays there: a component that claims the lost operation must not exist.
    pairs.managed.writeBuffer().seal();
    store.executor.runUntilIdle();
    assertEquals(1, TestStore.index(pairs).flushes());
    engine.close();
    store.faults.assertNothingOpen();

    try (StorageEngine again = store.open()) {
      assertEquals(3, again.stats().recovery().redoneOperations());
      KeyValueStore there = again.keyValueStore(KeyValueModel.NAME);
      assertEquals("new", KeyValueModel.get(there, "a"));
      assertEquals("new", KeyValueModel.get(there, "b"));
      assertEquals("new", KeyValueModel.get(there, "c"));
      assertEquals(List.of(), again.verify().problems());
    }
  }

  /** A blind upsert puts into the primary and into each of two secondaries. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  void aBlindChangeThatStopsBetweenItsIndexesComesBackWholeWithRecovery(int refusedPut)
      throws StorageException {
    StorageEngine engine = store.open();
    Dataset people =
        engine.createDataset(TestStore.people().withMaintenance(IndexMaintenance.LAZY));
    people.upsert(TestStore.person(1, "Ada", "London", 36));
    people.flush();
    SessionWriter losing = RefusingWriters.session(people.managed.lifecycles().get(0), refusedPut);
    Slice changed = new Slice(TestStore.person(1, "Augusta", "Ockham", 37));
    assertThrows(
        OutOfMemoryError.class, () -> losing.writeRecord(RecordWriter.Operation.UPSERT, changed));

    if (refusedPut > 1) {
      // What is in memory is not decided; before that, readers find what is on disk.
      assertThrows(OutcomeUnknownException.class, () -> people.get(Key.of(1)));
    }
    assertThrows(OutcomeUnknownException.class, losing::close);
    people.managed.writeBuffer().seal();
    store.executor.runUntilIdle();
    engine.close();
    store.faults.assertNothingOpen();

    try (StorageEngine again = store.open()) {
      Dataset there = again.dataset("people");
      assertArrayEquals(changed.toByteArray(), there.get(Key.of(1)).orElseThrow());
      assertEquals(1, there.countBy("name", ValueRange.exactly(Key.of("Augusta"))));
      assertEquals(0, there.countBy("name", ValueRange.exactly(Key.of("Ada"))));
      assertEquals(List.of(), again.verify().problems());
    }
  }
}
