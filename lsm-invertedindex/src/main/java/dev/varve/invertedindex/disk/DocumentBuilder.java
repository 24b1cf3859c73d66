package dev.varve.invertedindex.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFileWriter;
import dev.varve.invertedindex.token.TokenKey;
import java.util.Arrays;

/** Writes the document table. Confined. */
final class DocumentBuilder {
  private final PageFileWriter file;
  private final byte[] page;
  private final Slice lastKey = new Slice();

  /** Keys of the page, back to back, and where each ends. */
  private final byte[] keys;

  private int[] ends = new int[64];
  private int count;
  private boolean sameLength;

  /** Number of documents, those of earlier pages included. */
  private int documents;

  private int firstPage;
  private int[] firstOrdinals = new int[16];
  private int pages;

  DocumentBuilder(PageFileWriter file) {
    this.file = file;
    this.page = new byte[file.pageSize()];
    this.keys = new byte[file.pageSize()];
  }

  /** Number of documents so far. */
  int documents() {
    return documents;
  }

  /** Adds the next document, given the key of its own entry. */
  void add(Slice key) throws StorageException {
    assert TokenKey.isDocument(key) : key;
    int most = Limits.maxPrimaryKeyBytes(page.length);
    if (key.length() - 1 > most) {
      throw new LimitException("primary key bytes", key.length() - 1, most);
    }
    if (documents == Limits.MAX_DOCUMENTS) {
      throw new LimitException("documents in a component", documents + 1L, Limits.MAX_DOCUMENTS);
    }
    if (documents > 0 && lastKey.compareBytes(key) >= 0) {
      throw new RequestException(
          RequestException.Reason.UNSORTED_INPUT, "key " + key + " follows key " + lastKey);
    }
    lastKey.copyOf(key);
    if (!tryAdd(key)) {
      writePage();
      boolean added = tryAdd(key);
      assert added;
    }
    documents++;
  }

  private boolean tryAdd(Slice key) {
    int length = key.length();
    int bytes = count == 0 ? 0 : ends[count - 1];
    boolean same = count == 0 || (sameLength && length == ends[0]);
    int end =
        same
            ? DocumentLayout.KEYS + (count + 1) * length
            : DocumentLayout.end(count + 1, bytes + length);
    if (end > page.length) {
      return false;
    }
    sameLength = same;
    System.arraycopy(key.bytes(), key.offset(), keys, bytes, length);
    if (count == ends.length) {
      ends = Arrays.copyOf(ends, 2 * count);
    }
    ends[count++] = bytes + length;
    return true;
  }

  private void writePage() throws StorageException {
    if (pages == Limits.maxDocumentPages(page.length)) {
      throw new LimitException(
          "pages of documents in a component", pages + 1L, Limits.maxDocumentPages(page.length));
    }
    int first = documents - count;
    Bytes.putInt(page, DocumentLayout.FIRST, first);
    Bytes.putInt(page, DocumentLayout.COUNT, count);
    Bytes.putInt(page, DocumentLayout.WIDTH, sameLength ? ends[0] : 0);
    int at = DocumentLayout.KEYS;
    if (!sameLength) {
      int keysAt = DocumentLayout.end(count, 0);
      Bytes.putInt(page, at, keysAt);
      for (int i = 0; i < count; i++) {
        at += Integer.BYTES;
        Bytes.putInt(page, at, keysAt + ends[i]);
      }
      at = keysAt;
    }
    System.arraycopy(keys, 0, page, at, ends[count - 1]);
    Arrays.fill(page, at + ends[count - 1], page.length, (byte) 0);
    int number = file.append(DocumentLayout.KIND, page, 1);
    if (pages == 0) {
      firstPage = number;
    } else if (pages == firstOrdinals.length) {
      firstOrdinals = Arrays.copyOf(firstOrdinals, 2 * pages);
    }
    firstOrdinals[pages++] = first;
    count = 0;
  }

  /** Writes what is left; called once, before the first token. */
  void finish() throws StorageException {
    if (count > 0) {
      writePage();
    }
  }

  /** Writes the root page and returns its number. */
  int writeRoot(long postings, int dictionary) throws StorageException {
    int units = (int) ((RootLayout.end(pages) + page.length - 1) / page.length);
    byte[] root = new byte[units * page.length];
    Bytes.putInt(root, RootLayout.DOCUMENTS, documents);
    Bytes.putInt(root, RootLayout.PAGES, pages);
    Bytes.putLong(root, RootLayout.POSTINGS, postings);
    Bytes.putInt(root, RootLayout.FIRST_PAGE, firstPage);
    Bytes.putInt(root, RootLayout.DICTIONARY, dictionary);
    for (int i = 0; i < pages; i++) {
      Bytes.putInt(root, RootLayout.ORDINALS + Integer.BYTES * i, firstOrdinals[i]);
    }
    return file.append(RootLayout.KIND, root, units);
  }
}
