package dev.varve.invertedindex.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageLayout;

/**
 * Reads one page of the document table after the other; no offset is followed before it was
 * checked. Confined to one reader.
 */
final class DocumentPage {
  private final PageFile file;
  private byte[] page = Bytes.EMPTY;

  /** Where in its array the page begins. */
  private int at;

  private int pageNumber;
  private int first;
  private int count;
  private int width;

  DocumentPage(PageFile file) {
    this.file = file;
  }

  /** Moves to a page and checks its head. */
  void load(byte[] bytes, int newAt, int number) throws CorruptionException {
    page = bytes;
    at = newAt;
    pageNumber = number;
    if (bytes[at + PageLayout.KIND] != DocumentLayout.KIND || bytes[at + PageLayout.UNITS] != 1) {
      throw damaged("no page of documents where one belongs");
    }
    first = Bytes.getInt(bytes, at + DocumentLayout.FIRST);
    count = Bytes.getInt(bytes, at + DocumentLayout.COUNT);
    width = Bytes.getInt(bytes, at + DocumentLayout.WIDTH);
    long end =
        width == 0
            ? DocumentLayout.KEYS + Integer.BYTES * (count + 1L)
            : DocumentLayout.KEYS + (long) count * width;
    if (count <= 0 || width < 0 || first < 0 || end > file.pageSize()) {
      throw damaged(count + " documents of " + width + " bytes from " + first);
    }
  }

  /** Ordinal of the first document. */
  int first() {
    return first;
  }

  /** Number of documents. */
  int count() {
    return count;
  }

  /** Points a slice at the key of a document's own entry; it holds as long as the page. */
  Slice viewKey(int index, Slice target) throws CorruptionException {
    if (width > 0) {
      return target.set(page, at + DocumentLayout.KEYS + index * width, width);
    }
    int startAt = at + DocumentLayout.KEYS + Integer.BYTES * index;
    int start = Bytes.getInt(page, startAt);
    int end = Bytes.getInt(page, startAt + Integer.BYTES);
    if (start < DocumentLayout.end(count, 0) || end <= start || end > file.pageSize()) {
      throw damaged("document " + index + " from " + start + " to " + end);
    }
    return target.set(page, at + start, end - start);
  }

  /** Offset behind the last key, from the beginning of the page. */
  int end() {
    return width > 0
        ? DocumentLayout.KEYS + count * width
        : Bytes.getInt(page, at + DocumentLayout.KEYS + Integer.BYTES * count);
  }

  /** The exception about the page. */
  CorruptionException damaged(String problem) {
    return new CorruptionException(file.name(), (long) pageNumber * file.pageSize(), problem);
  }
}
