package dev.varve.dataset.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.Entry;
import dev.varve.dataset.record.Key;
import java.util.Objects;
import java.util.Optional;

/**
 * Changes of records of one partition of a dataset that share one force of the log: a batch or a
 * frame. Each is a transaction of its own, all or nothing across primary and secondaries; one that
 * throws left nothing behind, and the session goes on (unless the engine has failed). A change that
 * returned is committed but not yet acknowledged: it holds its lock, so that no other reader sees
 * it, until {@link #force} returns. Before a change has to wait, for another's lock or at the gate,
 * the session forces what it has, so that it never waits while others wait for it. {@link #close}
 * forces what is left. A key that belongs to another partition, or to another node, is refused by
 * every operation: {@link dev.varve.common.error.RequestException} with {@code WRONG_PARTITION}.
 * Confined to one thread.
 */
public final class RecordSession implements AutoCloseable {
  private final SessionWriter writer;
  private final Slice recordView = new Slice();

  RecordSession(SessionWriter writer) {
    this.writer = writer;
  }

  /**
   * Inserts a record.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DUPLICATE_KEY} when a record has
   *     the key
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD}
   */
  public void insert(Slice record) throws StorageException {
    writer.writeRecord(RecordWriter.Operation.INSERT, record);
  }

  /** Inserts a record; see {@link #insert(Slice)}. */
  public void insert(byte[] record) throws StorageException {
    insert(recordView.set(record, 0, record.length));
  }

  /** Inserts a record or replaces the one with its primary key. */
  public WriteOutcome upsert(Slice record) throws StorageException {
    return writer.writeRecord(RecordWriter.Operation.UPSERT, record);
  }

  /** Inserts a record or replaces the one with its primary key. */
  public WriteOutcome upsert(byte[] record) throws StorageException {
    return upsert(recordView.set(record, 0, record.length));
  }

  /** Deletes the record with a primary key, if there is one. */
  public WriteOutcome delete(Key primaryKey) throws StorageException {
    return writer.delete(encoded(primaryKey));
  }

  /** Reads a record, those of this session that are not forced yet included. */
  public Optional<byte[]> get(Key primaryKey) throws StorageException {
    Entry found = new Entry();
    return writer.get(encoded(primaryKey), found)
        ? Optional.of(found.value().toByteArray())
        : Optional.empty();
  }

  private static Slice encoded(Key primaryKey) {
    return Objects.requireNonNull(primaryKey, "primaryKey").toSlice();
  }

  /** Changes that are committed and not yet forced. */
  public int unforced() {
    return writer.unforced();
  }

  /**
   * Makes every change so far durable to the session's level, and lets others see them. When it
   * returns they are acknowledged.
   *
   * @throws OutcomeUnknownException when the log failed on the way; the records stay locked
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
