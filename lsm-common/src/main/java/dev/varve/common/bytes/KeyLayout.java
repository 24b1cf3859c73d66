package dev.varve.common.bytes;

/**
 * Bytes of typed keys; see docs/format/keys.md.
 *
 * <pre>
 *  null      10
 *  false     20
 *  true      21
 *  number    30  8 bytes of the double at or below the value, ordered
 *                [2 bytes: value - double, when 2^53 &lt;= |double| &lt;= 2^63]
 *  string    40  UTF-8, 00 as 00 FF, then 00 00
 *  bytes     50  the bytes, 00 as 00 FF, then 00 00
 * </pre>
 *
 * <p>A value that orders descending has every bit of its bytes inverted, the tag included; so tags
 * from 80 up say that the value is descending.
 */
final class KeyLayout {
  static final int NULL = 0x10;
  static final int FALSE = 0x20;
  static final int TRUE = 0x21;
  static final int NUMBER = 0x30;
  static final int STRING = 0x40;
  static final int BYTES = 0x50;

  /** First byte of both the terminator and the escape of a zero byte. */
  static final int ZERO = 0x00;

  /** Second byte of an escaped zero byte. */
  static final int ESCAPED_ZERO = 0xFF;

  /** Second byte of the terminator. */
  static final int END = 0x00;

  /** Bytes of a number's ordered double. */
  static final int DOUBLE_BYTES = Double.BYTES;

  /** Bytes of a large number's distance from its double. */
  static final int REMAINDER_BYTES = Short.BYTES;

  /** From here up, not every long is a double. */
  static final double SPARSE_FROM = 0x1p53;

  /** Above this there are no longs. */
  static final double SPARSE_TO = 0x1p63;

  /** Tags at and above this are inverted. */
  static final int DESCENDING_TAG = 0x80;

  private KeyLayout() {}

  /** Whether a number with this double carries a remainder. */
  static boolean hasRemainder(double floor) {
    double magnitude = Math.abs(floor);
    return magnitude >= SPARSE_FROM && magnitude <= SPARSE_TO;
  }
}
