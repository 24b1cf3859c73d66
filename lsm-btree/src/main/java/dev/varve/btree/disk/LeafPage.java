package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.page.PageLayout;
import org.jspecify.annotations.Nullable;

/**
 * Looks into leaf pages without copying or allocating anything. Callers check {@link
 * #headerProblem} once for a page they pinned; after that every offset that is followed is checked
 * when it is read, so that a page which is wrong in spite of its checksum is reported as {@link
 * #DAMAGED} and never read outside its bounds. Thread-safe: no state.
 */
final class LeafPage {
  /** Result of a look at an entry that cannot be. */
  static final int DAMAGED = Integer.MIN_VALUE;

  private LeafPage() {}

  /** What is wrong with the fields on which all offsets depend; null when nothing is. */
  static @Nullable String headerProblem(byte[] page, int pageSize) {
    if (page[PageLayout.KIND] != LeafLayout.KIND) {
      return "page of kind " + (page[PageLayout.KIND] & 0xFF) + " where a leaf belongs";
    }
    int end = end(page);
    int length = (page[PageLayout.UNITS] & 0xFF) * pageSize;
    if (length > page.length || end < LeafLayout.HEADS || end > length) {
      return "entries end at " + end + " in a page of " + length + " bytes";
    }
    int count = count(page);
    if (count == 0 || entriesAt(page) >= end) {
      return count + " entries and a prefix of " + prefixLength(page) + " bytes before " + end;
    }
    return null;
  }

  static int count(byte[] page) {
    return Bytes.getUnsignedShort(page, LeafLayout.COUNT);
  }

  static int prefixLength(byte[] page) {
    return Bytes.getUnsignedShort(page, LeafLayout.PREFIX_LENGTH);
  }

  static int end(byte[] page) {
    return Bytes.getInt(page, LeafLayout.END);
  }

  static int prefixAt(byte[] page) {
    int count = count(page);
    return LeafLayout.starts(count) + LeafLayout.startBytes(end(page)) * count;
  }

  static int entriesAt(byte[] page) {
    return prefixAt(page) + prefixLength(page);
  }

  /** Where an entry starts, unchecked; the end of the entries for the slot behind the last. */
  static int start(byte[] page, int slot) {
    int count = count(page);
    int end = end(page);
    if (slot == count) {
      return end;
    }
    int starts = LeafLayout.starts(count);
    return LeafLayout.startBytes(end) == Short.BYTES
        ? Bytes.getUnsignedShort(page, starts + Short.BYTES * slot)
        : Bytes.getInt(page, starts + Integer.BYTES * slot);
  }

  /** Whether an entry starts and ends where entries may. */
  static boolean boundsHold(byte[] page, int slot) {
    int start = start(page, slot);
    int end = start(page, slot + 1);
    return start >= entriesAt(page) && start < end && end <= end(page);
  }

  /** The field before an entry's bytes, or {@link #DAMAGED}. */
  static int field(byte[] page, int slot) {
    if (!boundsHold(page, slot)) {
      return DAMAGED;
    }
    int start = start(page, slot);
    int first = page[start];
    if (first >= 0) {
      return restFits(page, slot, first) ? first : DAMAGED;
    }
    long field = Varint.get(page, start, start(page, slot + 1));
    boolean possible = field != Varint.MALFORMED && field <= 2 * 0xFFFF + 1;
    return possible && restFits(page, slot, (int) field) ? (int) field : DAMAGED;
  }

  private static boolean restFits(byte[] page, int slot, int field) {
    return valueAt(page, slot, field) <= start(page, slot + 1);
  }

  /** Where an entry's value starts. */
  static int valueAt(byte[] page, int slot, int field) {
    return restAt(page, slot, field) + Math.max(0, restLength(field) - Long.BYTES);
  }

  /** Where the key bytes behind an entry's head start. */
  static int restAt(byte[] page, int slot, int field) {
    return start(page, slot) + Varint.sizeOf(field);
  }

  /** Length of a key behind the prefix. */
  static int restLength(int field) {
    return field >>> 1;
  }

  static boolean antimatter(int field) {
    return (field & 1) != 0;
  }

  static long head(byte[] page, int slot) {
    return Bytes.getLongBigEndian(page, LeafLayout.HEADS + Long.BYTES * slot);
  }

  /**
   * Looks for a key.
   *
   * @return the slot with the key, the complement of the slot where it belongs, or {@link #DAMAGED}
   */
  static int search(byte[] page, Slice key) {
    int count = count(page);
    int prefixLength = prefixLength(page);
    int order = Heads.compareWithPrefix(key, page, prefixAt(page), prefixLength);
    if (order != 0) {
      return order < 0 ? ~0 : ~count;
    }
    long head = Heads.head(key, prefixLength);
    int slot = Heads.lowerBound(page, LeafLayout.HEADS, count, head);
    if (slot == count || head(page, slot) != head) {
      return ~slot;
    }
    return searchTies(page, key, slot, Heads.upperBound(page, LeafLayout.HEADS, count, head));
  }

  private static int searchTies(byte[] page, Slice key, int first, int end) {
    int low = first;
    int high = end;
    int prefixLength = prefixLength(page);
    while (low < high) {
      int middle = (low + high) >>> 1;
      int field = field(page, middle);
      if (field == DAMAGED) {
        return DAMAGED;
      }
      int order =
          compareAfterHead(page, restAt(page, middle, field), restLength(field), key, prefixLength);
      if (order == 0) {
        return middle;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return ~low;
  }

  /** Compares an entry's key with another one when prefix and head are the same. */
  private static int compareAfterHead(
      byte[] page, int restAt, int restLength, Slice key, int prefixLength) {
    int keyRest = key.length() - prefixLength;
    if (restLength <= Long.BYTES || keyRest <= Long.BYTES) {
      // One of them ends within the head, where the other has zeros or ends too.
      return Integer.compare(restLength, keyRest);
    }
    int compared = prefixLength + Long.BYTES;
    return Bytes.compare(
        page,
        restAt,
        restLength - Long.BYTES,
        key.bytes(),
        key.offset() + compared,
        key.length() - compared);
  }
}
