package dev.varve.invertedindex.disk;

import dev.varve.btree.disk.TreeBuilder;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.bytes.Varint;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.page.PageFileWriter;
import dev.varve.invertedindex.postings.Window;
import java.util.Arrays;

/**
 * Writes the postings of one token after the other, and the dictionary beside them. Confined.
 *
 * <p>Implementation note. A short list goes into the dictionary; others share pages, one behind the
 * other. A list that is longer than what is left of a page goes on with the next one, whose number
 * is one higher, so only the first is kept. For that, nothing else may be appended between them:
 * the dictionary's entries wait until the page that is being filled is written and no list is on
 * its way. They wait for no more than {@link #MOST_WAITING} bytes; then the page is written as it
 * is.
 */
final class PostingBuilder {
  /** Longest list in the dictionary: this many bytes, and this share of a page. */
  private static final int MOST_INLINE = 256;

  private static final int MOST_INLINE_SHARE = 16;

  private static final int MOST_WAITING = 128 << 10;

  /** Most bytes of a list's place: a number of documents, of pages, an offset, a window; a page. */
  private static final int MOST_PLACE = 4 * Varint.MAX_INT_BYTES + Integer.BYTES;

  private final PageFileWriter file;
  private final TreeBuilder dictionary;
  private final byte[] page;

  /** Behind the last window in the page; at the first one while the page is empty. */
  private int pageEnd = PostingLayout.WINDOWS;

  private final Slice token = new Slice();
  private int documents;
  private int firstPage;
  private int firstOffset;
  private int pages;

  private final byte[] inline;
  private int inlineEnd;

  private final char[] positions = new char[Window.SIZE];
  private int positionCount;
  private int window;
  private int windowBefore = -1;
  private final byte[] encoded = new byte[2 * Varint.MAX_INT_BYTES + PostingLayout.BIT_SET];

  /** Entries of the dictionary that wait: lengths of key and value, key, value. */
  private byte[] waiting = new byte[4096];

  private int waitingEnd;
  private final byte[] value = new byte[MOST_PLACE + MOST_INLINE];
  private final Entry entry = new Entry();

  PostingBuilder(PageFileWriter file) {
    this.file = file;
    this.dictionary = new TreeBuilder(file);
    this.page = new byte[file.pageSize()];
    this.inline = new byte[Math.min(MOST_INLINE, page.length / MOST_INLINE_SHARE)];
  }

  /** The token that is being written as it stands in keys; of length zero before the first one. */
  Slice token() {
    return token;
  }

  /** Ends the list before, and starts a token's. */
  void start(Slice newToken) throws StorageException {
    endList();
    token.copyOf(newToken);
  }

  /** Adds an ordinal above those before. */
  void add(int ordinal) throws StorageException {
    int of = Window.of(ordinal);
    assert positionCount == 0 || of >= window : ordinal;
    if (of != window || positionCount == 0) {
      writeWindow();
      window = of;
    }
    positions[positionCount++] = (char) (ordinal & (Window.SIZE - 1));
    documents++;
  }

  /** Adds ascending ordinals above those before. */
  void add(int[] ordinals, int from, int to) throws StorageException {
    int at = from;
    while (at < to) {
      int of = Window.of(ordinals[at]);
      assert positionCount == 0 || of >= window : ordinals[at];
      if (of != window || positionCount == 0) {
        writeWindow();
        window = of;
      }
      int begin = at;
      int base = of << Window.BITS;
      int count = positionCount;
      // Below zero or above the window ends the loop alike.
      while (at < to && Integer.compareUnsigned(ordinals[at] - base, Window.SIZE) < 0) {
        assert count == 0 || ordinals[at] - base > positions[count - 1] : ordinals[at];
        positions[count++] = (char) (ordinals[at++] - base);
      }
      positionCount = count;
      documents += at - begin;
    }
  }

  private void writeWindow() throws StorageException {
    if (positionCount == 0) {
      return;
    }
    int length = encode();
    windowBefore = window;
    positionCount = 0;
    if (pages == 0) {
      if (inlineEnd + length <= inline.length) {
        System.arraycopy(encoded, 0, inline, inlineEnd, length);
        inlineEnd += length;
        return;
      }
      beginInPage(length);
    } else if (pageEnd + length > page.length) {
      writePage();
      Bytes.putInt(page, PostingLayout.FIRST_WINDOW, window);
      pages++;
    }
    appendToPage(encoded, length);
  }

  private int encode() {
    int at = Varint.putInt(encoded, 0, window - windowBefore);
    at = Varint.putInt(encoded, at, positionCount);
    if (positionCount <= Window.MAX_ARRAY) {
      for (int i = 0; i < positionCount; i++, at += PostingLayout.POSITION) {
        Bytes.putShort(encoded, at, positions[i]);
      }
      return at;
    }
    Arrays.fill(encoded, at, at + PostingLayout.BIT_SET, (byte) 0);
    for (int i = 0; i < positionCount; i++) {
      encoded[at + (positions[i] >>> 3)] |= (byte) (1 << (positions[i] & 7));
    }
    return at + PostingLayout.BIT_SET;
  }

  /** Moves a list that was meant for the dictionary to a page that has room for one more window. */
  private void beginInPage(int length) throws StorageException {
    if (pageEnd + inlineEnd + length > page.length) {
      writePage();
      flushWaiting();
    }
    if (pageEnd == PostingLayout.WINDOWS) {
      Bytes.putInt(page, PostingLayout.FIRST_WINDOW, PostingLayout.NO_WINDOW);
    }
    firstPage = file.nextPage();
    firstOffset = pageEnd;
    pages = 1;
    appendToPage(inline, inlineEnd);
  }

  private void appendToPage(byte[] source, int length) {
    System.arraycopy(source, 0, page, pageEnd, length);
    pageEnd += length;
  }

  private void writePage() throws StorageException {
    if (pageEnd > PostingLayout.WINDOWS) {
      Bytes.putInt(page, PostingLayout.END, pageEnd);
      Arrays.fill(page, pageEnd, page.length, (byte) 0);
      int number = file.append(PostingLayout.KIND, page, 1);
      assert pages == 0 || number == firstPage + pages - 1 : "page " + number + " inside a list";
      pageEnd = PostingLayout.WINDOWS;
    }
  }

  private void endList() throws StorageException {
    if (documents == 0) {
      return;
    }
    writeWindow();
    int at = Varint.putInt(value, 0, documents);
    at = Varint.putInt(value, at, pages);
    if (pages == 0) {
      System.arraycopy(inline, 0, value, at, inlineEnd);
      at += inlineEnd;
    } else {
      Bytes.putInt(value, at, firstPage);
      at = Varint.putInt(value, at + Integer.BYTES, firstOffset);
      at = Varint.putInt(value, at, windowBefore);
    }
    documents = 0;
    pages = 0;
    inlineEnd = 0;
    windowBefore = -1;
    if (pageEnd == PostingLayout.WINDOWS) {
      entry.key().set(token.bytes(), token.offset(), token.length());
      entry.value().set(value, 0, at);
      dictionary.add(entry);
    } else {
      await(at);
      if (waitingEnd > MOST_WAITING) {
        writePage();
        flushWaiting();
      }
    }
  }

  private void await(int valueBytes) {
    int most = waitingEnd + 2 * Varint.MAX_INT_BYTES + token.length() + valueBytes;
    if (most > waiting.length) {
      waiting = Arrays.copyOf(waiting, 2 * most);
    }
    int at = Varint.putInt(waiting, waitingEnd, token.length());
    at = Varint.putInt(waiting, at, valueBytes);
    System.arraycopy(token.bytes(), token.offset(), waiting, at, token.length());
    at += token.length();
    System.arraycopy(value, 0, waiting, at, valueBytes);
    waitingEnd = at + valueBytes;
  }

  private void flushWaiting() throws StorageException {
    int at = 0;
    while (at < waitingEnd) {
      int keyBytes = Varint.getInt(waiting, at);
      at += Varint.sizeOf(keyBytes);
      int valueBytes = Varint.getInt(waiting, at);
      at += Varint.sizeOf(valueBytes);
      entry.key().set(waiting, at, keyBytes);
      entry.value().set(waiting, at + keyBytes, valueBytes);
      dictionary.add(entry);
      at += keyBytes + valueBytes;
    }
    waitingEnd = 0;
  }

  /** Writes what is left and returns the root page of the dictionary. */
  int finish() throws StorageException {
    endList();
    writePage();
    flushWaiting();
    return dictionary.finish();
  }
}
