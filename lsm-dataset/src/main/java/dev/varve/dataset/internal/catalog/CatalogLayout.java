package dev.varve.dataset.internal.catalog;

/**
 * Bytes of the catalog file; see docs/format/catalog.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      8  magic "VARVECAT"
 *       8      4  format version
 *      12      4  CRC32C over bytes 0 to 11 and from 16 to the end
 *      16      8  store id
 *      24      4  page size of component files in bytes
 *      28      4  number that the next dataset gets
 *      32      4  number that the next index gets
 *      36      4  number of datasets
 *      40      8  generation: how often the catalog was replaced
 *      48      .. the datasets, one after the other
 * </pre>
 */
final class CatalogLayout {
  /** {@code VARVECAT} in ASCII, read as a little-endian number. */
  static final long MAGIC = 0x5441_4345_5652_4156L;

  static final int VERSION = 7;

  /** The oldest version that is read: its indexes are B+-trees and do not say so. */
  static final int OLDEST_VERSION = 1;

  static final int MAGIC_AT = 0;
  static final int VERSION_AT = 8;
  static final int CRC_AT = 12;
  static final int STORE_ID_AT = 16;
  static final int PAGE_BYTES_AT = 24;
  static final int NEXT_DATASET_AT = 28;
  static final int NEXT_INDEX_AT = 32;
  static final int DATASETS_AT = 36;
  static final int GENERATION_AT = 40;
  static final int BODY_AT = 48;

  /** Where the datasets begin in a file before version 3, which has no generation. */
  static final int UNNUMBERED_BODY_AT = 40;

  /** The first version with a generation. */
  static final int NUMBERED_VERSION = 3;

  /**
   * The first version that says how secondary indexes are kept, and in which a dataset may have a
   * filter field.
   */
  static final int KEPT_VERSION = 4;

  /** The first version in which indexes have numbers of their own, and some are being built. */
  static final int INDEX_NUMBERS_VERSION = 5;

  /** The first version in which what is stored may have a time to live. */
  static final int TIME_TO_LIVE_VERSION = 6;

  /** The first version in which a key-value store may keep large values apart. */
  static final int LARGE_VALUES_VERSION = 7;

  /** Largest catalog that is read: a length in a damaged file allocates no more. */
  static final int MAX_BYTES = 64 << 20;

  private CatalogLayout() {}
}
