package dev.varve.dataset.partition;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;

/**
 * Takes the key of a secondary index entry apart: the encoded values of the indexed fields, then
 * the encoded primary key. Confined to its owner, and reused.
 */
final class SecondaryEntry {
  private final int values;
  private final KeyDecoder decoder = new KeyDecoder();
  private final Slice secondaryKey = new Slice();
  private final Slice primaryKey = new Slice();

  /** For an index over this many fields. */
  SecondaryEntry(int values) {
    this.values = values;
  }

  /** Looks at an entry's key, whose bytes stay while the parts are used. */
  SecondaryEntry set(Slice key, String index) throws CorruptionException {
    decoder.reset(key);
    try {
      for (int i = 0; i < values; i++) {
        decoder.skip();
      }
    } catch (IllegalArgumentException e) {
      throw new CorruptionException(
          index, -1, "entry " + key + " is no secondary key: " + e.getMessage());
    }
    int split = decoder.position();
    secondaryKey.set(key.bytes(), key.offset(), split);
    primaryKey.set(key.bytes(), key.offset() + split, key.length() - split);
    return this;
  }

  /** The values of the indexed fields. */
  Slice secondaryKey() {
    return secondaryKey;
  }

  /** The primary key of the record. */
  Slice primaryKey() {
    return primaryKey;
  }
}
