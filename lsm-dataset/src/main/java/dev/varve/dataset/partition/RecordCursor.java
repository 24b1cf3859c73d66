package dev.varve.dataset.partition;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;

/**
 * A stream of records with their primary keys. Confined to one thread; the caller closes it. Slices
 * are valid until the next call of {@link #next} or {@link #close}.
 */
public interface RecordCursor extends AutoCloseable {
  /** Moves to the next record; false at the end, and from then on. */
  boolean next() throws StorageException;

  /** The encoded primary key. */
  Slice key();

  /** The record's bytes. */
  Slice value();

  /** Gives the snapshot back; idempotent. */
  @Override
  void close();
}
