package dev.varve.invertedindex.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageLayout;
import dev.varve.invertedindex.postings.PostingList;
import dev.varve.invertedindex.postings.Window;

/**
 * One list of postings, in the dictionary or on pages; no offset is followed before it was checked.
 * Holds no page between calls. Confined to one thread.
 */
final class DiskPostings implements PostingList {
  private final PageFile file;
  private final PostingPages source;

  private long documents;

  /** Windows in the dictionary; without meaning for a list on pages. */
  private byte[] inline = Bytes.EMPTY;

  /** Number of pages, 0 for a list in the dictionary. */
  private int pages;

  private int firstPage;
  private int lastWindow;

  /**
   * Index of the page in the list, and what of it is not read yet, from its beginning: at the next
   * call it may be somewhere else in memory.
   */
  private int page;

  private int at;
  private int end;

  /** The window that was found, what it holds and where that is. */
  private int window;

  private int count;
  private int payload;

  DiskPostings(PageFile file, PostingPages source) {
    this.file = file;
    this.source = source;
  }

  /**
   * Starts reading a list.
   *
   * @param value what the dictionary says; not copied
   */
  DiskPostings open(Slice value) throws CorruptionException {
    byte[] bytes = value.bytes();
    int limit = value.offset() + value.length();
    long number = Varint.get(bytes, value.offset(), limit);
    int pagesAt = value.offset() + Varint.sizeOf(number);
    long pageCount = number > 0 ? Varint.get(bytes, pagesAt, limit) : Varint.MALFORMED;
    if (pageCount < 0 || pageCount > file.pageCount() || number > Integer.MAX_VALUE) {
      throw damaged(0, "a token of " + number + " documents on " + pageCount + " pages");
    }
    documents = number;
    pages = (int) pageCount;
    at = pagesAt + Varint.sizeOf(pageCount);
    page = 0;
    window = -1;
    count = 0;
    if (pages == 0) {
      inline = bytes;
      end = limit;
    } else {
      openPages(bytes, limit);
    }
    return this;
  }

  private void openPages(byte[] bytes, int limit) throws CorruptionException {
    if (limit - at < Integer.BYTES) {
      throw damaged(0, "a token without the place of its documents");
    }
    firstPage = Bytes.getInt(bytes, at);
    int offsetAt = at + Integer.BYTES;
    long offset = Varint.get(bytes, offsetAt, limit);
    int lastAt = offsetAt + Varint.sizeOf(offset);
    long last = offset < 0 ? Varint.MALFORMED : Varint.get(bytes, lastAt, limit);
    if (firstPage <= 0
        || firstPage > file.pageCount() - pages
        || offset < PostingLayout.WINDOWS
        || offset >= file.pageSize()
        || last < 0
        || last > Window.of(Integer.MAX_VALUE)) {
      throw damaged(firstPage, "postings at " + offset + " up to window " + last);
    }
    at = (int) offset;
    end = 0;
    lastWindow = (int) last;
  }

  @Override
  public long documents() {
    return documents;
  }

  @Override
  public int seek(int wanted) throws StorageException {
    if (window >= wanted) {
      return window;
    }
    if (pages == 0) {
      while (at < end && window < wanted) {
        readHead(inline, 0);
      }
      window = window < wanted ? END : window;
      return window;
    }
    if (wanted > lastWindow) {
      window = END;
      return window;
    }
    while (true) {
      try (PageFile.Page opened = source.open(firstPage + page)) {
        byte[] bytes = opened.bytes();
        int base = opened.at();
        checkPage(bytes, base);
        while (at < end && (window < wanted || count == 0)) {
          readHead(bytes, base);
        }
      }
      if (window >= wanted && count > 0) {
        return window;
      }
      skipTo(wanted);
    }
  }

  /**
   * Goes on with the last page whose first window is not above the one wanted, or the next page.
   */
  private void skipTo(int wanted) throws StorageException {
    int low = page + 1;
    int step = 1;
    int high = low + 1;
    while (high < pages && firstWindow(high) <= wanted) {
      low = high;
      step <<= 1;
      high = low + step;
    }
    high = Math.min(high, pages);
    while (high - low > 1) {
      int middle = (low + high) >>> 1;
      if (firstWindow(middle) <= wanted) {
        low = middle;
      } else {
        high = middle;
      }
    }
    if (low >= pages) {
      throw damaged(firstPage + page, "the list ends before window " + lastWindow);
    }
    int first = firstWindow(low);
    if (first <= window || first > lastWindow) {
      throw damaged(firstPage + low, "first window " + first);
    }
    page = low;
    at = PostingLayout.WINDOWS;
    end = 0;
    // The first head on the page tells the distance from a window that was skipped.
    window = first;
    count = 0;
  }

  private int firstWindow(int index) throws StorageException {
    try (PageFile.Page opened = source.open(firstPage + index)) {
      return Bytes.getInt(opened.bytes(), opened.at() + PostingLayout.FIRST_WINDOW);
    }
  }

  private void checkPage(byte[] bytes, int base) throws CorruptionException {
    if (bytes[base + PageLayout.KIND] != PostingLayout.KIND
        || bytes[base + PageLayout.UNITS] != 1) {
      throw damaged(firstPage + page, "no page of postings where one belongs");
    }
    end = Bytes.getInt(bytes, base + PostingLayout.END);
    if (end < at || end > file.pageSize()) {
      throw damaged(firstPage + page, "windows from " + at + " to " + end);
    }
  }

  /**
   * Reads the head of the next window and steps over its postings.
   *
   * @param base from where offsets count
   */
  private void readHead(byte[] bytes, int base) throws CorruptionException {
    long distance = Varint.get(bytes, base + at, base + end);
    int countAt = at + Varint.sizeOf(distance);
    long postings = distance > 0 ? Varint.get(bytes, base + countAt, base + end) : Varint.MALFORMED;
    payload = countAt + Varint.sizeOf(postings);
    // On a further page, the page itself says which window is the first.
    boolean known = count == 0 && page > 0;
    long found = known ? window : window + distance;
    if (postings <= 0
        || postings > Window.SIZE
        || payload + PostingLayout.bytes((int) postings) > end
        || found > Window.of(Integer.MAX_VALUE)) {
      throw damaged(firstPage + page, "window of " + postings + " postings at " + at);
    }
    window = (int) found;
    count = (int) postings;
    at = payload + PostingLayout.bytes(count);
  }

  @Override
  public void load(Window target) throws StorageException {
    if (pages == 0) {
      load(inline, 0, target);
      return;
    }
    try (PageFile.Page opened = source.open(firstPage + page)) {
      load(opened.bytes(), opened.at(), target);
    }
  }

  private void load(byte[] bytes, int base, Window target) throws CorruptionException {
    int from = base + payload;
    if (count > Window.MAX_ARRAY) {
      long[] words = target.fillWords();
      for (int i = 0; i < Window.WORDS; i++) {
        words[i] = Bytes.getLong(bytes, from + Long.BYTES * i);
      }
      return;
    }
    char[] positions = target.fillArray(count);
    int all = 0;
    for (int i = 0; i < count; i++) {
      int position = Bytes.getUnsignedShort(bytes, from + PostingLayout.POSITION * i);
      all |= position;
      positions[i] = (char) position;
    }
    if (all >= Window.SIZE) {
      throw damaged(firstPage + page, "a position outside of window " + window);
    }
  }

  /** Whether an ordinal is in the list; for a list that was just opened. */
  boolean contains(int ordinal) throws StorageException {
    int number = Window.of(ordinal);
    if (seek(number) != number) {
      return false;
    }
    Window found = new Window();
    found.clear();
    load(found);
    int position = ordinal & (Window.SIZE - 1);
    found.toWords();
    return found.next(position) == position;
  }

  /** How many postings the window that was found has. */
  int count() {
    return count;
  }

  /** Whether the list, read to its end, ends as it should: after this window. */
  boolean endsAt(int last) {
    return pages == 0 ? at == end : last == lastWindow && page == pages - 1;
  }

  /** The exception about the place where the list is read. */
  CorruptionException damagedHere(String problem) {
    return damaged(pages == 0 ? 0 : firstPage + page, problem);
  }

  /** The exception about a page; 0 for the file as a whole. */
  CorruptionException damaged(int pageNumber, String problem) {
    long offset = pageNumber == 0 ? -1 : (long) pageNumber * file.pageSize();
    return new CorruptionException(file.name(), offset, problem);
  }
}
