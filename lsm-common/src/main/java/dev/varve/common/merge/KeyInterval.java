package dev.varve.common.merge;

import dev.varve.common.bytes.Slice;

/**
 * The keys from the smallest to the largest of a component, both included. Immutable as long as
 * nobody moves the slices.
 *
 * @param smallest the first key
 * @param largest the last key, not below the first
 */
public record KeyInterval(Slice smallest, Slice largest) {
  /** Checks the order. */
  public KeyInterval {
    if (smallest.compareBytes(largest) > 0) {
      throw new IllegalArgumentException("keys from " + smallest + " down to " + largest);
    }
  }

  /** Whether all keys of this interval come before all of another one. */
  public boolean isBefore(KeyInterval other) {
    return largest.compareBytes(other.smallest) < 0;
  }

  /** Whether some key may be in both. */
  public boolean overlaps(KeyInterval other) {
    return !isBefore(other) && !other.isBefore(this);
  }

  /** Whether this interval reaches beyond the end of another one. */
  public boolean endsAfter(KeyInterval other) {
    return largest.compareBytes(other.largest) > 0;
  }

  /** The smallest interval that holds both. */
  public KeyInterval span(KeyInterval other) {
    return new KeyInterval(
        smallest.compareBytes(other.smallest) <= 0 ? smallest : other.smallest,
        endsAfter(other) ? largest : other.largest);
  }
}
