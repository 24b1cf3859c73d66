package dev.varve.dataset.model;

import dev.varve.common.bytes.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Changes of a key-value store that are made together, all of them or none, and need no look at
 * what was there. Of several with one key the last counts, on top of which operands come. Keeps the
 * arrays that it is given, which may not change before it is written; may be written more than
 * once. Confined to one thread.
 */
public final class WriteBatch {
  private final List<Change> changes = new ArrayList<>();
  private long bytes;

  /** A batch without changes. */
  public WriteBatch() {}

  /** What a change does. */
  public enum Action {
    /** The value is put, whatever was there. */
    PUT,
    /** The key is taken out. */
    REMOVE,
    /** An operand is merged into what is there. */
    MERGE
  }

  /**
   * A change of a pair.
   *
   * @param action what is done
   * @param key of the pair
   * @param value the value or operand; empty when the key is taken out
   */
  public record Change(Action action, Slice key, Slice value) {}

  /** Puts a pair, whatever was there. */
  public WriteBatch put(byte[] key, byte[] value) {
    return add(new Change(Action.PUT, new Slice(key), new Slice(value)));
  }

  /** Merges an operand into what is there; only into stores with an operator. */
  public WriteBatch merge(byte[] key, byte[] operand) {
    return add(new Change(Action.MERGE, new Slice(key), new Slice(operand)));
  }

  /** Takes a key out, whether it was there or not. */
  public WriteBatch remove(byte[] key) {
    return add(new Change(Action.REMOVE, new Slice(key), new Slice()));
  }

  private WriteBatch add(Change change) {
    bytes += change.key().length() + change.value().length();
    changes.add(change);
    return this;
  }

  /** Its changes, in order; a view. */
  public List<Change> changes() {
    return Collections.unmodifiableList(changes);
  }

  /** Bytes of all keys and values. */
  public long bytes() {
    return bytes;
  }

  /** Forgets all changes. */
  public void clear() {
    changes.clear();
    bytes = 0;
  }
}
