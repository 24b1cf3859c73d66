package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeTransaction;
import dev.varve.dataset.internal.partition.RecordWriter.Operation;
import dev.varve.dataset.internal.partition.RefusingWriters;
import dev.varve.dataset.internal.partition.TransactionWriter;
import dev.varve.dataset.model.Isolation;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.options.KeyValueOptions;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A change of a transaction stops between its indexes, for a reason that is no typed error: the
 * transaction is over, and an owner who commits it all the same commits nothing.
 */
class HalfDoneChangeTest {
  private static final byte[] OLD = TestStore.person(1, "Ada", "London", 36);
  private static final byte[] NEW = TestStore.person(1, "Augusta", "Ockham", 37);

  private final TestStore store = TestStore.empty(11);

  /** An upsert puts into the primary, and deletes from and puts into each of two secondaries. */
  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5})
  void aChangeThatStopsHalfwayEndsItsTransaction(int refusedPut) throws StorageException {
    try (StorageEngine engine = store.open()) {
      Dataset people = engine.createDataset(TestStore.people());
      KeyValueStore pairs =
          engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20));
      people.upsert(OLD);
      NodeTransaction transaction =
          new NodeTransaction(people.managed.node(), Isolation.LOCKED_READS);
      Slice pair = new Slice(TestStore.bytes("pair"));
      transaction.writer(pairs.managed.partitions().get(0)).changePair(Operation.PUT, pair, pair);
      TransactionWriter writer =
          RefusingWriters.join(transaction, people.managed.lifecycles().get(0), refusedPut);
      assertThrows(
          OutOfMemoryError.class, () -> writer.changeRecord(Operation.UPSERT, new Slice(NEW)));

      assertFalse(transaction.active());
      assertThrows(IllegalStateException.class, transaction::commit);
      transaction.close();
      assertTrue(pairs.get(pair.toByteArray()).isEmpty(), "taken back in the other store, too");
      assertArrayEquals(OLD, people.get(Key.of(1)).orElseThrow());
      people.upsert(TestStore.person(2, "Alan", "London", 41));
      assertEquals(List.of(), engine.verify().problems());
    }
    store.faults.assertNothingOpen();

    try (StorageEngine again = store.open()) {
      Dataset people = again.dataset("people");
      assertArrayEquals(OLD, people.get(Key.of(1)).orElseThrow());
      assertEquals(List.of(), again.verify().problems());
    }
  }
}
