package dev.varve.common.page;

/**
 * Bytes of the first and the last page of a component file; see docs/format/page-file.md.
 *
 * <pre>
 *  header page (page 0, one unit); no later format version moves or resizes these fields
 *  offset  bytes  field
 *       0      8  magic "VARVEPGF"
 *       8      2  kind of file: 1 = component
 *      10      2  format version of the file
 *      12      2  oldest reader version that understands the file
 *      14      2  reserved, zero
 *      16      8  store id
 *      24      8  file id
 *      32      4  page size in bytes: a power of two, 128 B to 1 MiB
 *      36     24  reserved, zero
 *      60      4  CRC32C over bytes 0..59
 *      64     ..  zero up to the page size
 *
 *  metadata page (the last page, one or more units), after the header of every page
 *       8      1  validity: 1 when the component is complete
 *       9      3  reserved, zero
 *      12      4  length of the metadata in bytes
 *      16      8  number of this page
 *      24     ..  metadata of whoever sealed the file, then zeros
 *  len-8       4  units of this page
 *  len-4       4  end magic "VEND"
 * </pre>
 */
final class ComponentFileLayout {
  static final int MAGIC = 0;
  static final int FILE_KIND = 8;
  static final int VERSION = 10;
  static final int OLDEST_READER = 12;
  static final int STORE_ID = 16;
  static final int FILE_ID = 24;
  static final int PAGE_SIZE = 32;
  static final int HEADER_CRC = 60;
  static final int HEADER_BYTES = 64;

  /** The first eight bytes of every component file, read little-endian: "VARVEPGF". */
  static final long MAGIC_VALUE = 0x4647_5045_5652_4156L;

  static final int KIND_COMPONENT = 1;

  /** Version that this engine writes, and newest that it reads. */
  static final int CURRENT_VERSION = 1;

  static final int MIN_PAGE_SIZE = 128;
  static final int MAX_PAGE_SIZE = 1 << 20;

  static final int VALIDITY = PageLayout.BODY;
  static final int METADATA_LENGTH = 12;
  static final int METADATA_PAGE_NUMBER = 16;
  static final int METADATA = 24;

  /** Distance of the metadata page's unit count from the end of the file. */
  static final int UNITS_FROM_END = 8;

  /** Distance of the end magic from the end of the file. */
  static final int END_MAGIC_FROM_END = 4;

  /** The last four bytes of every component file, read little-endian: "VEND". */
  static final int END_MAGIC_VALUE = 0x444E_4556;

  static final byte VALID = 1;

  private ComponentFileLayout() {}

  /** Units of the metadata page that holds so many bytes of metadata; may be above the limit. */
  static long metadataUnits(int metadataLength, int pageSize) {
    return ((long) METADATA + metadataLength + UNITS_FROM_END + pageSize - 1) / pageSize;
  }

  /** Whether files may have this page size. */
  static boolean isPageSize(int pageSize) {
    return pageSize >= MIN_PAGE_SIZE
        && pageSize <= MAX_PAGE_SIZE
        && Integer.bitCount(pageSize) == 1;
  }
}
