package dev.varve.invertedindex.disk;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageFile;
import dev.varve.invertedindex.postings.Matches;

/** The documents that a search finds, found as they are asked for. Confined to one thread. */
final class SearchCursor implements EntryCursor {
  private final Matches matches;
  private final DocumentTable documents;
  private final Entry entry = new Entry();
  private boolean closed;

  SearchCursor(PageFile file, Root root, Matches matches) {
    this.matches = matches;
    this.documents = new DocumentTable(file, root);
  }

  @Override
  public boolean next() throws StorageException {
    int ordinal = closed ? Matches.END : matches.next();
    if (ordinal == Matches.END) {
      close();
      return false;
    }
    documents.viewKey(ordinal, entry.key());
    return true;
  }

  @Override
  public Entry entry() {
    return entry;
  }

  @Override
  public void close() {
    closed = true;
    documents.close();
  }
}
