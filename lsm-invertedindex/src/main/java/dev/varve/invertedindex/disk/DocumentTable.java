package dev.varve.invertedindex.disk;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFile;
import org.jspecify.annotations.Nullable;

/**
 * Reads documents by ordinal, fast while they ascend: the page of the last one stays pinned until
 * the next page or close. Confined to one search.
 */
final class DocumentTable implements AutoCloseable {
  private final PageFile file;
  private final Root root;
  private final DocumentPage reader;
  private PageFile.@Nullable Page pinned;
  private int page = -1;
  private int from;
  private int to;

  DocumentTable(PageFile file, Root root) {
    this.file = file;
    this.root = root;
    this.reader = new DocumentPage(file);
  }

  /** Points a slice at the key of a document; it holds until the next call or close. */
  Slice viewKey(int ordinal, Slice target) throws StorageException {
    if (ordinal < from || ordinal >= to) {
      if (ordinal >= root.documents) {
        throw new CorruptionException(
            file.name(), -1, "a posting of document " + ordinal + " of " + root.documents);
      }
      boolean nextPage =
          ordinal >= to && page + 1 < root.pages() && ordinal < root.firstOrdinal(page + 2);
      moveTo(nextPage ? page + 1 : root.pageOf(ordinal));
    }
    return reader.viewKey(ordinal - from, target);
  }

  /** The ordinal of the document with a key, or -1. */
  int find(Slice key, Slice view) throws StorageException {
    int low = 0;
    int high = root.pages() - 1;
    // The last page whose first key is not above the one wanted.
    while (low < high) {
      int middle = (low + high + 1) >>> 1;
      moveTo(middle);
      if (reader.viewKey(0, view).compareBytes(key) <= 0) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    moveTo(low);
    int least = 0;
    int most = to - from - 1;
    while (least <= most) {
      int middle = (least + most) >>> 1;
      int order = reader.viewKey(middle, view).compareBytes(key);
      if (order == 0) {
        return from + middle;
      }
      if (order < 0) {
        least = middle + 1;
      } else {
        most = middle - 1;
      }
    }
    return -1;
  }

  @SuppressWarnings("MustBeClosedChecker") // closed by the next move, or by close
  private void moveTo(int index) throws StorageException {
    if (index == page) {
      return;
    }
    close();
    int number = root.firstPage + index;
    PageFile.Page next = file.pin(number);
    pinned = next;
    reader.load(next.bytes(), next.at(), number);
    from = root.firstOrdinal(index);
    to = root.firstOrdinal(index + 1);
    if (reader.first() != from || reader.count() != to - from) {
      throw reader.damaged("documents from " + reader.first() + ", should be from " + from);
    }
    page = index;
  }

  @Override
  public void close() {
    if (pinned != null) {
      pinned.close();
      pinned = null;
    }
    page = -1;
    from = 0;
    to = 0;
  }
}
