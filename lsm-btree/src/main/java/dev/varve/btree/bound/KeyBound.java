package dev.varve.btree.bound;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * One end of a range of keys: a key that is in or out of the range, a place between keys, or no
 * bound. Immutable.
 *
 * <p>A place between keys ({@link #afterPrefix}) cuts the keys in two, and means the same at either
 * end of a range: keys below it are on one side, the others on the other. A range turns it into a
 * key that is in or out ({@link #asLow}, {@link #asHigh}), so that cursors know those only.
 */
public final class KeyBound {
  private enum Kind {
    UNBOUNDED,
    INCLUSIVE,
    EXCLUSIVE,
    /** Just before a key, which may not be there. */
    BEFORE,
    /** Behind every key that there can be. */
    AFTER_ALL
  }

  private static final KeyBound NONE = new KeyBound(Kind.UNBOUNDED, Bytes.EMPTY);
  private static final KeyBound AFTER_ALL = new KeyBound(Kind.AFTER_ALL, Bytes.EMPTY);

  private final Kind kind;

  /** One for all who ask, so that a search makes none. */
  private final Slice key;

  private KeyBound(Kind kind, byte[] key) {
    this(kind, new Slice(key));
  }

  private KeyBound(Kind kind, Slice key) {
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

  /**
   * The place behind every key that starts with a prefix. As a high end it takes those keys in, as
   * a low end it leaves them out. Behind the keys that start with nothing, or with bytes of FF
   * only, there are no others.
   */
  public static KeyBound afterPrefix(byte[] prefix) {
    int length = prefix.length;
    while (length > 0 && prefix[length - 1] == (byte) 0xFF) {
      length--;
    }
    if (length == 0) {
      return AFTER_ALL;
    }
    byte[] successor = Arrays.copyOf(prefix, length);
    successor[length - 1]++;
    return new KeyBound(Kind.BEFORE, successor);
  }

  /** The same low end as a key that is in or out, or no bound; null when it lets no key in. */
  public @Nullable KeyBound asLow() {
    return switch (kind) {
      case UNBOUNDED, INCLUSIVE, EXCLUSIVE -> this;
      case BEFORE -> new KeyBound(Kind.INCLUSIVE, key);
      case AFTER_ALL -> null;
    };
  }

  /** The same high end as a key that is in or out, or no bound. */
  public KeyBound asHigh() {
    return switch (kind) {
      case UNBOUNDED, INCLUSIVE, EXCLUSIVE -> this;
      case BEFORE -> new KeyBound(Kind.EXCLUSIVE, key);
      case AFTER_ALL -> NONE;
    };
  }

  /** Whether there is a key. */
  public boolean isBounded() {
    assert isKeyOrNone();
    return kind != Kind.UNBOUNDED;
  }

  /** Whether the key itself is in the range. */
  public boolean isInclusive() {
    assert isKeyOrNone();
    return kind == Kind.INCLUSIVE;
  }

  /**
   * The key, empty without a bound. Whoever asks must neither move the view nor write to its bytes,
   * which are everybody's.
   */
  public Slice key() {
    return key;
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

  /** Whether it means a key, or no bound: a place between keys does only at an end of a range. */
  private boolean isKeyOrNone() {
    return kind != Kind.BEFORE && kind != Kind.AFTER_ALL;
  }

  private int compareWith(Slice candidate) {
    assert isKeyOrNone();
    if (kind == Kind.UNBOUNDED) {
      return 0;
    }
    return candidate.compareBytes(key);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof KeyBound that && kind == that.kind && key.sameBytes(that.key);
  }

  @Override
  public int hashCode() {
    return 31 * kind.hashCode() + Arrays.hashCode(key.bytes());
  }

  @Override
  public String toString() {
    return switch (kind) {
      case UNBOUNDED -> "unbounded";
      case AFTER_ALL -> "after all";
      case INCLUSIVE, EXCLUSIVE, BEFORE -> kind + " " + HexFormat.of().formatHex(key.bytes());
    };
  }
}
