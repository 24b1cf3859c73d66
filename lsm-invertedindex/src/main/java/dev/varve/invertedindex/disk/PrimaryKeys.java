package dev.varve.invertedindex.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import java.util.Arrays;

/**
 * The primary keys of a component being built, and the ordinal of each: its own bytes, 2 bytes for
 * their number, 4 for the ordinal, and 8 to 16 for the hash table. Confined to one builder.
 *
 * <p>Implementation note. A search goes to the table and from there to the key: with many documents
 * neither is in a cache of the processor, so that a third place would cost half as much again.
 */
final class PrimaryKeys {
  /** No document has the key. */
  static final int NONE = -1;

  private static final int CHUNK_BITS = 16;
  private static final int CHUNK = 1 << CHUNK_BITS;
  private static final int LENGTH_BYTES = 2;

  /** In front of a key: its length and its ordinal. */
  private static final int HEAD_BYTES = LENGTH_BYTES + Integer.BYTES;

  /** Most chunks: an address is an {@code int}. */
  private static final int MAX_CHUNKS = 1 << (Integer.SIZE - 1 - CHUNK_BITS);

  private byte[][] chunks = new byte[16][];
  private int chunkCount;
  private int inChunk = CHUNK;
  private int count;

  /** One more than the address of a key, or 0. */
  private int[] slots = new int[0];

  /** Where the key behind the one that was found last would be. */
  private int following;

  /** Adds the key of the next ordinal. */
  void add(Slice key) throws LimitException {
    int length = key.length();
    // Behind the last key of a chunk is what looks like one of no length.
    assert length > 0 && length < 1 << (LENGTH_BYTES * Byte.SIZE) : length;
    assert slots.length == 0 : "sealed";
    if (inChunk + HEAD_BYTES + length > CHUNK) {
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
    byte[] chunk = chunks[chunkCount - 1];
    Bytes.putShort(chunk, inChunk, length);
    Bytes.putInt(chunk, inChunk + LENGTH_BYTES, count++);
    inChunk += HEAD_BYTES;
    System.arraycopy(key.bytes(), key.offset(), chunk, inChunk, length);
    inChunk += length;
  }

  /** Called once, when all keys are there. */
  void seal() {
    slots = new int[Integer.highestOneBit(Math.max(1, count)) << 2];
    Slice key = new Slice();
    int sealed = 0;
    for (int i = 0; i < chunkCount; i++) {
      byte[] chunk = chunks[i];
      int at = 0;
      while (sealed < count && at + HEAD_BYTES <= CHUNK && ordinal(chunk, at) == sealed) {
        int slot = slot(key.set(chunk, at + HEAD_BYTES, length(chunk, at)));
        while (slots[slot] != 0) {
          slot = (slot + 1) & (slots.length - 1);
        }
        slots[slot] = 1 + ((i << CHUNK_BITS) | at);
        at += HEAD_BYTES + key.length();
        sealed++;
      }
    }
    assert sealed == count : sealed + " of " + count;
  }

  private int slot(Slice key) {
    return (int) KeyHash.hash(key) & (slots.length - 1);
  }

  /**
   * The ordinal of a key. The one behind the key that was found last is looked at first: lists of
   * frequent tokens have most ordinals.
   */
  int find(Slice key) {
    int address = following;
    if (key.length() == 0 || !isAt(address, key)) {
      int slot = slot(key);
      address = slots[slot] - 1;
      while (address >= 0 && !isAt(address, key)) {
        slot = (slot + 1) & (slots.length - 1);
        address = slots[slot] - 1;
      }
      if (address < 0) {
        return NONE;
      }
    }
    following = address + HEAD_BYTES + key.length();
    return ordinal(chunks[address >>> CHUNK_BITS], address & (CHUNK - 1));
  }

  /** Whether a key is at an address, where there need be none. */
  private boolean isAt(int address, Slice key) {
    int at = address & (CHUNK - 1);
    int from = at + HEAD_BYTES;
    int length = key.length();
    if (address >>> CHUNK_BITS >= chunkCount || from + length > CHUNK) {
      return false;
    }
    byte[] chunk = chunks[address >>> CHUNK_BITS];
    return length(chunk, at) == length
        && Arrays.equals(
            chunk, from, from + length, key.bytes(), key.offset(), key.offset() + length);
  }

  private static int length(byte[] chunk, int at) {
    return Bytes.getUnsignedShort(chunk, at);
  }

  private static int ordinal(byte[] chunk, int at) {
    return Bytes.getInt(chunk, at + LENGTH_BYTES);
  }
}
