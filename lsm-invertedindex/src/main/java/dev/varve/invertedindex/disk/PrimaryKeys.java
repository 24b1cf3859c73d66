package dev.varve.invertedindex.disk;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import java.util.Arrays;

/**
 * The primary keys of a component being built, and the ordinal of each: its own bytes, 2 bytes for
 * their number, 4 for where they are, and 8 to 16 for the hash table. Confined to one builder.
 */
final class PrimaryKeys {
  /** No document has the key. */
  static final int NONE = -1;

  private static final int CHUNK_BITS = 16;
  private static final int CHUNK = 1 << CHUNK_BITS;
  private static final int LENGTH_BYTES = 2;

  /** Most chunks: an address is an {@code int}. */
  private static final int MAX_CHUNKS = 1 << (Integer.SIZE - 1 - CHUNK_BITS);

  private byte[][] chunks = new byte[16][];
  private int chunkCount;
  private int inChunk = CHUNK;
  private int[] addresses = new int[64];
  private int count;
  private int[] slots = new int[0];

  int count() {
    return count;
  }

  /** Adds the key of the next ordinal. */
  void add(Slice key) throws LimitException {
    int length = key.length();
    assert length < 1 << (LENGTH_BYTES * Byte.SIZE) : length;
    assert slots.length == 0 : "sealed";
    if (inChunk + LENGTH_BYTES + length > CHUNK) {
      if (chunkCount == MAX_CHUNKS) {
        throw new LimitException(
            "bytes of primary keys in a component",
            (long) CHUNK * MAX_CHUNKS + length,
            (long) CHUNK * MAX_CHUNKS);
      }
      if (chunkCount == chunks.length) {
        chunks = Arrays.copyOf(chunks, 2 * chunkCount);
      }
      chunks[chunkCount++] = new byte[CHUNK];
      inChunk = 0;
    }
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, 2 * count);
    }
    byte[] chunk = chunks[chunkCount - 1];
    addresses[count++] = ((chunkCount - 1) << CHUNK_BITS) | inChunk;
    chunk[inChunk++] = (byte) (length >>> Byte.SIZE);
    chunk[inChunk++] = (byte) length;
    System.arraycopy(key.bytes(), key.offset(), chunk, inChunk, length);
    inChunk += length;
  }

  /** Called once, when all keys are there. */
  void seal() {
    slots = new int[Integer.highestOneBit(Math.max(1, count)) << 2];
    Slice key = new Slice();
    for (int i = 0; i < count; i++) {
      int at = addresses[i] & (CHUNK - 1);
      byte[] chunk = chunks[addresses[i] >>> CHUNK_BITS];
      int slot = slot(key.set(chunk, at + LENGTH_BYTES, length(chunk, at)));
      while (slots[slot] != 0) {
        slot = (slot + 1) & (slots.length - 1);
      }
      slots[slot] = i + 1;
    }
  }

  private int slot(Slice key) {
    return (int) KeyHash.hash(key) & (slots.length - 1);
  }

  /**
   * The ordinal of a key.
   *
   * @param guess looked at first: lists of frequent tokens have most ordinals
   */
  int find(Slice key, int guess) {
    if (guess < count && is(guess, key)) {
      return guess;
    }
    for (int slot = slot(key); ; slot = (slot + 1) & (slots.length - 1)) {
      int ordinal = slots[slot] - 1;
      if (ordinal < 0 || is(ordinal, key)) {
        return ordinal;
      }
    }
  }

  private boolean is(int ordinal, Slice key) {
    int address = addresses[ordinal];
    byte[] chunk = chunks[address >>> CHUNK_BITS];
    int at = address & (CHUNK - 1);
    int length = key.length();
    int from = at + LENGTH_BYTES;
    return length(chunk, at) == length
        && Arrays.equals(
            chunk, from, from + length, key.bytes(), key.offset(), key.offset() + length);
  }

  private static int length(byte[] chunk, int at) {
    return ((chunk[at] & 0xFF) << Byte.SIZE) | (chunk[at + 1] & 0xFF);
  }
}
