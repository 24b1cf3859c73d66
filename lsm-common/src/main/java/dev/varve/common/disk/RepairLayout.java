package dev.varve.common.disk;

/**
 * Bytes of a file that says what is dead in a component, little-endian; see docs/format/repair.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  magic "VARVEREP"
 *       8      4  format version
 *      12      4  CRC32C over bytes 0..11 and 16 to the end
 *      16      8  store id
 *      24      8  file id of the component
 *      32      8  bytes of the component's file
 *      40      8  how far the entries were checked
 *      48      8  number of dead entries
 *      56     ..  the position of the first, and how far each other is behind the one before it, as
 *                 varints
 * </pre>
 */
final class RepairLayout {
  static final int MAGIC = 0;
  static final int VERSION = 8;
  static final int CRC = 12;
  static final int STORE = 16;
  static final int COMPONENT = 24;
  static final int COMPONENT_BYTES = 32;
  static final int CHECKED_TO = 40;
  static final int COUNT = 48;
  static final int BODY = 56;

  /** Most dead entries: with more of them a component waits for a merge. */
  static final int MOST_DEAD = 1 << 28;

  /** {@code VARVEREP} in ASCII, read as a little-endian number. */
  static final long MAGIC_VALUE = 0x5045_5245_5652_4156L;

  /** The format that this engine writes, and the newest that it reads. */
  static final int VERSION_VALUE = 1;

  private RepairLayout() {}
}
