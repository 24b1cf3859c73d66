package dev.varve.common.format;

import dev.varve.common.bytes.Slice;

/**
 * What an index stores: key bytes in unsigned order, value bytes (empty in secondary indexes), and
 * whether the entry is antimatter, which deletes an older entry with the same key. A reusable view,
 * confined to its owner; who hands an entry out says how long the bytes stay.
 */
public final class Entry {
  private final Slice key = new Slice();
  private final Slice value = new Slice();
  private boolean antimatter;

  /** The key. */
  public Slice key() {
    return key;
  }

  /** The value; without meaning when the entry is antimatter. */
  public Slice value() {
    return value;
  }

  /** Whether this entry deletes older entries with its key. */
  public boolean antimatter() {
    return antimatter;
  }

  /** Marks the entry as antimatter or as matter. */
  public Entry antimatter(boolean isAntimatter) {
    this.antimatter = isAntimatter;
    return this;
  }

  /** Views the bytes that another entry views now. */
  public Entry view(Entry other) {
    key.set(other.key.bytes(), other.key.offset(), other.key.length());
    value.set(other.value.bytes(), other.value.offset(), other.value.length());
    antimatter = other.antimatter;
    return this;
  }

  /** Copies another entry's bytes into buffers of this one, which are reused. */
  public Entry copyOf(Entry other) {
    key.copyOf(other.key);
    value.copyOf(other.value);
    antimatter = other.antimatter;
    return this;
  }

  @Override
  public String toString() {
    return (antimatter ? "-" : "+") + key + "=" + value;
  }
}
