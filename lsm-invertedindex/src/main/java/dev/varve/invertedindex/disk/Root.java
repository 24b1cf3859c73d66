package dev.varve.invertedindex.disk;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.page.PageFile;
import dev.varve.common.page.PageLayout;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** What the root page says, read and checked once. Immutable and thread-safe. */
final class Root {
  final int documents;
  final long postings;
  final int firstPage;
  final int dictionaryPage;

  /** Ordinal of the first document of each page of the document table. */
  private final int[] firstOrdinals;

  private Root(byte[] page, int pages) {
    this.documents = Bytes.getInt(page, RootLayout.DOCUMENTS);
    this.postings = Bytes.getLong(page, RootLayout.POSTINGS);
    this.firstPage = Bytes.getInt(page, RootLayout.FIRST_PAGE);
    this.dictionaryPage = Bytes.getInt(page, RootLayout.DICTIONARY);
    this.firstOrdinals = new int[pages];
    for (int i = 0; i < pages; i++) {
      firstOrdinals[i] = Bytes.getInt(page, RootLayout.ORDINALS + Integer.BYTES * i);
    }
  }

  static Root read(PageFile file, int pageNumber) throws StorageException {
    byte[] page = file.readUncached(pageNumber, Bytes.EMPTY);
    if (page[PageLayout.KIND] != RootLayout.KIND) {
      throw damaged(file, pageNumber, "no root page of an inverted index");
    }
    int pages = Bytes.getInt(page, RootLayout.PAGES);
    int units = page[PageLayout.UNITS] & 0xFF;
    if (pages <= 0 || RootLayout.end(pages) > (long) units * file.pageSize()) {
      throw damaged(file, pageNumber, pages + " pages of documents");
    }
    Root root = new Root(page, pages);
    String problem = root.problem(file);
    if (problem != null) {
      throw damaged(file, pageNumber, problem);
    }
    return root;
  }

  private @Nullable String problem(PageFile file) {
    if (firstPage <= 0 || firstPage > file.pageCount() - firstOrdinals.length) {
      return "documents from page " + firstPage;
    }
    if (dictionaryPage < 0 || dictionaryPage >= file.pageCount()) {
      return "dictionary at page " + dictionaryPage;
    }
    if (documents <= 0 || postings < 0 || (dictionaryPage == 0) != (postings == 0)) {
      return documents + " documents, " + postings + " postings";
    }
    for (int i = 0; i < firstOrdinals.length; i++) {
      int above = i + 1 == firstOrdinals.length ? documents : firstOrdinals[i + 1];
      if (firstOrdinals[i] >= above || (i == 0 && firstOrdinals[0] != 0)) {
        return "page " + i + " of documents begins with " + firstOrdinals[i];
      }
    }
    return null;
  }

  private static CorruptionException damaged(PageFile file, int pageNumber, String problem) {
    return new CorruptionException(file.name(), (long) pageNumber * file.pageSize(), problem);
  }

  /** Number of pages of the document table. */
  int pages() {
    return firstOrdinals.length;
  }

  /** Ordinal of the first document of a page; behind the last page, the number of documents. */
  int firstOrdinal(int page) {
    return page == firstOrdinals.length ? documents : firstOrdinals[page];
  }

  /** The page of a document. */
  int pageOf(int ordinal) {
    int at = Arrays.binarySearch(firstOrdinals, ordinal);
    return at >= 0 ? at : ~at - 1;
  }
}
