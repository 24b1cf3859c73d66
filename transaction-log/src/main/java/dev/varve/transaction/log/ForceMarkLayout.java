package dev.varve.transaction.log;

import dev.varve.common.bytes.Bytes;
import java.util.zip.CRC32C;

/**
 * Bytes of the file of force marks, little-endian; see docs/format/log.md. The two slots lie in
 * sectors of their own, and are written in turn: whatever tears one leaves the other.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  magic "VARVEFRC"
 *       8      4  format version
 *      12      4  CRC32C over bytes 0..11 and 16..31
 *      16      8  store id
 *      24      8  zero
 *     512     16  slot 0
 *    1024     16  slot 1
 *  slot:
 *       0      4  CRC32C over bytes 4..15 of the slot, xor the salt of the slot
 *       4      4  zero
 *       8      8  durable LSN
 * </pre>
 */
final class ForceMarkLayout {
  static final int MAGIC = 0;
  static final int VERSION = 8;
  static final int CRC = 12;
  static final int STORE = 16;
  static final int HEADER_BYTES = 32;

  /** Distance of the slots from each other and from the header: a sector. */
  static final int SLOT_DISTANCE = 512;

  static final int SLOTS = 2;

  static final int SLOT_CRC = 0;
  static final int SLOT_RESERVED = 4;
  static final int SLOT_DURABLE_LSN = 8;
  static final int SLOT_BYTES = 16;

  /** Bytes of the file. */
  static final int BYTES = (SLOTS + 1) * SLOT_DISTANCE;

  /** {@code VARVEFRC} in ASCII, read as a little-endian number. */
  static final long MAGIC_VALUE = 0x4352_4645_5652_4156L;

  /** The format that this engine writes, and the newest that it reads. */
  static final int VERSION_VALUE = 1;

  private ForceMarkLayout() {}

  /** Where a slot begins. */
  static int slot(int number) {
    return (number + 1) * SLOT_DISTANCE;
  }

  /** Checksum of a header that starts at offset 0. */
  static int crc(byte[] header) {
    CRC32C crc = new CRC32C();
    crc.update(header, 0, CRC);
    crc.update(header, STORE, HEADER_BYTES - STORE);
    return (int) crc.getValue();
  }

  /** Checksum of a slot: one of another store, or in the other's place, never passes. */
  static int slotCrc(byte[] bytes, int slotAt, int salt) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, slotAt + SLOT_RESERVED, SLOT_BYTES - SLOT_RESERVED);
    return (int) crc.getValue() ^ salt;
  }

  /** What the checksum of a slot is xor-ed with. */
  static int salt(long store, int slot) {
    byte[] ids = new byte[16];
    Bytes.putLong(ids, 0, store);
    Bytes.putLong(ids, 8, slot);
    CRC32C crc = new CRC32C();
    crc.update(ids, 0, ids.length);
    return (int) crc.getValue();
  }
}
