package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.NodeTransaction;
import dev.varve.dataset.model.Isolation;

/**
 * A transaction over any datasets and key-value stores of an engine, and all of their partitions:
 * all of its changes or none, in all indexes, after any crash. {@link #of(Dataset)} and {@link
 * #of(KeyValueStore)} give what changes and reads one of them; these, too, commit and abort the
 * whole. It holds its locks to the end; a wait that would close a circle of waits is refused at
 * once, in whichever stores the circle lies. What is refused and what aborts the transaction is
 * said at {@link RecordTransaction}. It waits for memory only before it has changed or read
 * anything, since it would hold up others' flushes meanwhile; where the memory of a store is full
 * later, it is aborted with {@code STALLED}, and may be tried again.
 *
 * <p>The record-level transactions of section 4.4 of <em>Storage Management in AsterixDB</em>, with
 * one commit record for several records. Confined to one thread; {@link #close} without {@link
 * #commit} aborts.
 */
public final class EngineTransaction extends StoreTransaction {
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // ends with this
  EngineTransaction(NodeContext node, Isolation isolation) throws StorageException {
    super(new NodeTransaction(node, isolation));
  }

  /**
   * Its changes and reads of a dataset.
   *
   * @throws IllegalArgumentException when the dataset is one of another engine
   */
  @SuppressWarnings("MustBeClosedChecker") // this transaction is closed
  public RecordTransaction of(Dataset dataset) {
    dataset.requireOf(transaction.node());
    return new RecordTransaction(transaction, dataset.managed.partitions());
  }

  /**
   * Its changes and reads of a key-value store.
   *
   * @throws IllegalArgumentException when the store is one of another engine
   */
  @SuppressWarnings("MustBeClosedChecker") // this transaction is closed
  public KeyValueTransaction of(KeyValueStore store) throws StorageException {
    store.requireOf(transaction.node());
    return new KeyValueTransaction(transaction, store.managed.partitions().get(0));
  }
}
