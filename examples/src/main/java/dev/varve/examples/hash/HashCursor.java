package dev.varve.examples.hash;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;

/** The entries of some leaves, one leaf after the other. Confined to one thread. */
final class HashCursor implements EntryCursor {
  /** Where the entries of a leaf come from. */
  @FunctionalInterface
  interface Leaves {
    List<Entry> read(int leaf) throws StorageException;
  }

  private final Leaves leaves;
  private final int end;
  private int leaf;
  private Iterator<Entry> entries = Collections.emptyIterator();
  private final Entry entry = new Entry();

  HashCursor(Leaves leaves, int first, int end) {
    this.leaves = leaves;
    this.leaf = first;
    this.end = end;
  }

  @Override
  public boolean next() throws StorageException {
    while (!entries.hasNext()) {
      if (leaf == end) {
        return false;
      }
      entries = leaves.read(leaf++).iterator();
    }
    entry.view(entries.next());
    return true;
  }

  @Override
  public Entry entry() {
    return entry;
  }

  @Override
  public void close() {
    // Holds nothing: a leaf's entries are a copy.
  }
}
