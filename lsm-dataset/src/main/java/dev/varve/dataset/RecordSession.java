package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.internal.partition.RecordWriter;
import dev.varve.dataset.internal.partition.SessionWriter;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.WriteOutcome;
import dev.varve.transaction.log.Durability;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A session of a dataset, over all of its partitions or over one of them. Each change is all or
 * nothing across primary and secondaries. A key that belongs to another node, or to another
 * partition than that of the session, is refused by every operation: {@link
 * dev.varve.common.error.RequestException} with {@code WRONG_PARTITION}. See {@link Session}.
 */
public final class RecordSession implements Session {
  private final List<Partition> partitions;
  private final Durability durability;
  private final PartitionRouter router;

  /** By partition; opened when the first record of one comes. */
  private final @Nullable SessionWriter[] writers;

  private final List<SessionWriter> open = new ArrayList<>();
  private final Slice recordView = new Slice();
  private boolean closed;

  /** A session over one partition or several, whose first writer is opened at once. */
  RecordSession(List<Partition> partitions, Durability durability) throws StorageException {
    this.partitions = partitions;
    this.durability = durability;
    this.router = new PartitionRouter(partitions);
    this.writers = new SessionWriter[partitions.size()];
    writer(0);
  }

  /**
   * Inserts a record.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DUPLICATE_KEY} when a record has
   *     the key
   * @throws dev.varve.common.error.RequestException with {@code MALFORMED_RECORD}
   */
  public void insert(Slice record) throws StorageException {
    writer(router.ofRecord(record)).writeRecord(RecordWriter.Operation.INSERT, record);
  }

  /** Inserts a record; see {@link #insert(Slice)}. */
  public void insert(byte[] record) throws StorageException {
    insert(recordView.set(record, 0, record.length));
  }

  /** Inserts a record or replaces the one with its primary key. */
  public WriteOutcome upsert(Slice record) throws StorageException {
    return writer(router.ofRecord(record)).writeRecord(RecordWriter.Operation.UPSERT, record);
  }

  /** Inserts a record or replaces the one with its primary key. */
  public WriteOutcome upsert(byte[] record) throws StorageException {
    return upsert(recordView.set(record, 0, record.length));
  }

  /** Deletes the record with a primary key, if there is one. */
  public WriteOutcome delete(Key primaryKey) throws StorageException {
    Slice key = encoded(primaryKey);
    return writer(router.ofKey(key)).delete(key);
  }

  /**
   * Changes some fields of a record under its lock, by a JSON merge patch; see {@link
   * Dataset#patch}.
   */
  public WriteOutcome patch(Key primaryKey, byte[] patch) throws StorageException {
    Slice key = encoded(primaryKey);
    return writer(router.ofKey(key)).patch(key, new Slice(patch));
  }

  /** Reads a record, those of this session that are not forced yet included. */
  public Optional<byte[]> get(Key primaryKey) throws StorageException {
    Entry found = new Entry();
    Slice key = encoded(primaryKey);
    return writer(router.ofKey(key)).get(key, found)
        ? Optional.of(found.value().toByteArray())
        : Optional.empty();
  }

  private static Slice encoded(Key primaryKey) {
    return Objects.requireNonNull(primaryKey, "primaryKey").toSlice();
  }

  @SuppressWarnings("MustBeClosedChecker") // closed with the session
  private SessionWriter writer(int partition) throws StorageException {
    SessionWriter writer = writers[partition];
    if (writer == null) {
      if (closed) {
        throw new IllegalStateException("the session is closed");
      }
      writer = partitions.get(partition).newSession(durability);
      writers[partition] = writer;
      if (!open.isEmpty()) {
        writer.join(open.get(0));
      }
      open.add(writer);
    }
    return writer;
  }

  @Override
  public int unforced() {
    return open.stream().mapToInt(SessionWriter::unforced).sum();
  }

  @Override
  public void force() throws StorageException {
    for (int i = 0; i < open.size(); i++) {
      open.get(i).force();
    }
  }

  @Override
  public void close() throws StorageException {
    closed = true;
    closeFrom(0);
  }

  private void closeFrom(int first) throws StorageException {
    if (first < open.size()) {
      try {
        open.get(first).close();
      } finally {
        closeFrom(first + 1);
      }
    }
  }
}
