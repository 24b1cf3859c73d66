package dev.varve.dataset.kind;

import dev.varve.common.bytes.Slice;

/**
 * Makes the entry that a record has in a secondary index. Confined to one thread, and reused; what
 * it returns holds until the next call.
 */
@FunctionalInterface
public interface EntryMaker {
  /**
   * The key of the entry. It holds the primary key, so that no two records have the same one, and
   * depends on nothing but the value: the same call later finds the entry to delete.
   */
  Slice key(IndexedValue value);

  /** The value of the entry; none unless the kind stores one. */
  default Slice value(IndexedValue value) {
    return value.nothing();
  }
}
