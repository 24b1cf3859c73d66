package dev.varve.rtree.query;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;

/** The entries of one leaf in key order, as they were when it was offered. */
public interface LeafEntries {
  /** Copies the entry in a slot. */
  void copy(int slot, Entry target) throws StorageException;
}
