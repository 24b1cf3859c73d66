package dev.varve.common.format;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;

/** What deleted keys say of entries that components hold. Confined to one task. */
@FunctionalInterface
public interface EntryValidity {
  /**
   * What the deleted keys of newer components say of an entry.
   *
   * @param source number of the entry's component, from 0, the newest
   * @param key of the entry; that of another entry of the same primary key has the same answer
   */
  Validity of(int source, Slice key) throws StorageException;
}
