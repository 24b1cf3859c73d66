package dev.varve.hyracks.adapter;

import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.jspecify.annotations.Nullable;

/**
 * The store behind an index while the index is active. Accessors and cursors ask at each operation,
 * for they are made earlier. Thread-safe.
 */
final class ActiveStore {
  private final String name;
  private final TupleDescription tuples;
  private volatile @Nullable TupleStore store;

  /** The store of an index that is not active yet; messages have its name. */
  ActiveStore(String name, TupleDescription tuples) {
    this.name = name;
    this.tuples = tuples;
  }

  TupleDescription tuples() {
    return tuples;
  }

  boolean isThere() {
    return store != null;
  }

  /** The store; refused while the index is not active. */
  TupleStore get() throws HyracksDataException {
    TupleStore current = store;
    if (current == null) {
      throw StorageFailures.refused("the index " + name + " is not active");
    }
    return current;
  }

  /** The index is active from now on, or has another store. */
  void set(TupleStore opened) {
    store = opened;
  }

  /** The index is no longer active. */
  void clear() {
    store = null;
  }

  @Override
  public String toString() {
    return "varve " + tuples.shape() + " " + name;
  }
}
