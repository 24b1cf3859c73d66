package dev.varve.btree.bound;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;
import java.util.HexFormat;

/** One end of a range of keys: a key that is in or out of the range, or no bound. Immutable. */
public final class KeyBound {
  private enum Kind {
    UNBOUNDED,
    INCLUSIVE,
    EXCLUSIVE
  }

  private static final KeyBound NONE = new KeyBound(Kind.UNBOUNDED, Bytes.EMPTY);

  private final Kind kind;
  private final byte[] key;

  private KeyBound(Kind kind, byte[] key) {
    this.kind = kind;
    this.key = key;
  }

  /** The range goes on to the first or last key there is. */
  public static KeyBound unbounded() {
    return NONE;
  }

  /** The range ends with this key. The bytes are copied. */
  public static KeyBound inclusive(byte[] key) {
    return new KeyBound(Kind.INCLUSIVE, key.clone());
  }

  /** The range ends with this key. The bytes are copied. */
  public static KeyBound inclusive(Slice key) {
    return new KeyBound(Kind.INCLUSIVE, key.toByteArray());
  }

  /** The range ends just before it reaches this key. The bytes are copied. */
  public static KeyBound exclusive(byte[] key) {
    return new KeyBound(Kind.EXCLUSIVE, key.clone());
  }

  /** The range ends just before it reaches this key. The bytes are copied. */
  public static KeyBound exclusive(Slice key) {
    return new KeyBound(Kind.EXCLUSIVE, key.toByteArray());
  }

  /** The lowest bound above every key that starts with a prefix. */
  public static KeyBound afterPrefix(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
      length--;
    }
    if (length == 0) {
      return NONE;
    }
    byte[] successor = Arrays.copyOf(prefix, length);
    successor[length - 1]++;
    return new KeyBound(Kind.EXCLUSIVE, successor);
  }

  /** Whether there is a key. */
  public boolean isBounded() {
    return kind != Kind.UNBOUNDED;
  }

  /** Whether the key itself is in the range. */
  public boolean isInclusive() {
    return kind == Kind.INCLUSIVE;
  }

  /** A view of the key, empty without a bound; whoever asks must not write to its bytes. */
  public Slice key() {
    return new Slice(key);
  }

  /** Whether a key is in the range when this is its low end. */
  public boolean admitsFromBelow(Slice candidate) {
    int order = compareWith(candidate);
    return order > 0 || (order == 0 && kind != Kind.EXCLUSIVE);
  }

  /** Whether a key is in the range when this is its high end. */
  public boolean admitsFromAbove(Slice candidate) {
    int order = compareWith(candidate);
    return order < 0 || (order == 0 && kind != Kind.EXCLUSIVE);
  }

  private int compareWith(Slice candidate) {
    if (kind == Kind.UNBOUNDED) {
      return 0;
    }
    return Bytes.compare(
        candidate.bytes(), candidate.offset(), candidate.length(), key, 0, key.length);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyBound that && kind == that.kind && Arrays.equals(key, that.key);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + Arrays.hashCode(key);
  }

  @Override
  public String toString() {
    return kind == Kind.UNBOUNDED ? "unbounded" : kind + " " + HexFormat.of().formatHex(key);
  }
}
