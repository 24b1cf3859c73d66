package dev.varve.btree.memory;

/**
 * Bytes of an entry in the arena; never written to disk.
 *
 * <pre>
 *  offset  bytes  field
 *       0      4  length of the key, times two, plus one for antimatter
 *       4      4  length of the value
 *       8      k  key
 *     8+k      v  value
 *              ..  up to 7 bytes of padding
 * </pre>
 *
 * An address names an entry in 32 bits: the number of its chunk, then its offset in the chunk in
 * multiples of the alignment.
 */
final class ArenaLayout {
  /** Offset of the key's length and of the antimatter flag. */
  static final int KEY_LENGTH = 0;

  /** Offset of the value's length. */
  static final int VALUE_LENGTH = 4;

  /** Offset of the key. */
  static final int KEY = 8;

  /** Entries begin at multiples of this. */
  static final int ALIGNMENT = 8;

  /** How far an address is shifted to give the number of its chunk. */
  static final int CHUNK_SHIFT = 19;

  /** Bits of an address that hold the offset in the chunk, in multiples of the alignment. */
  static final int OFFSET_MASK = (1 << CHUNK_SHIFT) - 1;

  /**
   * Most chunks in an arena; the last number is kept free for marks such as {@link #NO_ADDRESS}.
   */
  static final int MAX_CHUNKS = (1 << (32 - CHUNK_SHIFT)) - 1;

  /** No entry. */
  static final int NO_ADDRESS = -1;

  private ArenaLayout() {}
}
