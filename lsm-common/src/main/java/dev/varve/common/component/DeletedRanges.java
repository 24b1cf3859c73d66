package dev.varve.common.component;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Ranges of primary keys that were deleted as such: they hide what components have of these records
 * that are older than the one that the ranges belong to. They ascend, and neither overlap nor
 * touch. Immutable.
 */
public final class DeletedRanges {
  /** None. */
  public static final DeletedRanges NONE = new DeletedRanges(List.of());

  private final List<Range> ranges;

  /** Keys that are next to each other. */
  private static final class Range {
    /** The first. */
    private final byte[] low;

    /** The first behind them; null when they go on to the last key that there can be. */
    private final byte @Nullable [] high;

    Range(byte[] low, byte @Nullable [] high) {
      this.low = low;
      this.high = high;
    }

    /** Whether a range that begins as late or later has keys in common with it, or follows it. */
    boolean reaches(Range later) {
      return high == null || Arrays.compareUnsigned(high, later.low) >= 0;
    }

    boolean endsBefore(Range other) {
      return high != null && (other.high == null || Arrays.compareUnsigned(high, other.high) < 0);
    }

    int bytes() {
      int highBytes = high == null ? 0 : high.length;
      return Varint.sizeOf(low.length) + low.length + Varint.sizeOf(highBytes + 1) + highBytes;
    }
  }

  private DeletedRanges(List<Range> ranges) {
    this.ranges = List.copyOf(ranges);
  }

  /**
   * One range.
   *
   * @param low the first key; copied
   * @param high the first key behind it, which is above; null when it goes on to the last key that
   *     there can be; copied
   */
  public static DeletedRanges of(byte[] low, byte @Nullable [] high) {
    assert high == null || Arrays.compareUnsigned(low, high) < 0 : "a range of no keys";
    return new DeletedRanges(List.of(new Range(low.clone(), high == null ? null : high.clone())));
  }

  /** These and others. */
  public DeletedRanges with(DeletedRanges others) {
    if (isEmpty() || others.isEmpty()) {
      return isEmpty() ? others : this;
    }
    List<Range> all = new ArrayList<>(ranges);
    all.addAll(others.ranges);
    all.sort((a, b) -> Arrays.compareUnsigned(a.low, b.low));
    List<Range> joined = new ArrayList<>();
    for (Range next : all) {
      int last = joined.size() - 1;
      if (last < 0 || !joined.get(last).reaches(next)) {
        joined.add(next);
      } else if (joined.get(last).endsBefore(next)) {
        joined.set(last, new Range(joined.get(last).low, next.high));
      }
    }
    return new DeletedRanges(joined);
  }

  /** Whether there are none. */
  public boolean isEmpty() {
    return ranges.isEmpty();
  }

  /** How many there are. */
  public int count() {
    return ranges.size();
  }

  /** Whether a key is in one of them. */
  public boolean contains(Slice key) {
    int below = 0;
    int above = ranges.size();
    while (below < above) {
      int middle = (below + above) >>> 1;
      if (compare(key, ranges.get(middle).low) < 0) {
        above = middle;
      } else {
        below = middle + 1;
      }
    }
    if (below == 0) {
      return false;
    }
    byte[] high = ranges.get(below - 1).high;
    return high == null || compare(key, high) < 0;
  }

  private static int compare(Slice key, byte[] bound) {
    return Bytes.compare(key.bytes(), key.offset(), key.length(), bound, 0, bound.length);
  }

  /** Bytes of {@link #encode}. */
  public int bytes() {
    int sum = Varint.sizeOf(ranges.size());
    for (Range range : ranges) {
      sum += range.bytes();
    }
    return sum;
  }

  /** As bytes; docs/format/component.md. */
  public byte[] encode() {
    byte[] bytes = new byte[bytes()];
    int at = Varint.putInt(bytes, 0, ranges.size());
    for (Range range : ranges) {
      at = Varint.putInt(bytes, at, range.low.length);
      at = put(bytes, at, range.low);
      byte[] high = range.high == null ? Bytes.EMPTY : range.high;
      at = Varint.putInt(bytes, at, range.high == null ? 0 : high.length + 1);
      at = put(bytes, at, high);
    }
    assert at == bytes.length : at;
    return bytes;
  }

  private static int put(byte[] bytes, int at, byte[] key) {
    System.arraycopy(key, 0, bytes, at, key.length);
    return at + key.length;
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @param from where it begins; it ends with the bytes
   * @throws IllegalArgumentException when that is not there
   */
  public static DeletedRanges decode(byte[] bytes, int from) {
    Reader reader = new Reader(bytes, from);
    int count = reader.number();
    List<Range> ranges = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      byte[] low = reader.key(reader.number());
      int high = reader.number();
      Range range = new Range(low, high == 0 ? null : reader.key(high - 1));
      boolean apart = ranges.isEmpty() || !ranges.get(i - 1).reaches(range);
      if (!apart || (range.high != null && Arrays.compareUnsigned(low, range.high) >= 0)) {
        throw new IllegalArgumentException("deleted ranges that do not ascend");
      }
      ranges.add(range);
    }
    if (reader.at != bytes.length) {
      throw new IllegalArgumentException("bytes behind the deleted ranges");
    }
    return new DeletedRanges(ranges);
  }

  /** Believes no length. Confined to one call. */
  private static final class Reader {
    private final byte[] bytes;
    private int at;

    Reader(byte[] bytes, int at) {
      this.bytes = bytes;
      this.at = at;
    }

    int number() {
      long value = Varint.get(bytes, at, bytes.length);
      if (value < 0 || value > bytes.length) {
        throw new IllegalArgumentException("no length at " + at);
      }
      at += Varint.sizeOf(value);
      return (int) value;
    }

    byte[] key(int length) {
      if (length > bytes.length - at) {
        throw new IllegalArgumentException("a key of " + length + " bytes at " + at);
      }
      at += length;
      return Arrays.copyOfRange(bytes, at - length, at);
    }
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof DeletedRanges that && Arrays.equals(encode(), that.encode());
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(encode());
  }

  @Override
  public String toString() {
    return ranges.size() + " deleted ranges";
  }
}
