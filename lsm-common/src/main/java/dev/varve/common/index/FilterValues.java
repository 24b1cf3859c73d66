package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import org.jspecify.annotations.Nullable;

/**
 * By which value an entry of a filtered index is filtered; the index does not know its records.
 * Confined to one call.
 */
@FunctionalInterface
public interface FilterValues {
  /**
   * The value of the entry's record.
   *
   * @return null when it has none, or when it does not matter where the entry is
   */
  @Nullable Slice of(Entry entry) throws StorageException;
}
