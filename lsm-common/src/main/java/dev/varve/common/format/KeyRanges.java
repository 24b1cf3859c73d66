package dev.varve.common.format;

import dev.varve.common.error.StorageException;
import dev.varve.common.merge.KeyInterval;

/**
 * What an index kind brings so that its disk components may be cut by key range. Such a kind keeps
 * its deletions among the entries, and wants entries in the order of their keys. Stateless.
 *
 * @param <Q> the kind's search predicate
 */
public interface KeyRanges<Q> {
  /** The smallest and the largest key of an index that has entries, as copies. */
  KeyInterval keys(DiskIndex<Q> index) throws StorageException;

  /**
   * Where keys lie as seen from a search: below 0 when all of them come before what it asks for, 0
   * when some may be asked for, and above 0 when all come after.
   */
  int position(KeyInterval keys, Q predicate);
}
