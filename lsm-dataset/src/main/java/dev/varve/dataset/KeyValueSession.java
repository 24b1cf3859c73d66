package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.RecordWriter;
import dev.varve.dataset.internal.partition.SessionWriter;
import dev.varve.dataset.model.ValueChange;
import dev.varve.dataset.model.WriteBatch;
import dev.varve.dataset.model.WriteOutcome;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A session of a key-value store; see {@link Session}. */
public final class KeyValueSession implements Session {
  private final SessionWriter writer;
  private final Slice keyView = new Slice();
  private final Slice valueView = new Slice();

  KeyValueSession(SessionWriter writer) {
    this.writer = writer;
  }

  /**
   * Puts a pair, whatever was there: an upsert that looks nothing up, and so the fastest write.
   *
   * @throws dev.varve.common.error.LimitException when key or value is over its bound
   */
  public void put(Slice key, Slice value) throws StorageException {
    writer.writePair(RecordWriter.Operation.PUT, key, value);
  }

  /** Puts a pair, whatever was there; see {@link #put(Slice, Slice)}. */
  public void put(byte[] key, byte[] value) throws StorageException {
    put(view(key), valueView.set(value, 0, value.length));
  }

  /**
   * Inserts a pair.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DUPLICATE_KEY} when the key is
   *     there
   */
  public void insert(Slice key, Slice value) throws StorageException {
    writer.writePair(RecordWriter.Operation.INSERT, key, value);
  }

  /** Inserts a pair; see {@link #insert(Slice, Slice)}. */
  public void insert(byte[] key, byte[] value) throws StorageException {
    insert(view(key), valueView.set(value, 0, value.length));
  }

  /** Inserts a pair or replaces the one with its key. */
  public WriteOutcome upsert(Slice key, Slice value) throws StorageException {
    return writer.writePair(RecordWriter.Operation.UPSERT, key, value);
  }

  /** Inserts a pair or replaces the one with its key. */
  public WriteOutcome upsert(byte[] key, byte[] value) throws StorageException {
    return upsert(view(key), valueView.set(value, 0, value.length));
  }

  /** Deletes the pair with a key, if there is one, and says whether there was. */
  public WriteOutcome delete(Slice key) throws StorageException {
    return writer.delete(key);
  }

  /** Deletes the pair with a key, if there is one, and says whether there was. */
  public WriteOutcome delete(byte[] key) throws StorageException {
    return delete(view(key));
  }

  /** Has an operand change what a key has; see {@link KeyValueStore#merge(Slice, Slice)}. */
  public void merge(Slice key, Slice operand) throws StorageException {
    writer.merge(key, operand);
  }

  /** Has an operand change what a key has; see {@link KeyValueStore#merge(Slice, Slice)}. */
  public void merge(byte[] key, byte[] operand) throws StorageException {
    merge(view(key), valueView.set(operand, 0, operand.length));
  }

  /** Takes a key out, whether it was there or not, and looks nothing up: the fastest deletion. */
  public void remove(Slice key) throws StorageException {
    writer.remove(key);
  }

  /** Takes a key out, whether it was there or not; see {@link #remove(Slice)}. */
  public void remove(byte[] key) throws StorageException {
    remove(view(key));
  }

  /**
   * Makes all changes of a batch, or none, in one transaction, and looks nothing up.
   *
   * @throws dev.varve.common.error.LimitException when a key or value is over its bound, or all of
   *     them take more than half of the store's memory
   * @throws dev.varve.common.error.ConflictException with {@code DEADLOCK} or {@code LOCK_TIMEOUT}
   *     when another writer keeps a key; nothing was changed
   */
  public void write(WriteBatch batch) throws StorageException {
    writer.writeAll(batch);
  }

  /**
   * Changes the value of a key by what it is, with the key locked.
   *
   * @return what the value is afterwards
   */
  public Optional<byte[]> modify(byte[] key, ValueChange change) throws StorageException {
    List<Optional<byte[]>> made = new ArrayList<>(1);
    writer.change(
        view(key),
        before -> {
          made.clear();
          made.add(change.of(Optional.ofNullable(before)));
          return made.get(0).orElse(null);
        });
    return made.get(0);
  }

  /**
   * Reads a pair, those of this session that are not forced yet included.
   *
   * @param found filled with copies of key and value when the result is true
   */
  public boolean get(Slice key, KeyValue found) throws StorageException {
    return writer.get(key, found.entry);
  }

  /** Reads a value, those of this session that are not forced yet included. */
  public Optional<byte[]> get(byte[] key) throws StorageException {
    KeyValue found = new KeyValue();
    return get(view(key), found) ? Optional.of(found.value().toByteArray()) : Optional.empty();
  }

  private Slice view(byte[] key) {
    return keyView.set(key, 0, key.length);
  }

  @Override
  public int unforced() {
    return writer.unforced();
  }

  @Override
  public void force() throws StorageException {
    writer.force();
  }

  @Override
  public void close() throws StorageException {
    writer.close();
  }
}
