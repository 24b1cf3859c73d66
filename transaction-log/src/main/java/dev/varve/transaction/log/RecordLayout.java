package dev.varve.transaction.log;

/**
 * Bytes of a log record, little-endian; see docs/format/log.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      4  CRC32C over bytes 4.. of the record, xor the salt of the segment
 *       4      4  length of the record in bytes, this header included
 *       8      8  LSN
 *      16      8  transaction id
 *      24      8  LSN of the transaction's previous record, -1 for its first
 *      32      1  type
 *      33      1  operation (update), else 0
 *      34      2  zero
 *  update:
 *      36      4  index id
 *      40      4  length of the key
 *      44     ..  key, then value up to the end of the record
 *  commit:
 *      36      8  durable LSN that was known when the record was written
 *  abort: nothing more
 *  seal (transaction and previous LSN are -1):
 *      36      8  durable LSN that was known when the record was written
 *      44      8  id of the segment in which the stream goes on
 *      52      8  LSN of the first record there
 *      60      4  size of that segment's file in bytes
 * </pre>
 */
final class RecordLayout {
  static final int CRC = 0;
  static final int LENGTH = 4;
  static final int LSN = 8;
  static final int TRANSACTION = 16;
  static final int PREVIOUS_LSN = 24;
  static final int TYPE = 32;
  static final int OPERATION = 33;
  static final int RESERVED = 34;
  static final int INDEX = 36;
  static final int KEY_LENGTH = 40;
  static final int KEY = 44;
  static final int DURABLE_LSN = 36;
  static final int NEXT_SEGMENT = 44;
  static final int NEXT_LSN = 52;
  static final int NEXT_BYTES = 60;

  /** Bytes of the fields that every record has. */
  static final int HEADER_BYTES = 36;

  /** Bytes of an update with an empty key and an empty value. */
  static final int UPDATE_BYTES = KEY;

  static final int COMMIT_BYTES = 44;
  static final int ABORT_BYTES = HEADER_BYTES;
  static final int SEAL_BYTES = 64;

  private RecordLayout() {}
}
