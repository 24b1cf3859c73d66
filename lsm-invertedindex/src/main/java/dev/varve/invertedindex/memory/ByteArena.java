package dev.varve.invertedindex.memory;

import dev.varve.common.bytes.Bytes;
import java.util.Arrays;

/**
 * Bytes that are given out once and never taken back: primary keys, tokens and posting slices of
 * one memory component. Each byte is zero until it is written, and is written once, so a reader
 * without a lock sees a zero or what was written. An address is an {@code int}; none is 0.
 *
 * <p>One thread at a time allocates and writes (it holds the index's lock), any number read.
 */
final class ByteArena {
  /** No address. */
  static final int NONE = 0;

  private static final int CHUNK_BITS = 16;
  private static final int CHUNK = 1 << CHUNK_BITS;

  /** Length of the first chunk, so that an index with a few documents is small. */
  private static final int FIRST_CHUNK = 1 << 12;

  private static final int ALIGNMENT = Integer.BYTES;

  private volatile byte[][] chunks = {new byte[FIRST_CHUNK]};

  /** Where the next bytes come from; the first few are left out, so that 0 is no address. */
  private int next = ALIGNMENT;

  private int end = FIRST_CHUNK;
  private long heldBytes = FIRST_CHUNK;

  /** Gives out bytes that lie in one chunk, at a multiple of four. */
  int allocate(int length) {
    assert length > 0 : length;
    int aligned = (length + ALIGNMENT - 1) & -ALIGNMENT;
    if (aligned > end - next) {
      byte[][] old = chunks;
      if (old.length == 1 << (Integer.SIZE - 1 - CHUNK_BITS)) {
        throw new IllegalStateException("a memory component of more than 2 GiB");
      }
      byte[][] grown = Arrays.copyOf(old, old.length + 1);
      grown[old.length] = new byte[Math.max(CHUNK, aligned)];
      next = old.length << CHUNK_BITS;
      end = next + grown[old.length].length;
      heldBytes += grown[old.length].length;
      chunks = grown;
    }
    int address = next;
    next += aligned;
    return address;
  }

  /**
   * The chunk in which an address lies; empty when the address was read ahead of what it points to,
   * which a reader without a lock may do.
   */
  byte[] chunk(int address) {
    byte[][] all = chunks;
    int index = address >>> CHUNK_BITS;
    return index < all.length ? all[index] : Bytes.EMPTY;
  }

  /** Where in its chunk an address lies. */
  static int offset(int address) {
    return address & (CHUNK - 1);
  }

  /** Bytes of heap in chunks. */
  long heldBytes() {
    return heldBytes;
  }
}
