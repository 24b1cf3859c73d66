package dev.varve.dataset.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import java.util.Optional;

/**
 * Changes of a key-value store that share one force of the log. Each is a transaction of its own;
 * one that throws left nothing behind, and the session goes on (unless the engine has failed). A
 * change that returned is committed but not yet acknowledged: it holds its lock, so that no other
 * reader sees it, until {@link #force} returns. Before a change has to wait, for another's lock or
 * at the gate, the session forces what it has, so that it never waits while others wait for it.
 * {@link #close} forces what is left. Slices and arrays are the caller's again when a call returns.
 * Confined to one thread.
 */
public final class KeyValueSession implements AutoCloseable {
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

  /** Takes a key out, whether it was there or not, and looks nothing up: the fastest deletion. */
  public void remove(Slice key) throws StorageException {
    writer.remove(key);
  }

  /** Takes a key out, whether it was there or not; see {@link #remove(Slice)}. */
  public void remove(byte[] key) throws StorageException {
    remove(view(key));
  }

  /**
   * Reads a pair, those of this session that are not forced yet included.
   *
   * @param found filled with copies of key and value when the result is true
   */
  public boolean get(Slice key, Entry found) throws StorageException {
    return writer.get(key, found);
  }

  /** Reads a value, those of this session that are not forced yet included. */
  public Optional<byte[]> get(byte[] key) throws StorageException {
    Entry found = new Entry();
    return get(view(key), found) ? Optional.of(found.value().toByteArray()) : Optional.empty();
  }

  private Slice view(byte[] key) {
    return keyView.set(key, 0, key.length);
  }

  /** Changes that are committed and not yet forced. */
  public int unforced() {
    return writer.unforced();
  }

  /**
   * Makes every change so far durable to the session's level, and lets others see them. When it
   * returns they are acknowledged.
   *
   * @throws OutcomeUnknownException when the log failed on the way; the pairs stay locked
   */
  public void force() throws StorageException {
    writer.force();
  }

  /** Forces what is left and ends the session; idempotent. */
  @Override
  public void close() throws StorageException {
    writer.close();
  }
}
