package dev.varve.btree.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFile;
import java.util.Arrays;

/**
 * Decodes the entries of one leaf after the other for a cursor. Keys are put together in a buffer
 * that holds the page's prefix throughout; values are views of the page. Confined to one cursor.
 */
final class LeafReader {
  private final PageFile file;
  private byte[] page = Bytes.EMPTY;

  /** Where in its array the page begins; the offsets below are those in the array. */
  private int at;

  private int pageNumber;
  private long header;
  private int count;
  private int slots;
  private int slotBytes;
  private boolean wideStarts;
  private int entriesAt;
  private int end;
  private int prefixLength;

  /** The first eight bytes of the prefix as a number, zeros behind a shorter one. */
  private long prefixHead;

  private byte[] key = new byte[64];

  LeafReader(PageFile file) {
    this.file = file;
  }

  /** Moves to a page, whose bytes stay as they are until the next call. */
  void load(PageFile.View view, int newPageNumber) throws CorruptionException {
    load(view.bytes(), view.at(), newPageNumber);
  }

  /** The same, of a page that begins somewhere in an array. */
  void load(byte[] newPage, int newAt, int newPageNumber) throws CorruptionException {
    String problem = LeafPage.headerProblem(newPage, newAt, file.pageSize());
    if (problem != null) {
      throw damaged(newPageNumber, problem);
    }
    page = newPage;
    at = newAt;
    pageNumber = newPageNumber;
    header = LeafPage.header(newPage, newAt);
    count = LeafPage.count(header);
    int length = LeafPage.end(header);
    end = newAt + length;
    prefixLength = LeafPage.prefixLength(header);
    slots = newAt + LeafLayout.slots(prefixLength);
    slotBytes = LeafLayout.slotBytes(length);
    wideStarts = length > 0xFFFF;
    entriesAt = newAt + LeafPage.entriesAt(header);
    growKey(prefixLength + Long.BYTES);
    System.arraycopy(newPage, newAt + LeafLayout.PREFIX, key, 0, prefixLength);
    prefixHead = Bytes.head(key, 0, Math.min(prefixLength, Long.BYTES));
  }

  /** Lets go of the page, so that no memory of the cache hangs on a reader that nobody uses. */
  void unload(Entry viewed) {
    page = Bytes.EMPTY;
    viewed.value().set(page, 0, 0);
  }

  /** The slot of a key, or the complement of where it belongs; see {@link LeafPage#search}. */
  int search(Slice wanted, long position) {
    return LeafPage.search(page, at, header, wanted, position);
  }

  int pageNumber() {
    return pageNumber;
  }

  /** Where an entry of the page lies in the tree. */
  long position(int slot) {
    return position(file, pageNumber, slot);
  }

  /**
   * Where an entry lies in a tree; see {@link dev.varve.common.format.EntryCursor#position}. Dense
   * numbers, as sets of them are kept: an entry has at least the eight bytes of its head.
   */
  static long position(PageFile file, int pageNumber, int slot) {
    int mostOfPage = file.pageSize() / Long.BYTES;
    assert slot >= 0 && slot < mostOfPage : slot;
    return (long) pageNumber * mostOfPage + slot;
  }

  int count() {
    return count;
  }

  /** Points an entry at the one in a slot. */
  void view(int slot, Entry entry) throws CorruptionException {
    int start = start(slot);
    int behind = slot + 1 < count ? start(slot + 1) : end;
    if (start < entriesAt || start >= behind || behind > end) {
      throw damaged(pageNumber, "entry " + slot + " from " + (start - at) + " to " + (behind - at));
    }
    int field = page[start];
    int restAt = start + 1;
    if (field < 0) {
      long longField = Varint.get(page, start, behind);
      if (longField == Varint.MALFORMED || longField > 2 * 0xFFFF + 1) {
        throw damaged(pageNumber, "length of the key in entry " + slot);
      }
      field = (int) longField;
      restAt = start + Varint.sizeOf(field);
    }
    int rest = LeafPage.restLength(field);
    int valueAt = restAt + Math.max(0, rest - Long.BYTES);
    if (valueAt > behind) {
      throw damaged(pageNumber, "key of " + rest + " bytes in entry " + slot);
    }
    int behindHead = valueAt - restAt;
    growKey(prefixLength + Long.BYTES + Math.max(behindHead, Long.BYTES));
    long head = Bytes.getLongBigEndian(page, slots + slotBytes * slot);
    Bytes.putLongBigEndian(key, prefixLength, head);
    if (behindHead <= Long.BYTES && restAt <= page.length - Long.BYTES) {
      // One word, whose end may be something else's; the key's length leaves that out.
      Bytes.putLong(key, prefixLength + Long.BYTES, Bytes.getLong(page, restAt));
    } else {
      System.arraycopy(page, restAt, key, prefixLength + Long.BYTES, behindHead);
    }
    if (prefixLength < Long.BYTES) {
      // Last and as one word, as whoever orders keys reads it next: of a word that was written in
      // parts the processor cannot tell the value before it has reached its cache.
      Bytes.putLongBigEndian(key, 0, prefixHead | (head >>> (Byte.SIZE * prefixLength)));
    }
    entry.key().set(key, 0, prefixLength + rest);
    entry.value().set(page, valueAt, behind - valueAt);
    entry.antimatter(LeafPage.antimatter(field));
  }

  /** What to throw about the current page. */
  CorruptionException damaged(String problem) {
    return damaged(pageNumber, problem);
  }

  private CorruptionException damaged(int number, String problem) {
    return new CorruptionException(file.name(), (long) number * file.pageSize(), problem);
  }

  private int start(int slot) {
    int startAt = slots + slotBytes * slot + LeafLayout.START_IN_SLOT;
    return at + (wideStarts ? Bytes.getInt(page, startAt) : Bytes.getUnsignedShort(page, startAt));
  }

  private void growKey(int length) {
    if (key.length < length) {
      key = Arrays.copyOf(key, Math.max(length, 2 * key.length));
    }
  }
}
