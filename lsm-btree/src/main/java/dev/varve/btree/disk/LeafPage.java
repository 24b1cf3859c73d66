package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageLayout;
import org.jspecify.annotations.Nullable;

/**
 * Looks into leaf pages without copying or allocating anything. Every field is read once, into a
 * local, and checked before it is followed. So a page which is wrong in spite of its checksum is
 * reported as {@link #DAMAGED} and never read outside its bounds; and a page that is overwritten
 * while it is read, because nobody pinned it, gives a wrong answer at worst, which its reader then
 * discards. Thread-safe: no state.
 *
 * <p>A page is an array and where in it the page begins. A <em>header</em> is the fields on which
 * all offsets depend, as one number: count, length of the prefix, end. An <em>extent</em> is where
 * an entry starts and ends, as one number. Offsets are from the beginning of the page.
 */
final class LeafPage {
  /** Result of a look at something that cannot be. */
  static final int DAMAGED = Integer.MIN_VALUE;

  /**
   * What {@link #prefetchAlike} returns once in 2^64 times; whoever compares with it uses the
   * result.
   */
  static final long NEVER_PREFETCHED = 0x9e37_79b9_7f4a_7c15L;

  private static final long NO_EXTENT = -1;

  private static final int CACHE_LINE = 64;

  /**
   * Bytes of entries that a scan will come to from an expected one, prefetched before it begins.
   */
  private static final int TOUCHED = 1 << 10;

  /** The same on the other side of the expected one: the scan may begin earlier. */
  private static final int TOUCHED_BEHIND = 4 * CACHE_LINE;

  /**
   * Bytes prefetched around one expected entry, of which fewer are needed. In reads that had it by
   * turns of 150,000, these bytes made them 4 to 8 % faster; 512 and 1,024 did less.
   */
  private static final int TOUCHED_FOR_ONE = 10 * CACHE_LINE;

  private LeafPage() {}

  /** What is wrong with the fields on which all offsets depend; null when nothing is. */
  static @Nullable String headerProblem(byte[] page, int at, int pageSize) {
    int room = page.length - at;
    if (room < pageSize) {
      return "a page at " + at + " of " + page.length + " bytes";
    }
    if (page[at + PageLayout.KIND] != LeafLayout.KIND) {
      return "page of kind " + (page[at + PageLayout.KIND] & 0xFF) + " where a leaf belongs";
    }
    long header = header(page, at);
    int end = end(header);
    int length = (page[at + PageLayout.UNITS] & 0xFF) * pageSize;
    if (length > room || end < LeafLayout.PREFIX || end > length) {
      return "entries end at " + end + " in a page of " + length + " bytes";
    }
    if (!isPossible(header, length)) {
      int prefix = prefixLength(header);
      return count(header) + " entries and a prefix of " + prefix + " bytes before " + end;
    }
    return null;
  }

  static long header(byte[] page, int at) {
    return Bytes.getLong(page, at + LeafLayout.COUNT);
  }

  static int count(long header) {
    return (int) header & 0xFFFF;
  }

  static int prefixLength(long header) {
    return (int) header >>> 16;
  }

  static int end(long header) {
    return (int) (header >>> 32);
  }

  /** Whether slots and prefix end before the entries do, and those within the page. */
  private static boolean isPossible(long header, int length) {
    int end = end(header);
    return count(header) > 0 && end <= length && entriesAt(header) < end;
  }

  /** Where the first entry starts. */
  static int entriesAt(long header) {
    return slotAt(header, count(header));
  }

  private static int slotAt(long header, int slot) {
    return LeafLayout.slots(prefixLength(header)) + LeafLayout.slotBytes(end(header)) * slot;
  }

  static long head(byte[] page, int at, long header, int slot) {
    return Bytes.getLongBigEndian(page, at + slotAt(header, slot));
  }

  /** Where an entry starts, unchecked; the end of the entries for the slot behind the last. */
  static int start(byte[] page, int at, long header, int slot) {
    int end = end(header);
    if (slot == count(header)) {
      return end;
    }
    int startAt = at + slotAt(header, slot) + LeafLayout.START_IN_SLOT;
    return end > 0xFFFF ? Bytes.getInt(page, startAt) : Bytes.getUnsignedShort(page, startAt);
  }

  private static long extent(byte[] page, int at, long header, int slot) {
    int start = start(page, at, header, slot);
    int behind = start(page, at, header, slot + 1);
    boolean possible = start >= entriesAt(header) && start < behind && behind <= end(header);
    return possible ? (long) behind << 32 | start : NO_EXTENT;
  }

  /** The number before an entry's bytes, or {@link #DAMAGED}. */
  private static int field(byte[] page, int at, long extent) {
    if (extent == NO_EXTENT) {
      return DAMAGED;
    }
    int start = at + (int) extent;
    int first = page[start];
    long field = first >= 0 ? first : Varint.get(page, start, at + behind(extent));
    boolean possible = field != Varint.MALFORMED && field <= 2 * 0xFFFF + 1;
    return possible && valueAt(extent, (int) field) <= behind(extent) ? (int) field : DAMAGED;
  }

  private static int behind(long extent) {
    return (int) (extent >>> 32);
  }

  private static int restAt(long extent, int field) {
    return (int) extent + (field <= Byte.MAX_VALUE ? 1 : Varint.sizeOf(field));
  }

  private static int valueAt(long extent, int field) {
    return restAt(extent, field) + Math.max(0, restLength(field) - Long.BYTES);
  }

  /** Length of a key behind the prefix. */
  static int restLength(int field) {
    return field >>> 1;
  }

  static boolean antimatter(int field) {
    return (field & 1) != 0;
  }

  /**
   * Reads a byte of each line where a scan from a position will look first, so that the processor
   * fetches them while the scan is still being opened in other components. Trusts nothing in the
   * page, which may be another one by now.
   *
   * @param alike header of another page of the tree, so that nobody waits for this one's; or 0
   * @param position where in the page the scan is expected to begin; see {@link LeafFences}
   * @param upwards whether the scan goes on to higher slots
   * @return a number that depends on the bytes, so that the reads are not left out
   */
  static int prefetch(byte[] page, int at, long alike, long position, boolean upwards) {
    if (at > page.length - LeafLayout.PREFIX) {
      return 0;
    }
    long header = alike == 0 ? header(page, at) : alike;
    int slot = at + slotAt(header, (int) ((position * count(header)) >>> LeafFences.POSITION_BITS));
    int aside = KeyPrefixes.NEAR * LeafLayout.slotBytes(end(header));
    int last = page.length - 1;
    int sum = page[at + LeafLayout.COUNT] + page[within(slot - aside, last)];
    sum += page[within(slot, last)] + page[within(slot + aside, last)];
    int from = at + expectedEntry(header, position) - (upwards ? TOUCHED_BEHIND : TOUCHED);
    int to = Math.min(from + TOUCHED + TOUCHED_BEHIND, last);
    for (int line = Math.max(0, from); line < to; line += CACHE_LINE) {
      sum += page[line];
    }
    return sum;
  }

  private static int within(int offset, int last) {
    return Math.max(0, Math.min(offset, last));
  }

  /**
   * Reads where a search will look at heads, and about where it will find the entry, if the page's
   * header is like another one: so the processor need not wait for the header before it fetches the
   * heads, nor for the heads before it fetches the entry. Trusts nothing in the page.
   *
   * @param alike header of another page of the tree, or 0
   * @param position where in the page the key is expected; see {@link LeafFences}
   * @return a number that depends on what was read, so that the reads are not left out
   */
  static long prefetchAlike(byte[] page, int at, long alike, long position) {
    int slot = (int) ((position * count(alike)) >>> LeafFences.POSITION_BITS);
    int slotAt = at + slotAt(alike, slot);
    int aside = KeyPrefixes.NEAR * LeafLayout.slotBytes(end(alike));
    // No minimum and maximum here: they would have the reads wait for the length of the page.
    if (slotAt - aside < 0 || slotAt + aside > page.length - Long.BYTES) {
      return 0;
    }
    long sum =
        Bytes.getLong(page, slotAt - aside)
            + Bytes.getLong(page, slotAt)
            + Bytes.getLong(page, slotAt + aside);
    int from = at + expectedEntry(alike, position) - TOUCHED_FOR_ONE / 2;
    if (from >= 0 && from <= page.length - TOUCHED_FOR_ONE) {
      for (int line = from; line < from + TOUCHED_FOR_ONE; line += CACHE_LINE) {
        sum += page[line];
      }
    }
    return sum;
  }

  /** About where the entry at a position starts. */
  private static int expectedEntry(long header, long position) {
    int entries = entriesAt(header);
    long behind = (position * Math.max(0, end(header) - entries)) >>> LeafFences.POSITION_BITS;
    return entries + (int) behind;
  }

  /**
   * Looks for a key and copies its entry.
   *
   * @param position where in the page the key is expected; see {@link LeafFences}
   * @return the slot with the key, the complement of the slot where it belongs, or {@link #DAMAGED}
   */
  static int find(byte[] page, int at, Slice key, long position, Entry found) {
    int slot = findInPlace(page, at, key, position, found);
    if (slot >= 0) {
      found.key().copyOf(key);
      found.value().copyOf(found.value());
    }
    return slot;
  }

  /**
   * The same, but the value is pointed at and not copied, and the key left as it was: for a page
   * that was not pinned the caller copies it, and asks afterwards whether it was the page's.
   */
  static int findInPlace(byte[] page, int at, Slice key, long position, Entry found) {
    long header = header(page, at);
    int slot = search(page, at, header, key, position);
    if (slot < 0) {
      return slot;
    }
    long extent = extent(page, at, header, slot);
    int field = field(page, at, extent);
    if (field == DAMAGED) {
      return DAMAGED;
    }
    int valueAt = valueAt(extent, field);
    found.value().set(page, at + valueAt, behind(extent) - valueAt);
    found.antimatter(antimatter(field));
    return slot;
  }

  /**
   * Looks for a key.
   *
   * @param position where in the page the key is expected; see {@link LeafFences}
   * @return the slot with the key, the complement of the slot where it belongs, or {@link #DAMAGED}
   */
  static int search(byte[] page, int at, long header, Slice key, long position) {
    if (!isPossible(header, page.length - at)) {
      return DAMAGED;
    }
    int count = count(header);
    int prefixLength = prefixLength(header);
    int order = KeyPrefixes.compareWithPrefix(key, page, at + LeafLayout.PREFIX, prefixLength);
    if (order != 0) {
      return order < 0 ? ~0 : ~count;
    }
    long head = KeyPrefixes.head(key, prefixLength);
    int near = (int) ((position * count) >>> LeafFences.POSITION_BITS);
    int slot = lowerBound(page, at, header, head, near);
    if (slot == count || head(page, at, header, slot) != head) {
      return ~slot;
    }
    int here = compareAfterHead(page, at, header, slot, key);
    if (here == 0 || here == DAMAGED) {
      return here == 0 ? slot : DAMAGED;
    }
    return here > 0 ? ~slot : searchTies(page, at, header, key, slot + 1);
  }

  /** The first slot whose head is at or above a head, looked for near a slot before elsewhere. */
  private static int lowerBound(byte[] page, int at, long header, long head, int near) {
    int slots = at + LeafLayout.slots(prefixLength(header));
    int slotBytes = LeafLayout.slotBytes(end(header));
    return KeyPrefixes.lowerBoundNear(page, slots, slotBytes, count(header), head, near);
  }

  /** Goes on among the slots that have the key's head. */
  private static int searchTies(byte[] page, int at, long header, Slice key, int from) {
    int low = from;
    int high = count(header);
    long head = KeyPrefixes.head(key, prefixLength(header));
    while (low < high) {
      int middle = (low + high) >>> 1;
      int order = 1;
      if (head(page, at, header, middle) == head) {
        order = compareAfterHead(page, at, header, middle, key);
      }
      if (order == 0 || order == DAMAGED) {
        return order == 0 ? middle : DAMAGED;
      }
      if (order < 0) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return ~low;
  }

  /**
   * Compares an entry's key with another one when prefix and head are the same.
   *
   * @return -1, 0 or 1, or {@link #DAMAGED}
   */
  private static int compareAfterHead(byte[] page, int at, long header, int slot, Slice key) {
    long extent = extent(page, at, header, slot);
    int field = field(page, at, extent);
    if (field == DAMAGED) {
      return DAMAGED;
    }
    int compared = Math.min(prefixLength(header) + Long.BYTES, key.length());
    int rest = restLength(field) - Long.BYTES;
    int keyRest = key.length() - prefixLength(header) - Long.BYTES;
    // A key that ends within the head has zeros there, or the other ends there, too: then the
    // lengths tell. No branch, as a rare one has the code thrown away that was compiled without it.
    int order =
        Bytes.compare(
            page,
            at + restAt(extent, field),
            Math.max(0, rest),
            key.bytes(),
            key.offset() + compared,
            Math.max(0, keyRest));
    return Integer.signum(2 * Integer.signum(order) + Integer.signum(rest - keyRest));
  }
}
