package dev.varve.dataset.record;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;

/** Reads the keys out of a record in one pass over its bytes. Confined to one thread, reused. */
@SuppressWarnings("DoNotCallSuggester")
public final class RecordReader {
  /** A reader for records of one schema. */
  public RecordReader(RecordSchema schema, RecordLimits limits) {}

  /** Reads a record. */
  public void read(Slice json) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** The encoded primary key of the record read last; holds until the next read. */
  public Slice primaryKey() {
    throw new UnsupportedOperationException();
  }

  /** Whether the record read last has an entry in a secondary index. */
  public boolean hasSecondaryKey(int index) {
    throw new UnsupportedOperationException();
  }

  /** The encoded key of that entry, without the primary key; holds until the next read. */
  public Slice secondaryKey(int index) {
    throw new UnsupportedOperationException();
  }
}
