package dev.varve.common.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import dev.varve.common.component.DeletedRanges;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.FormatVersionException;
import dev.varve.common.error.StorageException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

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
 * @param filter between which values the records lie that the component is about
 * @param checkedTo how far the owner of the index has checked the entries, in its own count; 0 for
 *     not at all
 * @param superseding about how many entries supersede one of an older component; see {@link
 *     ComponentStats#superseding}
 * @param ranges of keys of which older components have nothing that counts
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
    int deletedRootPage,
    RangeFilter filter,
    long checkedTo,
    long superseding,
    DeletedRanges ranges) {
  /** Only where entries supersede older ones. */
  private static final int SUPERSEDING_VERSION = 6;

  /** Only where ranges of keys were deleted. */
  private static final int RANGES_VERSION = 5;

  /** Only where the owner has checked the entries; others are written in the version before. */
  private static final int CHECKED_VERSION = 4;

  /** The first version with a filter. */
  private static final int FILTER_VERSION = 3;

  /** The first version with deleted keys. */
  private static final int DELETED_KEYS_VERSION = 2;

  private static final int FIRST = 0;
  private static final int LAST = 8;
  private static final int LSN = 16;
  private static final int ENTRIES = 24;
  private static final int ANTIMATTER = 32;
  private static final int ROOT_PAGE = 40;
  private static final int FILTER_PAGE = 44;
  private static final int NAME_LENGTH = 48;
  private static final int VERSION = 49;

  /** Two bytes of zero before version 3. */
  private static final int COVERAGE = 50;

  private static final int BOUNDS = 51;
  private static final int DELETED_ROOT_PAGE = 52;
  private static final int DELETED_KEYS = 56;
  private static final int NAME = 64;

  /** From version 4 on, in which the name is behind it. */
  private static final int CHECKED_TO = 64;

  private static final int NAME_OF_VERSION_4 = 72;

  /** From version 6 on, in which the name is behind it. */
  private static final int SUPERSEDING = 72;

  private static final int NAME_OF_VERSION_6 = 80;

  /** In version 1, whose number is 0 and which has no deleted keys. */
  private static final int NAME_OF_VERSION_1 = 50;

  private static final int MAX_NAME_BYTES = 64;

  /** Coverages by their code in the file. */
  private static final List<RangeFilter.Coverage> COVERAGES =
      List.of(RangeFilter.Coverage.UNKNOWN, RangeFilter.Coverage.HELD, RangeFilter.Coverage.WHOLE);

  /** The bytes of the metadata page's user part. */
  public byte[] encode() {
    byte[] name = format.getBytes(StandardCharsets.UTF_8);
    if (name.length == 0 || name.length > MAX_NAME_BYTES) {
      throw new IllegalArgumentException("format name of " + name.length + " bytes");
    }
    byte[] bounds = encodeBounds(filter.smallest(), filter.largest());
    assert checkedTo >= 0 : checkedTo;
    assert superseding >= 0 && superseding <= entries : superseding;
    int version = version();
    int nameAt = nameAt(version);
    byte[] deleted = version >= RANGES_VERSION ? ranges.encode() : Bytes.EMPTY;
    byte[] bytes = new byte[nameAt + name.length + bounds.length + deleted.length];
    Bytes.putLong(bytes, FIRST, id.first());
    Bytes.putLong(bytes, LAST, id.last());
    Bytes.putLong(bytes, LSN, componentLsn);
    Bytes.putLong(bytes, ENTRIES, entries);
    Bytes.putLong(bytes, ANTIMATTER, antimatter);
    Bytes.putInt(bytes, ROOT_PAGE, rootPage);
    Bytes.putInt(bytes, FILTER_PAGE, filterPage);
    bytes[NAME_LENGTH] = (byte) name.length;
    bytes[VERSION] = (byte) version;
    bytes[COVERAGE] = (byte) COVERAGES.indexOf(filter.coverage());
    bytes[BOUNDS] = (byte) (bounds.length > 0 ? 1 : 0);
    Bytes.putInt(bytes, DELETED_ROOT_PAGE, deletedRootPage);
    Bytes.putLong(bytes, DELETED_KEYS, deletedKeys);
    if (version >= CHECKED_VERSION) {
      Bytes.putLong(bytes, CHECKED_TO, checkedTo);
    }
    if (version >= SUPERSEDING_VERSION) {
      Bytes.putLong(bytes, SUPERSEDING, superseding);
    }
    System.arraycopy(name, 0, bytes, nameAt, name.length);
    System.arraycopy(bounds, 0, bytes, nameAt + name.length, bounds.length);
    System.arraycopy(deleted, 0, bytes, bytes.length - deleted.length, deleted.length);
    return bytes;
  }

  /** The lowest that has what there is to say, so that earlier releases read it. */
  private int version() {
    if (superseding > 0) {
      return SUPERSEDING_VERSION;
    }
    if (!ranges.isEmpty()) {
      return RANGES_VERSION;
    }
    return checkedTo > 0 ? CHECKED_VERSION : FILTER_VERSION;
  }

  private static int nameAt(int version) {
    if (version >= SUPERSEDING_VERSION) {
      return NAME_OF_VERSION_6;
    }
    if (version >= CHECKED_VERSION) {
      return NAME_OF_VERSION_4;
    }
    return version >= DELETED_KEYS_VERSION ? NAME : NAME_OF_VERSION_1;
  }

  private static byte[] encodeBounds(@Nullable Slice smallest, @Nullable Slice largest) {
    if (smallest == null || largest == null) {
      return Bytes.EMPTY;
    }
    byte[] bytes = new byte[2 + smallest.length() + largest.length()];
    putBound(bytes, putBound(bytes, 0, smallest), largest);
    return bytes;
  }

  private static int putBound(byte[] bytes, int at, Slice bound) {
    bytes[at] = (byte) bound.length();
    System.arraycopy(bound.bytes(), bound.offset(), bytes, at + 1, bound.length());
    return at + 1 + bound.length();
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
    if (version > SUPERSEDING_VERSION) {
      throw new FormatVersionException(file, version, SUPERSEDING_VERSION);
    }
    boolean hasDeletedKeys = version >= DELETED_KEYS_VERSION;
    int nameAt = nameAt(version);
    int nameLength = bytes[NAME_LENGTH] & 0xFF;
    long first = Bytes.getLong(bytes, FIRST);
    long last = Bytes.getLong(bytes, LAST);
    if (version == 1
        || nameLength < 1
        || nameLength > MAX_NAME_BYTES
        || bytes.length < nameAt + nameLength
        || (version == DELETED_KEYS_VERSION && Bytes.getUnsignedShort(bytes, COVERAGE) != 0)
        || first < 1
        || last < first) {
      throw damaged(file);
    }
    long checkedTo = version >= CHECKED_VERSION ? Bytes.getLong(bytes, CHECKED_TO) : 0;
    if (checkedTo < 0 || (version == CHECKED_VERSION && checkedTo == 0)) {
      throw damaged(file);
    }
    long superseding = version >= SUPERSEDING_VERSION ? Bytes.getLong(bytes, SUPERSEDING) : 0;
    long entries = Bytes.getLong(bytes, ENTRIES);
    if (version >= SUPERSEDING_VERSION && (superseding <= 0 || superseding > entries)) {
      throw damaged(file);
    }
    RangeFilter filter =
        version < FILTER_VERSION
            ? RangeFilter.UNKNOWN
            : decodeFilter(bytes, nameAt + nameLength, file);
    return new ComponentMetadata(
        new String(bytes, nameAt, nameLength, StandardCharsets.UTF_8),
        new ComponentId(first, last),
        Bytes.getLong(bytes, LSN),
        entries,
        Bytes.getLong(bytes, ANTIMATTER),
        Bytes.getInt(bytes, ROOT_PAGE),
        Bytes.getInt(bytes, FILTER_PAGE),
        hasDeletedKeys ? Bytes.getLong(bytes, DELETED_KEYS) : 0,
        hasDeletedKeys ? Bytes.getInt(bytes, DELETED_ROOT_PAGE) : 0,
        filter,
        checkedTo,
        superseding,
        version < RANGES_VERSION
            ? DeletedRanges.NONE
            : decodeRanges(
                bytes,
                nameAt + nameLength + encodeBounds(filter.smallest(), filter.largest()).length,
                file));
  }

  private static DeletedRanges decodeRanges(byte[] bytes, int at, String file)
      throws CorruptionException {
    try {
      DeletedRanges ranges = DeletedRanges.decode(bytes, at);
      if (!ranges.isEmpty() || (bytes[VERSION] & 0xFF) >= SUPERSEDING_VERSION) {
        return ranges;
      }
    } catch (IllegalArgumentException e) {
      // Told below, as all damage of the page is.
    }
    throw damaged(file);
  }

  private static RangeFilter decodeFilter(byte[] bytes, int at, String file)
      throws CorruptionException {
    int coverage = bytes[COVERAGE] & 0xFF;
    int bounds = bytes[BOUNDS] & 0xFF;
    if (coverage >= COVERAGES.size() || bounds > 1) {
      throw damaged(file);
    }
    try {
      if (bounds == 0) {
        return new RangeFilter(COVERAGES.get(coverage), null, null);
      }
      Slice smallest = bound(bytes, at, file);
      Slice largest = bound(bytes, at + 1 + smallest.length(), file);
      return new RangeFilter(COVERAGES.get(coverage), smallest, largest);
    } catch (IllegalArgumentException e) {
      throw damaged(file);
    }
  }

  private static Slice bound(byte[] bytes, int at, String file) throws CorruptionException {
    int length = at < bytes.length ? bytes[at] & 0xFF : 0;
    if (at + 1 + length > bytes.length || length > RangeFilter.MAX_BOUND_BYTES) {
      throw damaged(file);
    }
    return new Slice(Arrays.copyOfRange(bytes, at + 1, at + 1 + length));
  }

  private static CorruptionException damaged(String file) {
    return new CorruptionException(file, -1, "the metadata page does not describe a component");
  }
}
