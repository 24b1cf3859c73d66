package dev.varve.common.bytes;

/**
 * A fast 64-bit hash of key bytes, for filters and for the lock table. Filters on disk are made
 * from it, so it is part of the file format and never changes; docs/format/filter.md defines it and
 * a golden test holds it. Not meant to withstand chosen keys. Thread-safe: no state.
 *
 * <p>The construction is the published idea of wyhash and its kin: fold two 64-bit words, each
 * disturbed by a constant, through one 64 x 64 multiplication, high half xor low half. Java 17 has
 * the signed high half only; it differs from the unsigned one by terms that depend on the operands,
 * which mixes no worse.
 */
public final class KeyHash {
  private static final long SEED_0 = 0xA0761D6478BD642FL;
  private static final long SEED_1 = 0xE7037ED1A0B428DBL;
  private static final long SEED_2 = 0x8EBC6AF09C88C6E3L;
  private static final long SEED_3 = 0x589965CC75374CC3L;

  private KeyHash() {}

  /** The hash of a byte string. */
  public static long hash(byte[] bytes, int offset, int length) {
    long state = SEED_0 ^ length;
    int at = offset;
    int rest = length;
    while (rest > 16) {
      state =
          fold(Bytes.getLong(bytes, at) ^ SEED_1, Bytes.getLong(bytes, at + Long.BYTES) ^ state);
      at += 16;
      rest -= 16;
    }
    long low;
    long high;
    if (rest >= Long.BYTES) {
      // The two words overlap when fewer than 16 bytes are left; the length is in the state.
      low = Bytes.getLong(bytes, at);
      high = Bytes.getLong(bytes, at + rest - Long.BYTES);
    } else if (rest >= Integer.BYTES) {
      low = Bytes.getInt(bytes, at) & 0xFFFF_FFFFL;
      high = Bytes.getInt(bytes, at + rest - Integer.BYTES) & 0xFFFF_FFFFL;
    } else {
      low = 0;
      for (int i = 0; i < rest; i++) {
        low |= (bytes[at + i] & 0xFFL) << (Byte.SIZE * i);
      }
      high = 0;
    }
    return fold(fold(low ^ SEED_2, high ^ state) ^ SEED_3, SEED_1 ^ state);
  }

  /** The hash of a slice's bytes. */
  public static long hash(Slice key) {
    return hash(key.bytes(), key.offset(), key.length());
  }

  /** A hash of one number: every bit of the result depends on every bit of the value. */
  public static long mix(long value) {
    long mixed = (value ^ (value >>> 32)) * SEED_1;
    mixed = (mixed ^ (mixed >>> 29)) * SEED_2;
    return mixed ^ (mixed >>> 32);
  }

  private static long fold(long a, long b) {
    return (a * b) ^ Math.multiplyHigh(a, b);
  }
}
