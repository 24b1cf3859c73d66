package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.Validity;

/**
 * A search over all components of an index, reconciled: the newest entry of each key, and where it
 * came from. Confined to one thread; holds a snapshot of the components until closed.
 *
 * <p>A kind that wants entries in an order other than that of keys reconciles them itself, over
 * what the search opened in each component; {@link #originOf} and {@link #validity} tell it the
 * rest.
 */
public interface LsmCursor extends EntryCursor {
  /** Where the current entry was found: memory or disk. */
  Origin origin();

  /**
   * Where a component of the snapshot is.
   *
   * @param source number of the component among those in which the search was opened, from 0, the
   *     newest
   */
  Origin originOf(int source);

  /**
   * What the deleted keys of newer components say of an entry of a component. Newer states of the
   * same key are not looked for. Always valid for kinds without deleted keys.
   *
   * @param source number of the component, as for {@link #originOf}
   */
  Validity validity(int source, Slice key) throws StorageException;
}
