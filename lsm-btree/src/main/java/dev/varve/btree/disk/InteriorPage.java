package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageLayout;
import org.jspecify.annotations.Nullable;

/**
 * Looks into interior pages that {@link #problem} found nothing wrong with; so unlike leaves they
 * need no checks after that. A page is an array and where in it the page begins; offsets are from
 * there. Thread-safe: no state.
 */
final class InteriorPage {
  private InteriorPage() {}

  /** The first rule that a page breaks; null when it keeps all that can be checked within it. */
  static @Nullable String problem(byte[] page, int at, int pageSize) {
    if (page[at + PageLayout.KIND] != InteriorLayout.KIND || page[at + PageLayout.UNITS] != 1) {
      int kind = page[at + PageLayout.KIND] & 0xFF;
      return "page of kind " + kind + " where an interior page belongs";
    }
    int level = level(page, at);
    if (level < 1 || level > InteriorLayout.MAX_LEVEL) {
      return "level " + level;
    }
    int end = end(page, at);
    if (page.length - at < pageSize || end < InteriorLayout.HEADS || end > pageSize) {
      return "separators end at " + end;
    }
    int count = count(page, at);
    int restAt = restsAt(page, at);
    if (restAt > end) {
      return count + " separators, prefix of " + prefixLength(page, at) + " bytes, before " + end;
    }
    for (int slot = 0; slot < count; slot++) {
      int behind = start(page, at, slot + 1);
      if (start(page, at, slot) != restAt || behind < restAt || behind > end) {
        return "separator " + slot + " from " + start(page, at, slot) + " to " + behind;
      }
      if (head(page, at, slot) != Bytes.head(page, at + restAt, behind - restAt)) {
        return "head of separator " + slot + " is not its beginning";
      }
      restAt = behind;
    }
    return restAt == end ? null : "separators end at " + restAt + ", not at " + end;
  }

  static int count(byte[] page, int at) {
    return Bytes.getUnsignedShort(page, at + InteriorLayout.COUNT);
  }

  static int prefixLength(byte[] page, int at) {
    return Bytes.getUnsignedShort(page, at + InteriorLayout.PREFIX_LENGTH);
  }

  static int end(byte[] page, int at) {
    return Bytes.getInt(page, at + InteriorLayout.END);
  }

  static int level(byte[] page, int at) {
    return page[at + InteriorLayout.LEVEL];
  }

  /** Page number of a child, 0 to the number of separators. */
  static int child(byte[] page, int at, int index) {
    int children = at + InteriorLayout.children(count(page, at));
    return Bytes.getInt(page, children + Integer.BYTES * index);
  }

  private static int prefixAt(byte[] page, int at) {
    int count = count(page, at);
    return InteriorLayout.starts(count) + InteriorLayout.startBytes(end(page, at)) * count;
  }

  private static int restsAt(byte[] page, int at) {
    return prefixAt(page, at) + prefixLength(page, at);
  }

  private static long head(byte[] page, int at, int slot) {
    return Bytes.getLongBigEndian(page, at + InteriorLayout.HEADS + Long.BYTES * slot);
  }

  /** Where a separator's rest starts; where the last one ends for the slot behind. */
  static int start(byte[] page, int at, int slot) {
    int count = count(page, at);
    int end = end(page, at);
    if (slot == count) {
      return end;
    }
    int starts = at + InteriorLayout.starts(count);
    return InteriorLayout.startBytes(end) == Short.BYTES
        ? Bytes.getUnsignedShort(page, starts + Short.BYTES * slot)
        : Bytes.getInt(page, starts + Integer.BYTES * slot);
  }

  /** A copy of a separator. */
  static byte[] separator(byte[] page, int at, int slot) {
    int prefixLength = prefixLength(page, at);
    int start = start(page, at, slot);
    int rest = start(page, at, slot + 1) - start;
    byte[] separator = new byte[prefixLength + rest];
    System.arraycopy(page, at + prefixAt(page, at), separator, 0, prefixLength);
    System.arraycopy(page, at + start, separator, prefixLength, rest);
    return separator;
  }

  /** Index of the child that holds a key if any does: the number of separators not above it. */
  static int childIndex(PageFile.View view, Slice key) {
    byte[] page = view.bytes();
    int at = view.at();
    int count = count(page, at);
    int prefixLength = prefixLength(page, at);
    int prefixAt = at + prefixAt(page, at);
    int order = KeyPrefixes.compareWithPrefix(key, page, prefixAt, prefixLength);
    if (order != 0) {
      return order < 0 ? 0 : count;
    }
    long head = KeyPrefixes.head(key, prefixLength);
    int heads = at + InteriorLayout.HEADS;
    int low = KeyPrefixes.lowerBound(page, heads, count, head);
    if (low == count || head(page, at, low) != head) {
      return low;
    }
    int high = KeyPrefixes.upperBound(page, heads, count, head);
    int from = key.offset() + prefixLength;
    int length = key.length() - prefixLength;
    while (low < high) {
      int middle = (low + high) >>> 1;
      int start = start(page, at, middle);
      int rest = start(page, at, middle + 1) - start;
      if (Bytes.compare(page, at + start, rest, key.bytes(), from, length) <= 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low;
  }
}
