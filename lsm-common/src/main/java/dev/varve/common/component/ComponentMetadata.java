package dev.varve.common.component;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.CorruptionException;
import java.nio.charset.StandardCharsets;

/**
 * What a disk component's metadata page says; docs/format/component.md has the byte table.
 *
 * @param format name of the index kind that wrote the component, 1..64 UTF-8 bytes
 * @param id which flushes it holds
 * @param componentLsn see {@link ComponentStats#componentLsn}
 * @param entries number of entries, antimatter included
 * @param antimatter number of antimatter entries
 * @param rootPage where the kind's index begins, 0 when there are no entries
 * @param filterPage first page of the Bloom filter, 0 when there is none
 */
public record ComponentMetadata(
    String format,
    ComponentId id,
    long componentLsn,
    long entries,
    long antimatter,
    int rootPage,
    int filterPage) {
  private static final int FIRST = 0;
  private static final int LAST = 8;
  private static final int LSN = 16;
  private static final int ENTRIES = 24;
  private static final int ANTIMATTER = 32;
  private static final int ROOT_PAGE = 40;
  private static final int FILTER_PAGE = 44;
  private static final int NAME_LENGTH = 48;
  private static final int NAME = 50;
  private static final int MAX_NAME_BYTES = 64;

  /** The bytes of the metadata page's user part. */
  public byte[] encode() {
    byte[] name = format.getBytes(StandardCharsets.UTF_8);
    if (name.length == 0 || name.length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException("format name of " + name.length + " bytes");
    }
    byte[] bytes = new byte[NAME + name.length];
    Bytes.putLong(bytes, FIRST, id.first());
    Bytes.putLong(bytes, LAST, id.last());
    Bytes.putLong(bytes, LSN, componentLsn);
    Bytes.putLong(bytes, ENTRIES, entries);
    Bytes.putLong(bytes, ANTIMATTER, antimatter);
    Bytes.putInt(bytes, ROOT_PAGE, rootPage);
    Bytes.putInt(bytes, FILTER_PAGE, filterPage);
    Bytes.putShort(bytes, NAME_LENGTH, name.length);
    System.arraycopy(name, 0, bytes, NAME, name.length);
    return bytes;
  }

  /**
   * Reads what {@link #encode} wrote.
   *
   * @param file the component's file, for the message
   */
  public static ComponentMetadata decode(byte[] bytes, String file) throws CorruptionException {
    int nameLength = bytes.length < NAME ? -1 : Bytes.getUnsignedShort(bytes, NAME_LENGTH);
    long first = nameLength < 0 ? 0 : Bytes.getLong(bytes, FIRST);
    long last = nameLength < 0 ? 0 : Bytes.getLong(bytes, LAST);
    if (nameLength < 1
        || nameLength > MAX_NAME_BYTES
        || bytes.length < NAME + nameLength
        || first < 1
        || last < first) {
      throw new CorruptionException(file, -1, "the metadata page does not describe a component");
    }
    return new ComponentMetadata(
        new String(bytes, NAME, nameLength, StandardCharsets.UTF_8),
        new ComponentId(first, last),
        Bytes.getLong(bytes, LSN),
        Bytes.getLong(bytes, ENTRIES),
        Bytes.getLong(bytes, ANTIMATTER),
        Bytes.getInt(bytes, ROOT_PAGE),
        Bytes.getInt(bytes, FILTER_PAGE));
  }
}
