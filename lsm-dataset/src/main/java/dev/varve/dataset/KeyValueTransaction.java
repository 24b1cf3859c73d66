package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeTransaction;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.internal.partition.RecordWriter;
import dev.varve.dataset.internal.partition.TransactionWriter;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.ValueChange;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.transaction.lock.LockMode;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * A transaction over several pairs of a key-value store: all of them or none; or the part in one
 * store of an {@link EngineTransaction}, which it ends as a whole. It holds its locks to the end. A
 * pair that is refused for what it is (duplicate, over a limit) leaves the transaction as it was;
 * any other failure aborts it: a deadlock, a lock time-out, a full disk, or more changes than the
 * store's memory takes. {@link #close} without {@link #commit} aborts. While it is open, its
 * changes hold up flushes; it is meant to be short. An engine that is closed waits for it, and then
 * aborts it: every later call but {@link #close} throws a {@link ConflictException} with {@code
 * ABORTED}. An open engine aborts it, too, when it is open for longer than {@code
 * transactionTimeoutMillis}; the reason is {@code TRANSACTION_TIMED_OUT} then. Confined to one
 * thread.
 */
public final class KeyValueTransaction extends StoreTransaction {
  private final Partition partition;
  private final TransactionWriter writer;

  /** A transaction's changes in a partition. */
  KeyValueTransaction(NodeTransaction transaction, Partition partition) throws StorageException {
    super(transaction);
    this.partition = partition;
    this.writer = transaction.writer(partition);
  }

  /**
   * Inserts a pair.
   *
   * @throws ConflictException with {@code DUPLICATE_KEY} when the key is there
   */
  public void insert(Slice key, Slice value) throws StorageException {
    writer.changePair(RecordWriter.Operation.INSERT, key, value);
  }

  /** Inserts a pair; see {@link #insert(Slice, Slice)}. */
  public void insert(byte[] key, byte[] value) throws StorageException {
    insert(new Slice(key), new Slice(value));
  }

  /** Inserts a pair or replaces the one with its key. */
  public WriteOutcome upsert(byte[] key, byte[] value) throws StorageException {
    return upsert(new Slice(key), new Slice(value));
  }

  /** Inserts a pair or replaces the one with its key. */
  public WriteOutcome upsert(Slice key, Slice value) throws StorageException {
    return writer.changePair(RecordWriter.Operation.UPSERT, key, value);
  }

  /** Deletes the pair with a key, if there is one. */
  public WriteOutcome delete(Slice key) throws StorageException {
    return writer.deleteKey(key);
  }

  /** Deletes the pair with a key, if there is one. */
  public WriteOutcome delete(byte[] key) throws StorageException {
    return delete(new Slice(key));
  }

  /** Reads a value under a shared lock; see {@link #get(Slice, KeyValue)}. */
  public Optional<byte[]> get(byte[] key) throws StorageException {
    KeyValue found = new KeyValue();
    return get(new Slice(key), found) ? Optional.of(found.value().toByteArray()) : Optional.empty();
  }

  /**
   * Reads a pair under a shared lock that is held to the end, own changes included.
   *
   * @param found filled with copies of key and value when the result is true
   */
  public boolean get(Slice key, KeyValue found) throws StorageException {
    return writer.get(key, LockMode.SHARED, found.entry);
  }

  /**
   * Reads a pair that this transaction will change: under the lock that the change takes. Of two
   * that read with {@link #get} before they change the same pair, each would wait for the other to
   * let go, and one would be aborted.
   */
  public boolean getForUpdate(Slice key, KeyValue found) throws StorageException {
    return writer.get(key, LockMode.EXCLUSIVE, found.entry);
  }

  /**
   * Changes the value of a key by what it is now, under the lock that the change takes.
   *
   * @param change is given the value, own changes included, or nothing where the key is not there,
   *     and returns what it becomes; nothing deletes the pair. What it throws goes through, and the
   *     pair stays as it was
   * @return what the function has returned
   */
  public Optional<byte[]> update(byte[] key, UnaryOperator<Optional<byte[]>> change)
      throws StorageException {
    KeyValue found = new KeyValue();
    Optional<byte[]> before =
        getForUpdate(new Slice(key), found)
            ? Optional.of(found.value().toByteArray())
            : Optional.empty();
    Optional<byte[]> after = change.apply(before);
    if (after.isPresent()) {
      upsert(key, after.get());
    } else if (before.isPresent()) {
      delete(key);
    }
    return after;
  }

  /** Changes the value of a key by what it is; see {@link #update}. */
  public Optional<byte[]> modify(byte[] key, ValueChange change) throws StorageException {
    return update(key, change::of);
  }

  /**
   * Has an operand change what a key has, as {@link KeyValueStore#merge(byte[], byte[])} does but
   * with a look at that, which an abort brings back.
   */
  public void merge(byte[] key, byte[] operand) throws StorageException {
    KeyValueOptions.Operator operator = writer.operator();
    operator.require(new Slice(operand));
    modify(key, operator.change(operand));
  }

  /**
   * Scans as {@link KeyValueStore#scan} does, with its own changes up to the scan's opening;
   * whether later ones are seen is not said. It locks nothing.
   */
  @MustBeClosed
  public RecordCursor scan(KeyRange keys) throws StorageException {
    return transaction.scan(partition, keys);
  }
}
