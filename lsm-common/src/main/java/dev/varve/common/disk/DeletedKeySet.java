package dev.varve.common.disk;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;

/** The deleted keys of one component, asked for one primary key at a time. Thread-safe. */
public interface DeletedKeySet {
  /**
   * Whether a primary key is among them.
   *
   * @param hash the key's, for a filter
   * @param scratch overwritten
   */
  boolean contains(Slice primaryKey, long hash, Entry scratch) throws StorageException;
}
