package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;

/**
 * A pair that a read fills with copies, whose buffers the next read uses again: so that reading
 * allocates nothing. Confined to its owner.
 */
public final class KeyValue {
  /** Where a read puts the pair. */
  final Entry entry = new Entry();

  /** The key; the bytes stay until the next read into this pair. */
  public Slice key() {
    return entry.key();
  }

  /** The value; the bytes stay until the next read into this pair. */
  public Slice value() {
    return entry.value();
  }
}
