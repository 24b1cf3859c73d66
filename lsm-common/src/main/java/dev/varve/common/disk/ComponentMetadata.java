package dev.varve.common.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
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
 * @param filterPage first page of the Bloom filter, 0 when there is none: over the keys of the
 *     entries, or over the deleted keys in a kind that has those
 * @param deletedKeys number of deleted keys
 * @param deletedRootPage where the tree of deleted keys begins, 0 when there are none
 */
public record ComponentMetadata(
    String format,
    ComponentId id,
    long componentLsn,
    long entries,
    long antimatter,
    int rootPage,
    int filterPage,
    long deletedKeys,
    int deletedRootPage) {
  private static final int CURRENT_VERSION = 2;

  private static final int FIRST = 0;
  private static final int LAST = 8;
  private static final int LSN = 16;
  private static final int ENTRIES = 24;
  private static final int ANTIMATTER = 32;
  private static final int ROOT_PAGE = 40;
  private static final int FILTER_PAGE = 44;
  private static final int NAME_LENGTH = 48;
  private static final int VERSION = 49;
  private static final int RESERVED = 50;
  private static final int DELETED_ROOT_PAGE = 52;
  private static final int DELETED_KEYS = 56;
  private static final int NAME = 64;

  /** In version 1, whose number is 0 and which has no deleted keys. */
  private static final int NAME_OF_VERSION_1 = 50;

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
    bytes[NAME_LENGTH] = (byte) name.length;
    bytes[VERSION] = CURRENT_VERSION;
    Bytes.putInt(bytes, DELETED_ROOT_PAGE, deletedRootPage);
    Bytes.putLong(bytes, DELETED_KEYS, deletedKeys);
    System.arraycopy(name, 0, bytes, NAME, name.length);
    return bytes;
  }

  /**
   * Reads what {@link #encode} wrote, in this version or an earlier one.
   *
   * @param file the component's file, for the message
   */
  public static ComponentMetadata decode(byte[] bytes, String file) throws StorageException {
    if (bytes.length < NAME_OF_VERSION_1) {
      throw damaged(file);
    }
    int version = bytes[VERSION] & 0xFF;
    if (version > CURRENT_VERSION) {
      throw new FormatVersionException(file, version, CURRENT_VERSION);
    }
    boolean hasDeletedKeys = version == CURRENT_VERSION;
    int nameAt = hasDeletedKeys ? NAME : NAME_OF_VERSION_1;
    int nameLength = bytes[NAME_LENGTH] & 0xFF;
    long first = Bytes.getLong(bytes, FIRST);
    long last = Bytes.getLong(bytes, LAST);
    if (version == 1
        || nameLength < 1
        || nameLength > MAX_NAME_BYTES
        || bytes.length < nameAt + nameLength
        || (hasDeletedKeys && Bytes.getUnsignedShort(bytes, RESERVED) != 0)
        || first < 1
        || last < first) {
      throw damaged(file);
    }
    return new ComponentMetadata(
        new String(bytes, nameAt, nameLength, StandardCharsets.UTF_8),
        new ComponentId(first, last),
        Bytes.getLong(bytes, LSN),
        Bytes.getLong(bytes, ENTRIES),
        Bytes.getLong(bytes, ANTIMATTER),
        Bytes.getInt(bytes, ROOT_PAGE),
        Bytes.getInt(bytes, FILTER_PAGE),
        hasDeletedKeys ? Bytes.getLong(bytes, DELETED_KEYS) : 0,
        hasDeletedKeys ? Bytes.getInt(bytes, DELETED_ROOT_PAGE) : 0);
  }

  private static CorruptionException damaged(String file) {
    return new CorruptionException(file, -1, "the metadata page does not describe a component");
  }
}
