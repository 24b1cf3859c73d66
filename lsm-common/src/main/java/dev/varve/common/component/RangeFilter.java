package dev.varve.common.component;

import dev.varve.common.bytes.Slice;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Between which values the records lie that a component is about, of one field that its index is
 * filtered by: a reader who wants records with other values leaves the component out (Luo and
 * Carey, Efficient Data Ingestion and Query Processing for LSM-Based Storage Systems, VLDB 2019).
 * Values are encoded keys; records without a value are in no reader's range. Immutable, its bounds
 * included.
 *
 * @param coverage of which records the values lie between the bounds
 * @param smallest no value is below it; null when there is no value, or nothing is known
 * @param largest no value is above it; null when the smallest is
 */
public record RangeFilter(Coverage coverage, @Nullable Slice smallest, @Nullable Slice largest) {
  /** Longer bounds are cut, the largest such that it is above what it stands for. */
  public static final int MAX_BOUND_BYTES = 64;

  /** Nothing is known: the component is never left out. */
  public static final RangeFilter UNKNOWN = new RangeFilter(Coverage.UNKNOWN, null, null);

  /** No record with a value, neither held nor hidden. */
  public static final RangeFilter EMPTY = new RangeFilter(Coverage.WHOLE, null, null);

  /** Of which records the bounds tell; each tells of more than the one before. */
  public enum Coverage {
    /** Of none. */
    UNKNOWN,
    /**
     * Of those that the component holds, and not of older ones that it hides: whoever reads an
     * older component reads this one, too, or would find what was replaced or deleted.
     */
    HELD,
    /** Of those that the component holds, and of those in older components that it hides. */
    WHOLE
  }

  /** What a reader wants, as seen from a component. */
  @FunctionalInterface
  public interface Wanted {
    /** Whether some value from the smallest to the largest, both included, may be wanted. */
    boolean between(Slice smallest, Slice largest);

    /**
     * Whether the reader looks at the newest record of each entry that it finds: then it needs no
     * component for what that one hides, and may be given entries that are obsolete.
     */
    default boolean looksAtRecords() {
      return false;
    }

    /** The same of a reader who looks at the newest record of each entry that it finds. */
    default Wanted lookingAtRecords() {
      Wanted values = this;
      return new Wanted() {
        @Override
        public boolean between(Slice smallest, Slice largest) {
          return values.between(smallest, largest);
        }

        @Override
        public boolean looksAtRecords() {
          return true;
        }
      };
    }
  }

  /** Checks that there are both bounds or none, in order. */
  public RangeFilter {
    boolean ordered;
    if (smallest == null || largest == null) {
      ordered = smallest == null && largest == null;
    } else {
      ordered = smallest.compareBytes(largest) <= 0;
    }
    if (!ordered || (coverage == Coverage.UNKNOWN && smallest != null)) {
      throw new IllegalArgumentException(coverage + " from " + smallest + " to " + largest);
    }
  }

  /** The same, and a value; it is copied. */
  public RangeFilter covering(Slice value) {
    if (coverage == Coverage.UNKNOWN || (smallest != null && covers(value))) {
      return this;
    }
    Slice low = new Slice(value.toByteArray(), 0, Math.min(value.length(), MAX_BOUND_BYTES));
    Slice high = value.length() <= MAX_BOUND_BYTES ? low : above(low);
    RangeFilter wider = high == null ? UNKNOWN : with(new RangeFilter(coverage, low, high));
    assert wider.covers(value) : wider + " without " + value;
    return wider;
  }

  /** The least of the short keys above all that begin with a prefix; null when there is none. */
  private static @Nullable Slice above(Slice prefix) {
    byte[] bytes = prefix.toByteArray();
    for (int last = bytes.length - 1; last >= 0; last--) {
      if (bytes[last] != (byte) 0xFF) {
        bytes[last]++;
        return new Slice(bytes, 0, last + 1);
      }
    }
    return null;
  }

  /** Of this and another component's records; knows of the two together what both know. */
  public RangeFilter with(RangeFilter other) {
    Coverage common = coverage.compareTo(other.coverage) <= 0 ? coverage : other.coverage;
    if (common == Coverage.UNKNOWN) {
      return UNKNOWN;
    }
    if (smallest == null || largest == null) {
      return new RangeFilter(common, other.smallest, other.largest);
    }
    if (other.smallest == null || other.largest == null) {
      return new RangeFilter(common, smallest, largest);
    }
    return new RangeFilter(
        common,
        smallest.compareBytes(other.smallest) <= 0 ? smallest : other.smallest,
        largest.compareBytes(other.largest) >= 0 ? largest : other.largest);
  }

  /** The same of a component that hides older records of which nobody knows the values. */
  public RangeFilter heldOnly() {
    return coverage == Coverage.WHOLE ? new RangeFilter(Coverage.HELD, smallest, largest) : this;
  }

  /** The same of a component that hides nothing, because nothing older is left. */
  public RangeFilter hidingNothing() {
    return coverage == Coverage.HELD ? new RangeFilter(Coverage.WHOLE, smallest, largest) : this;
  }

  /** Whether a value is between the bounds, or may be, since nothing is known. */
  public boolean covers(Slice value) {
    if (smallest == null || largest == null) {
      return coverage == Coverage.UNKNOWN;
    }
    return smallest.compareBytes(value) <= 0 && largest.compareBytes(value) >= 0;
  }

  /** Whether a value that is wanted may be between the bounds. */
  public boolean mayHold(Wanted wanted) {
    if (smallest == null || largest == null) {
      return coverage == Coverage.UNKNOWN;
    }
    return wanted.between(smallest, largest);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof RangeFilter filter
        && coverage == filter.coverage
        && same(smallest, filter.smallest)
        && same(largest, filter.largest);
  }

  private static boolean same(@Nullable Slice one, @Nullable Slice other) {
    return one == other || (one != null && other != null && one.sameBytes(other));
  }

  @Override
  public int hashCode() {
    return Objects.hash(
        coverage,
        smallest == null ? null : smallest.toString(),
        largest == null ? null : largest.toString());
  }
}
