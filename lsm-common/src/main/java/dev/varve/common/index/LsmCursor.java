package dev.varve.common.index;

/**
 * A search over all components of an index, reconciled: the newest entry of each key, and where it
 * came from. Confined to one thread; holds a snapshot of the components until closed.
 */
public interface LsmCursor extends EntryCursor {
  /** Where the current entry was found: memory or disk. */
  Origin origin();
}
