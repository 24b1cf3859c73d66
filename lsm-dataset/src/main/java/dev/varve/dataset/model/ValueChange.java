package dev.varve.dataset.model;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import java.util.Arrays;
import java.util.Optional;

/**
 * What the value of a key becomes, by what it is. A change is applied while the key is locked, by a
 * read and a write of the value: it saves its caller a transaction, and the store no read.
 */
@FunctionalInterface
public interface ValueChange {
  /**
   * The value afterwards. It depends on nothing but the value before, since it may be asked more
   * than once; it uses no store, and is short. What it throws goes through, and the pair stays as
   * it was.
   *
   * @param before nothing where the key is not there
   * @return nothing deletes the pair
   */
  Optional<byte[]> of(Optional<byte[]> before);

  /**
   * Adds to a counter of eight bytes, the highest first, which begins at 0; it wraps around as a
   * {@code long} does. It throws {@link IllegalArgumentException} at a value of another length.
   */
  static ValueChange addLong(long amount) {
    return before -> {
      int length = before.map(value -> value.length).orElse(Long.BYTES);
      if (length != Long.BYTES) {
        throw new IllegalArgumentException(
            "a value of " + length + " bytes is no counter, which has " + Long.BYTES);
      }
      long count = before.map(value -> Bytes.getLongBigEndian(value, 0)).orElse(0L);
      byte[] after = new byte[Long.BYTES];
      Bytes.putLongBigEndian(after, 0, count + amount);
      return Optional.of(after);
    };
  }

  /** Puts bytes behind the value, which begins empty. */
  static ValueChange append(byte[] bytes) {
    byte[] added = bytes.clone();
    return before -> {
      byte[] old = before.orElse(new byte[0]);
      byte[] after = Arrays.copyOf(old, Math.addExact(old.length, added.length));
      System.arraycopy(added, 0, after, old.length, added.length);
      return Optional.of(after);
    };
  }

  /** Keeps the greater value, byte by byte without sign, as keys are ordered. */
  static ValueChange max(byte[] bytes) {
    byte[] other = bytes.clone();
    return before ->
        before.isPresent() && new Slice(before.get()).compareBytes(new Slice(other)) >= 0
            ? before
            : Optional.of(other.clone());
  }
}
