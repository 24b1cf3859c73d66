package dev.varve.common.disk;

import dev.varve.common.format.EntryCursor;
import org.roaringbitmap.longlong.Roaring64Bitmap;

/**
 * What was found out about the entries of a component after it was written. Not changed any more.
 *
 * @param dead positions of entries that the owner of the index needs no more, as {@link
 *     EntryCursor#position} says them: readers and merges leave them out
 * @param checkedTo how far the owner has checked the entries, in its own count; 0 for not at all
 */
public record Repair(Roaring64Bitmap dead, long checkedTo) {
  /** Checks the count. */
  public Repair {
    assert checkedTo >= 0 : checkedTo;
  }

  /** What a component says of itself. */
  static Repair of(ComponentMetadata metadata) {
    return new Repair(new Roaring64Bitmap(), metadata.checkedTo());
  }

  /** Whether this says all that another one says. */
  boolean covers(Repair other) {
    return checkedTo >= other.checkedTo && Roaring64Bitmap.andNot(other.dead, dead).isEmpty();
  }
}
