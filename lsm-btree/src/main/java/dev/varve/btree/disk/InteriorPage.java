package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.page.PageLayout;
import org.jspecify.annotations.Nullable;

/**
 * Looks into interior pages that {@link #problem} found nothing wrong with; so unlike leaves they
 * need no checks after that. Thread-safe: no state.
 */
final class InteriorPage {
  private InteriorPage() {}

  /** The first rule that a page breaks; null when it keeps all that can be checked within it. */
  static @Nullable String problem(byte[] page, int pageSize) {
    if (page[PageLayout.KIND] != InteriorLayout.KIND || page[PageLayout.UNITS] != 1) {
      return "page of kind " + (page[PageLayout.KIND] & 0xFF) + " where an interior page belongs";
    }
    int level = level(page);
    if (level < 1 || level > InteriorLayout.MAX_LEVEL) {
      return "level " + level;
    }
    int end = end(page);
    if (page.length < pageSize || end < InteriorLayout.HEADS || end > pageSize) {
      return "separators end at " + end;
    }
    int count = count(page);
    if (restsAt(page) > end) {
      return count + " separators, prefix of " + prefixLength(page) + " bytes, before " + end;
    }
    int at = restsAt(page);
    for (int slot = 0; slot < count; slot++) {
      int behind = start(page, slot + 1);
      if (start(page, slot) != at || behind < at || behind > end) {
        return "separator " + slot + " from " + start(page, slot) + " to " + behind;
      }
      if (head(page, slot) != Bytes.head(page, at, behind - at)) {
        return "head of separator " + slot + " is not its beginning";
      }
      at = behind;
    }
    return at == end ? null : "separators end at " + at + ", not at " + end;
  }

  static int count(byte[] page) {
    return Bytes.getUnsignedShort(page, InteriorLayout.COUNT);
  }

  static int prefixLength(byte[] page) {
    return Bytes.getUnsignedShort(page, InteriorLayout.PREFIX_LENGTH);
  }

  static int end(byte[] page) {
    return Bytes.getInt(page, InteriorLayout.END);
  }

  static int level(byte[] page) {
    return page[InteriorLayout.LEVEL];
  }

  /** Page number of a child, 0 to the number of separators. */
  static int child(byte[] page, int index) {
    return Bytes.getInt(page, InteriorLayout.children(count(page)) + Integer.BYTES * index);
  }

  static int prefixAt(byte[] page) {
    int count = count(page);
    return InteriorLayout.starts(count) + InteriorLayout.startBytes(end(page)) * count;
  }

  private static int restsAt(byte[] page) {
    return prefixAt(page) + prefixLength(page);
  }

  static long head(byte[] page, int slot) {
    return Bytes.getLongBigEndian(page, InteriorLayout.HEADS + Long.BYTES * slot);
  }

  /** Where a separator's rest starts; where the last one ends for the slot behind. */
  static int start(byte[] page, int slot) {
    int count = count(page);
    int end = end(page);
    if (slot == count) {
      return end;
    }
    int starts = InteriorLayout.starts(count);
    return InteriorLayout.startBytes(end) == Short.BYTES
        ? Bytes.getUnsignedShort(page, starts + Short.BYTES * slot)
        : Bytes.getInt(page, starts + Integer.BYTES * slot);
  }

  /** A copy of a separator. */
  static byte[] separator(byte[] page, int slot) {
    int prefixLength = prefixLength(page);
    int start = start(page, slot);
    int rest = start(page, slot + 1) - start;
    byte[] separator = new byte[prefixLength + rest];
    System.arraycopy(page, prefixAt(page), separator, 0, prefixLength);
    System.arraycopy(page, start, separator, prefixLength, rest);
    return separator;
  }

  /** Index of the child that holds a key if any does: the number of separators not above it. */
  static int childIndex(byte[] page, Slice key) {
    int count = count(page);
    int prefixLength = prefixLength(page);
    int order = KeyPrefixes.compareWithPrefix(key, page, prefixAt(page), prefixLength);
    if (order != 0) {
      return order < 0 ? 0 : count;
    }
    long head = KeyPrefixes.head(key, prefixLength);
    int low = KeyPrefixes.lowerBound(page, InteriorLayout.HEADS, count, head);
    if (low == count || head(page, low) != head) {
      return low;
    }
    int high = KeyPrefixes.upperBound(page, InteriorLayout.HEADS, count, head);
    int from = key.offset() + prefixLength;
    int length = key.length() - prefixLength;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int start = start(page, middle);
      int rest = start(page, middle + 1) - start;
      if (Bytes.compare(page, start, rest, key.bytes(), from, length) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
