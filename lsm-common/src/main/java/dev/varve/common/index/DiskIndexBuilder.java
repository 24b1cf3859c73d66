package dev.varve.common.index;

import dev.varve.common.error.StorageException;

/** Bulk-loads one disk component of a kind from entries in ascending key order. Confined. */
public interface DiskIndexBuilder {
  /** Appends an entry; its key is above the one before. The bytes are copied. */
  void add(Entry entry) throws StorageException;

  /**
   * Writes what is still buffered. The writer's file is sealed afterwards by the caller.
   *
   * @return the number of the page from which {@link ComponentFormat#open} finds everything, 0 for
   *     an index without entries
   */
  int finish() throws StorageException;
}
