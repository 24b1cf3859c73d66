package dev.varve.invertedindex.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFile;

/**
 * The document table of a component on the heap, read past the cache, for a scan: it hands out the
 * primary key of every posting, in no order of pages. As many bytes as the table has on disk,
 * unless documents are read once and in order. Confined to one thread.
 */
final class HeldDocuments {
  private final PageFile file;
  private final Root root;
  private final PageFile.SequentialReader source;
  private final byte[][] pages;
  private final DocumentPage reader;
  private int held;
  private int from;
  private int to;

  HeldDocuments(PageFile file, Root root, int readAheadBytes) {
    this.file = file;
    this.root = root;
    this.source = file.sequentialReader(readAheadBytes);
    this.pages = new byte[root.pages()][];
    this.reader = new DocumentPage(file);
  }

  /** Points a slice at the key of a document, for readers that never go back to an earlier page. */
  Slice viewNext(int ordinal, Slice target) throws StorageException {
    boolean newPage = ordinal >= to;
    Slice key = viewKey(ordinal, target);
    int page = held - 1;
    if (newPage && page > 0) {
      pages[page - 1] = Bytes.EMPTY;
    }
    return key;
  }

  /** Points a slice at the key of a document. */
  Slice viewKey(int ordinal, Slice target) throws StorageException {
    if (ordinal < from || ordinal >= to) {
      if (ordinal >= root.documents) {
        throw new CorruptionException(
            file.name(), -1, "a posting of document " + ordinal + " of " + root.documents);
      }
      int page = root.pageOf(ordinal);
      assert page >= 0 && page < pages.length : page;
      for (; held <= page; held++) {
        pages[held] = source.read(root.firstPage + held, Bytes.EMPTY);
      }
      reader.load(pages[page], 0, root.firstPage + page);
      from = root.firstOrdinal(page);
      to = root.firstOrdinal(page + 1);
      if (reader.first() != from || reader.count() != to - from) {
        throw reader.damaged("documents from " + reader.first() + ", should be from " + from);
      }
    }
    return reader.viewKey(ordinal - from, target);
  }
}
