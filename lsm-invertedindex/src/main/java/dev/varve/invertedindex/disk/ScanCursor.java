package dev.varve.invertedindex.disk;

import dev.varve.btree.disk.DiskTree;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.page.PageFile;
import dev.varve.invertedindex.postings.ListScan;
import dev.varve.invertedindex.postings.PostingList;
import dev.varve.invertedindex.postings.Window;
import dev.varve.invertedindex.token.TokenKey;
import java.util.Arrays;

/**
 * Walks everything in order, past the cache, for a merge: documents, then each token's documents.
 * Confined to one thread.
 */
final class ScanCursor implements ListScan {
  /** Bytes to read at a time of each of three streams: a merge holds this for each component. */
  private static final int READ_AHEAD = 128 << 10;

  private final HeldDocuments documents;
  private final int documentCount;
  private final EntryCursor dictionary;
  private final DiskPostings postings;
  private final Window window = new Window();
  private final Entry entry = new Entry();
  private final Slice document = new Slice();
  private byte[] key = new byte[512];
  private int nextDocument;
  private int tokenBytes;

  /** Number of the window; {@link PostingList#END} before the first token. */
  private int windowNumber = PostingList.END;

  private int position;
  private boolean ended;

  /** Ordinals of a window, for readers of lists; empty until then. */
  private int[] block = new int[0];

  /** What is left of the list that is being read. */
  private long postingsLeft;

  @SuppressWarnings("MustBeClosedChecker") // the dictionary is closed with this cursor
  ScanCursor(PageFile file, Root root, DiskTree tree) {
    int readAhead = (int) Math.min(READ_AHEAD, (long) file.pageCount() * file.pageSize());
    this.documents = new HeldDocuments(file, root, readAhead);
    this.documentCount = root.documents;
    this.dictionary = tree.scan();
    this.postings = new DiskPostings(file, PostingPages.sequential(file, readAhead));
    window.clear();
  }

  @Override
  public boolean next() throws StorageException {
    if (nextDocument < documentCount) {
      documents.viewKey(nextDocument++, entry.key());
      return true;
    }
    int at = nextPosition();
    while (at == Window.SIZE) {
      if (ended || !nextWindow()) {
        ended = true;
        return false;
      }
      at = nextPosition();
    }
    documents.viewKey((windowNumber << Window.BITS) + at, document);
    // The document's key has the length of the empty token in front of the primary key.
    int primaryKeyBytes = document.length() - 1;
    int length = tokenBytes + primaryKeyBytes;
    if (length > key.length) {
      key = Arrays.copyOf(key, 2 * length);
    }
    System.arraycopy(document.bytes(), document.offset() + 1, key, tokenBytes, primaryKeyBytes);
    entry.key().set(key, 0, length);
    return true;
  }

  private int nextPosition() {
    if (window.dense()) {
      int at = window.next(position);
      position = at + 1;
      return at;
    }
    return window.at(position++);
  }

  private boolean nextWindow() throws StorageException {
    window.clear();
    position = 0;
    if (windowNumber != PostingList.END) {
      windowNumber = postings.seek(windowNumber + 1);
    }
    while (windowNumber == PostingList.END) {
      if (!dictionary.next()) {
        return false;
      }
      Slice token = dictionary.entry().key();
      tokenBytes = token.length();
      if (tokenBytes > key.length) {
        key = new byte[2 * tokenBytes];
      }
      System.arraycopy(token.bytes(), token.offset(), key, 0, tokenBytes);
      windowNumber = postings.open(dictionary.entry().value()).seek(0);
    }
    postings.load(window);
    return true;
  }

  @Override
  public int documents() {
    return documentCount;
  }

  @Override
  public boolean nextDocument(Slice target) throws StorageException {
    if (nextDocument == documentCount) {
      return false;
    }
    documents.viewNext(nextDocument++, target);
    if (!TokenKey.isWellFormed(target) || !TokenKey.isDocument(target)) {
      throw postings.damaged(0, "document " + (nextDocument - 1) + " has the key " + target);
    }
    return true;
  }

  @Override
  public boolean nextToken(Slice token) throws StorageException {
    if (ended || !dictionary.next()) {
      ended = true;
      return false;
    }
    Slice found = dictionary.entry().key();
    if (found.length() < 2 || found.length() != 1 + TokenKey.tokenBytes(found)) {
      throw postings.damaged(0, "token " + found + " does not have the length that it says");
    }
    token.set(found.bytes(), found.offset(), found.length());
    postings.open(dictionary.entry().value());
    postingsLeft = postings.documents();
    windowNumber = -1;
    return true;
  }

  @Override
  public int nextPostings() throws StorageException {
    windowNumber = windowNumber == PostingList.END ? windowNumber : postings.seek(windowNumber + 1);
    if (windowNumber == PostingList.END) {
      if (postingsLeft != 0) {
        throw postings.damagedHere("a list ends " + postingsLeft + " postings early");
      }
      return 0;
    }
    postings.load(window);
    if (block.length == 0) {
      block = new int[Window.SIZE];
    }
    int count = window.copyTo(block, windowNumber << Window.BITS);
    checkBlock(count);
    postingsLeft -= count;
    return count;
  }

  private void checkBlock(int count) throws StorageException {
    int descents = 0;
    for (int i = 1; i < count; i++) {
      // Negative where one is not above the one before.
      descents |= block[i] - block[i - 1] - 1;
    }
    if (descents < 0 || (count > 0 && block[count - 1] >= documentCount)) {
      throw postings.damagedHere("no ascending postings of documents below " + documentCount);
    }
  }

  @Override
  public int[] postings() {
    return block;
  }

  @Override
  public Entry entry() {
    return entry;
  }

  @Override
  public void close() {
    nextDocument = documentCount;
    ended = true;
    window.clear();
    dictionary.close();
  }
}
