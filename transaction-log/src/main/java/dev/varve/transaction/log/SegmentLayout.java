package dev.varve.transaction.log;

import dev.varve.common.bytes.Bytes;
import java.util.zip.CRC32C;

/**
 * Bytes at the start of a log segment, little-endian; see docs/format/log.md. Records follow
 * without padding. Until a segment is used, these bytes are zeros.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  magic "VARVELOG"
 *       8      4  format version
 *      12      4  CRC32C over bytes 0..11 and 16..63
 *      16      8  store id
 *      24      8  segment id
 *      32      8  LSN of the first record
 *      40      8  durable LSN that was known when the segment was taken into use
 *      48      4  size of the file in bytes
 *      52     12  zero
 * </pre>
 */
final class SegmentLayout {
  static final int MAGIC = 0;
  static final int VERSION = 8;
  static final int CRC = 12;
  static final int STORE = 16;
  static final int SEGMENT = 24;
  static final int FIRST_LSN = 32;
  static final int DURABLE_LSN = 40;
  static final int BYTES = 48;
  static final int RESERVED = 52;

  /** Bytes of the header; the first record starts here. */
  static final int HEADER_BYTES = 64;

  /** {@code VARVELOG} in ASCII, read as a little-endian number. */
  static final long MAGIC_VALUE = 0x474F_4C45_5652_4156L;

  /** The format that this engine writes, and the newest that it reads. */
  static final int VERSION_VALUE = 2;

  /** From this format on force marks lie beside the segments; before it there were none. */
  static final int MARKED_VERSION = 2;

  private SegmentLayout() {}

  /** Checksum of a header that starts at offset 0. */
  static int crc(byte[] header) {
    CRC32C crc = new CRC32C();
    crc.update(header, 0, CRC);
    crc.update(header, STORE, HEADER_BYTES - STORE);
    return (int) crc.getValue();
  }

  /**
   * What the checksums of a segment's records are xor-ed with: a record of another segment or store
   * that the file held before never passes for one of this segment. Ids that differ in their low 32
   * bits give different salts, since a CRC tells all bursts of 32 bits apart.
   */
  static int salt(long store, long segment) {
    byte[] ids = new byte[16];
    Bytes.putLong(ids, 0, store);
    Bytes.putLong(ids, 8, segment);
    CRC32C crc = new CRC32C();
    crc.update(ids, 0, ids.length);
    return (int) crc.getValue();
  }
}
