package dev.varve.common.disk;

/**
 * Bytes of a manifest, little-endian; see docs/format/manifest.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  magic "VARVEMAN"
 *       8      4  format version
 *      12      4  CRC32C over bytes 0..11 and 16 to the end
 *      16      8  store id
 *      24      4  index id
 *      28      4  number of levels, level 0 included
 *      32      8  newest flush
 *      40      8  index LSN
 *      48     ..  for each level, level 0 first: number of components (4), 1 if it says what was
 *                 merged last, or 0 (4), those keys if it does, and its components; for each of
 *                 these: number (8), first and last flush that the file is called by, or zeros (8
 *                 each), its keys
 *
 *  keys:          length (4) and bytes of the smallest, length (4) and bytes of the largest
 * </pre>
 */
final class ManifestLayout {
  static final int MAGIC = 0;
  static final int VERSION = 8;
  static final int CRC = 12;
  static final int STORE = 16;
  static final int INDEX = 24;
  static final int LEVELS = 28;
  static final int NEWEST_FLUSH = 32;
  static final int INDEX_LSN = 40;
  static final int BODY = 48;

  /** Largest manifest that is read: a length in a damaged file allocates no more. */
  static final int MAX_BYTES = 256 << 20;

  /** More levels than these are damage: each is larger than the one before. */
  static final int MAX_LEVELS = 64;

  /** {@code VARVEMAN} in ASCII, read as a little-endian number. */
  static final long MAGIC_VALUE = 0x4E41_4D45_5652_4156L;

  /** The format that this engine writes, and the newest that it reads. */
  static final int VERSION_VALUE = 1;

  private ManifestLayout() {}
}
