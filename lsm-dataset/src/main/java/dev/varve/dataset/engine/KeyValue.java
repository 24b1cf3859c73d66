package dev.varve.dataset.engine;

import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;

/**
 * A pair that a read fills with copies, whose buffers the next read uses again: so that reading
 * allocates nothing. Confined to its owner.
 */
public final class KeyValue {
  private final Entry entry = new Entry();

  Entry entry() {
    return entry;
  }

  /** The key; the bytes stay until the next read into this pair. */
  public Slice key() {
    return entry.key();
  }

  /** The value; the bytes stay until the next read into this pair. */
  public Slice value() {
    return entry.value();
  }
}
