package dev.varve.invertedindex.memory;

import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;

/**
 * Documents that were found, by primary key. Of documents with the same one, dead ones count only
 * if no live one was found: then they are antimatter. Confined to one thread.
 */
final class MatchCursor implements EntryCursor {
  private final Documents documents;
  private final int[] found;
  private final Entry entry = new Entry();
  private int next;
  private int count;

  /**
   * Takes the array over.
   *
   * @param found ordinals, ascending
   */
  MatchCursor(Documents documents, int[] found, int count) {
    this.documents = documents;
    this.found = found;
    this.count = count;
    NumberSort.sort(found, count, documents::compare);
  }

  @Override
  public boolean next() {
    if (next >= count) {
      return false;
    }
    int first = found[next];
    boolean live = false;
    do {
      live |= documents.state(found[next]) == Documents.LIVE;
      next++;
    } while (next < count && documents.samePrimaryKey(first, found[next]));
    documents.viewKey(first, entry.key());
    entry.antimatter(!live);
    return true;
  }

  @Override
  public Entry entry() {
    return entry;
  }

  @Override
  public void close() {
    count = 0;
  }
}
