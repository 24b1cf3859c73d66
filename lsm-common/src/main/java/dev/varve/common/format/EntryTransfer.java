package dev.varve.common.format;

import dev.varve.common.error.StorageException;

/**
 * Entries on their way from the scans of a kind's components into a new one, in a way of the kind's
 * own; see {@link DiskIndexBuilder#transfer}. In steps, so that a task can pause between them.
 * Confined to one task.
 */
public interface EntryTransfer {
  /** What {@link #moveOn} returns at the end. */
  long END = -1;

  /**
   * Appends some more entries, about as many as fill a page or two.
   *
   * @return how many entries were appended, possibly none, or {@link #END} when all scans are at
   *     their ends
   */
  long moveOn() throws StorageException;
}
