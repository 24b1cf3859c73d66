package dev.varve.transaction.log;

/**
 * Bytes of a log record, little-endian; see docs/format/log.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      4  CRC32C over bytes 4.. of the record, xor the salt of the segment
 *       4      4  length of the record in bytes, this header included
 *       8      8  LSN
 *      16      1  type
 *      17      1  operation (update, lone update), else 0
 *      18      2  zero
 *  update, commit, abort:
 *      20      8  transaction id
 *      28      8  LSN of the transaction's previous record, -1 for its first
 *  update:
 *      36      4  index id
 *      40      4  length of the key
 *      44     ..  key, then value up to the end of the record
 *  commit:
 *      36      8  durable LSN that was known when the record was written
 *  abort: nothing more
 *  lone update:
 *      20      8  durable LSN that was known when the record was written
 *      28      4  index id
 *      32      4  length of the key
 *      36     ..  key, then value up to the end of the record
 *  seal:
 *      20      8  durable LSN that was known when the record was written
 *      28      8  id of the segment in which the stream goes on
 *      36      8  LSN of the first record there
 *      44      4  size of that segment's file in bytes
 * </pre>
 */
final class RecordLayout {
  static final int CRC = 0;
  static final int LENGTH = 4;
  static final int LSN = 8;
  static final int TYPE = 16;
  static final int OPERATION = 17;
  static final int RESERVED = 18;

  /** Bytes of the fields that every record has. */
  static final int HEADER_BYTES = 20;

  static final int TRANSACTION = 20;
  static final int PREVIOUS_LSN = 28;

  static final int INDEX = 36;
  static final int KEY_LENGTH = 40;
  static final int KEY = 44;
  static final int COMMIT_DURABLE_LSN = 36;

  static final int LONE_DURABLE_LSN = 20;
  static final int LONE_INDEX = 28;
  static final int LONE_KEY_LENGTH = 32;
  static final int LONE_KEY = 36;

  static final int SEAL_DURABLE_LSN = 20;
  static final int NEXT_SEGMENT = 28;
  static final int NEXT_LSN = 36;
  static final int NEXT_BYTES = 44;

  /** Bytes of an update with an empty key and an empty value. */
  static final int UPDATE_BYTES = KEY;

  /** Bytes of a lone update with an empty key and an empty value. */
  static final int LONE_UPDATE_BYTES = LONE_KEY;

  static final int COMMIT_BYTES = 44;
  static final int ABORT_BYTES = 36;
  static final int SEAL_BYTES = 48;

  private RecordLayout() {}
}
