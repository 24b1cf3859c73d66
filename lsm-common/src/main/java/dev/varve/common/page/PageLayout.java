package dev.varve.common.page;

/**
 * Bytes of a page; see docs/format/page-file.md.
 *
 * <pre>
 *  offset  bytes  field
 *       0      4  CRC32C over bytes 4.. of the whole page, then file id and page number
 *       4      1  kind of page, chosen by its writer; F0..FF are taken by this module
 *       5      1  units: length of the page in multiples of the page size, 1..255
 *       6      2  reserved, zero
 *       8      .. body
 * </pre>
 */
public final class PageLayout {
  /** Offset of the checksum. */
  public static final int CRC = 0;

  /** Offset of the kind of page. */
  public static final int KIND = 4;

  /** Offset of the length in units. */
  public static final int UNITS = 5;

  /** Offset of two bytes that are zero. */
  static final int RESERVED = 6;

  /** Offset of the first byte that belongs to the page's user. */
  public static final int BODY = 8;

  /** Largest number of units in a page. */
  public static final int MAX_UNITS = 255;

  /** Kind of the pages of a filter. */
  public static final byte KIND_FILTER = (byte) 0xF0;

  /** Kind of the metadata page. */
  public static final byte KIND_METADATA = (byte) 0xFF;

  private PageLayout() {}
}
