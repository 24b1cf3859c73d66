package dev.varve.transaction.checkpoint;

/**
 * Bytes of the checkpoint file, little-endian; see docs/format/checkpoint.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  magic "VARVECKP"
 *       8      4  format version
 *      12      4  CRC32C over bytes 0..11 and 16 to the end
 *      16      8  store id
 *      24      4  kind: 1 creating, 2 running, 3 closed
 *      28      4  zero
 *      32      8  low-water mark
 *      40      8  next transaction id
 *      48      8  id of the segment where reading starts, 0 when creating
 *      56      8  LSN of that segment's first record
 *      64      8  LSN of the record where reading starts
 *      72      8  durable LSN when the checkpoint was written
 *      80      4  number of indexes that follow
 *      84     12  zero
 *      96     ..  for each of them, in ascending order: id (4 bytes), newest flush (8 bytes)
 * </pre>
 */
final class CheckpointLayout {
  static final int MAGIC = 0;
  static final int VERSION = 8;
  static final int CRC = 12;
  static final int STORE = 16;
  static final int KIND = 24;
  static final int RESERVED = 28;
  static final int LOW_WATER_MARK = 32;
  static final int NEXT_TRANSACTION = 40;
  static final int SEGMENT = 48;
  static final int FIRST_LSN = 56;
  static final int BOUNDARY_LSN = 64;
  static final int DURABLE_LSN = 72;
  static final int INDEXES = 80;
  static final int RESERVED_END = 84;
  static final int BYTES = 96;

  static final int INDEX_ID = 0;
  static final int INDEX_FLUSH = 4;
  static final int INDEX_BYTES = 12;

  /** Largest checkpoint that is read: a length in a damaged file allocates no more. */
  static final int MAX_BYTES = 64 << 20;

  /** {@code VARVECKP} in ASCII, read as a little-endian number. */
  static final long MAGIC_VALUE = 0x504B_4345_5652_4156L;

  /** The format that this engine writes, and the newest that it reads. */
  static final int VERSION_VALUE = 1;

  private CheckpointLayout() {}
}
