package dev.varve.hyracks.operator;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;

/**
 * The third field of a named feed's tuples: where the record comes from. A tuple without record is
 * a mark, sent to every partition: all that belongs to that partition of the input's first records,
 * so many, was sent before it. The first mark of an input has its name in the place of the record.
 * Between a source and a partition tuples stay in order. Confined to one task.
 */
final class FeedOrigin {
  private static final int INPUT = 4;
  private static final int NUMBER = 8;
  private static final int OFFSET = 16;
  private static final int PARTITION = 24;
  private static final int RECORD_BYTES = 24;
  private static final int MARK_BYTES = 28;

  private final byte[] bytes = new byte[MARK_BYTES];
  private final Slice slice = new Slice();

  /**
   * The origin of a record.
   *
   * @param source number of the source partition
   * @param input number of the input in its source
   * @param number which record of the input it is, from 1; 0 for one that can't be read again
   * @param offset how many bytes of the input end with the record; below zero if nobody knows
   */
  Slice ofRecord(int source, int input, long number, long offset) {
    assert source >= 0 && input >= 0 && number >= 0 : source + " " + input + " " + number;
    Bytes.putInt(bytes, 0, source);
    Bytes.putInt(bytes, INPUT, input);
    Bytes.putLong(bytes, NUMBER, number);
    Bytes.putLong(bytes, OFFSET, offset);
    return slice.set(bytes, 0, RECORD_BYTES);
  }

  /** The origin of a mark for a partition. */
  Slice ofMark(int source, int input, long number, long offset, int partition) {
    Slice place = ofRecord(source, input, number, offset);
    assert place.length() == PARTITION : place.length();
    Bytes.putInt(bytes, PARTITION, partition);
    return slice.set(bytes, 0, MARK_BYTES);
  }

  static boolean isMark(Slice origin) {
    return origin.length() == MARK_BYTES;
  }

  /** For which partition a mark is. */
  static int partition(Slice mark) {
    assert isMark(mark) : mark.length();
    return Bytes.getInt(mark.bytes(), mark.offset() + PARTITION);
  }

  /** What tells an input from all others of the feed's run. */
  static long input(Slice origin) {
    return Bytes.getLong(origin.bytes(), origin.offset());
  }

  /** Which record of its input. */
  static long number(Slice origin) {
    assert origin.length() >= RECORD_BYTES : origin.length();
    return Bytes.getLong(origin.bytes(), origin.offset() + NUMBER);
  }

  /** How many bytes of its input end with it; below zero if nobody knows. */
  static long offset(Slice origin) {
    assert origin.length() >= RECORD_BYTES : origin.length();
    return Bytes.getLong(origin.bytes(), origin.offset() + OFFSET);
  }
}
