package dev.varve.dataset.model;

import dev.varve.common.bytes.Slice;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Changes of a key-value store that are made together, all of them or none, and need no look at
 * what was there. Of several with one key the last counts. Keeps the arrays that it is given, which
 * may not change before it is written; may be written more than once. Confined to one thread.
 */
public final class WriteBatch {
  private final List<Change> changes = new ArrayList<>();
  private long bytes;

  /** A batch without changes. */
  public WriteBatch() {}

  /**
   * A change of a pair.
   *
   * @param key of the pair
   * @param value what it becomes; null when the key is taken out
   */
  public record Change(Slice key, @Nullable Slice value) {}

  /** Puts a pair, whatever was there. */
  public WriteBatch put(byte[] key, byte[] value) {
    return add(new Change(new Slice(key), new Slice(value)));
  }

  /** Takes a key out, whether it was there or not. */
  public WriteBatch remove(byte[] key) {
    return add(new Change(new Slice(key), null));
  }

  private WriteBatch add(Change change) {
    Slice value = change.value();
    bytes += change.key().length() + (value == null ? 0 : value.length());
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
