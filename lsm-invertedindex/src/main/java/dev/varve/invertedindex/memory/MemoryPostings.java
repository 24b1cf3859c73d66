package dev.varve.invertedindex.memory;

import dev.varve.invertedindex.postings.PostingList;
import dev.varve.invertedindex.postings.Window;

/** A token's chain, up to the documents that were there when the search began. Confined. */
final class MemoryPostings implements PostingList {
  private final Chain chain;
  private final long documents;
  private final int limit;

  /** The first ordinal that was not handed out yet. */
  private int pending;

  /**
   * Reads a chain.
   *
   * @param limit the first ordinal that does not belong to the search
   */
  MemoryPostings(Chain chain, long documents, int limit) {
    this.chain = chain;
    this.documents = documents;
    this.limit = limit;
    advance();
  }

  private void advance() {
    int next = chain.next();
    pending = next < limit ? next : Chain.END;
  }

  @Override
  public long documents() {
    return documents;
  }

  @Override
  public int seek(int window) {
    while (Window.of(pending) < window && pending != Chain.END) {
      advance();
    }
    return pending == Chain.END ? END : Window.of(pending);
  }

  @Override
  public void load(Window target) {
    int window = Window.of(pending);
    while (pending != Chain.END && Window.of(pending) == window) {
      target.append(pending & (Window.SIZE - 1));
      advance();
    }
  }
}
