package dev.varve.invertedindex.memory;

import com.google.errorprone.annotations.MustBeClosed;
import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.format.MemoryIndex;
import dev.varve.invertedindex.postings.Matches;
import dev.varve.invertedindex.postings.PostingList;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.TokenKey;
import dev.varve.invertedindex.token.Tokenizer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * An inverted index in memory. A put takes a document's text apart; the text itself is not kept, so
 * entries come back without value. A put of a primary key that is there replaces the document,
 * antimatter marks it dead; both leave its postings, so that searches still come by it.
 *
 * <p>Thread-safe. Writers take turns: a document is in within microseconds, and what they would
 * wait for otherwise are the same cache lines. Readers take no lock; see {@link Terms}. A search
 * collects and sorts its documents when it is opened, because they are numbered as they came.
 */
public final class MemoryInvertedIndex implements MemoryIndex<TextQuery> {
  private final Tokenizer tokenizer;
  private final ByteArena arena = new ByteArena();
  private final Terms terms = new Terms(arena);
  private final Documents documents = new Documents(arena);
  private final ReentrantLock lock = new ReentrantLock();

  @GuardedBy("lock")
  private final Slice token = new Slice();

  @GuardedBy("lock")
  private int ordinal;

  @GuardedBy("lock")
  private int tokensAdded;

  @GuardedBy("lock")
  private long entriesSoFar;

  private volatile long entries;
  private volatile long usedBytes;

  /** An empty index. */
  public MemoryInvertedIndex(Tokenizer tokenizer) {
    this.tokenizer = tokenizer;
    this.usedBytes = arena.heldBytes() + terms.heldBytes() + documents.heldBytes();
  }

  /**
   * Puts a document, or antimatter.
   *
   * @param entry key {@link TokenKey#document}, value the text in UTF-8
   */
  @Override
  public void put(Entry entry) {
    if (!TokenKey.isWellFormed(entry.key()) || !TokenKey.isDocument(entry.key())) {
      throw new IllegalArgumentException("no key of a document: " + entry.key());
    }
    lock.lock();
    try {
      long change = entry.antimatter() ? delete(entry.key()) : insert(entry);
      documents.publish();
      entriesSoFar += change;
      entries = entriesSoFar;
      usedBytes = arena.heldBytes() + terms.heldBytes() + documents.heldBytes();
    } finally {
      lock.unlock();
    }
  }

  /** Returns by how many the number of entries grows. */
  @GuardedBy("lock")
  private long insert(Entry entry) {
    long gone = entriesOf(documents.find(entry.key()));
    ordinal = documents.add(entry.key(), Documents.LIVE);
    tokensAdded = 0;
    tokenizer.tokenize(entry.value(), this::addToken);
    documents.setTokens(ordinal, tokensAdded);
    return 1 + tokensAdded - gone;
  }

  @SuppressWarnings("GuardedBy") // called by insert, through the tokenizer
  private void addToken(byte[] bytes, int offset, int length) {
    if (length < 1 || length > TokenKey.MAX_TOKEN_BYTES) {
      throw new IllegalArgumentException(
          tokenizer.name() + " made a token of " + length + " bytes");
    }
    if (terms.add(ordinal, token.set(bytes, offset, length))) {
      tokensAdded++;
    }
  }

  @GuardedBy("lock")
  private long delete(Slice key) {
    int current = documents.find(key);
    long gone = entriesOf(current);
    if (current == Documents.NONE) {
      documents.add(key, Documents.DELETED);
    } else {
      documents.setState(current, Documents.DELETED);
    }
    return 1 - gone;
  }

  private long entriesOf(int document) {
    if (document == Documents.NONE) {
      return 0;
    }
    return documents.state(document) == Documents.LIVE ? 1 + documents.tokens(document) : 1;
  }

  @Override
  public boolean find(Slice key, Entry found) {
    Slice document = new Slice();
    boolean whole = TokenKey.isDocument(key);
    if (!whole) {
      TokenKey.document(TokenKey.viewPrimaryKey(key, new Slice()), document);
    }
    documents.count();
    int newest = documents.find(whole ? key : document);
    if (newest == Documents.NONE || (!whole && !hasToken(newest, key))) {
      return false;
    }
    found.key().copyOf(key);
    found.value().copyOf(key.bytes(), 0, 0);
    found.antimatter(documents.state(newest) != Documents.LIVE);
    return true;
  }

  private boolean hasToken(int document, Slice key) {
    int term = terms.find(new Slice(key.bytes(), key.offset() + 1, TokenKey.tokenBytes(key)));
    if (term < 0 || documents.state(document) != Documents.LIVE) {
      return false;
    }
    Chain chain = terms.chain(term);
    int at = chain.next();
    while (at < document) {
      at = chain.next();
    }
    return at == document;
  }

  @Override
  @MustBeClosed
  public EntryCursor search(TextQuery query) throws StorageException {
    int limit = documents.count();
    List<PostingList> lists = new ArrayList<>();
    Slice view = new Slice();
    for (int i = 0; i < query.tokenCount(); i++) {
      query.viewToken(i, view);
      int term = terms.find(view.set(view.bytes(), view.offset() + 1, view.length() - 1));
      if (term >= 0) {
        lists.add(new MemoryPostings(terms.chain(term), terms.postings(term), limit));
      }
    }
    Matches matches = new Matches(lists, query.threshold());
    int[] found = new int[16];
    int count = 0;
    for (int at = matches.next(); at != Matches.END; at = matches.next()) {
      if (count == found.length) {
        found = Arrays.copyOf(found, 2 * count);
      }
      found[count++] = at;
    }
    return new MatchCursor(documents, found, count);
  }

  @Override
  @MustBeClosed
  public EntryCursor scan() {
    return new ScanCursor(documents, terms);
  }

  @Override
  public long entryCount() {
    return entries;
  }

  @Override
  public long usedBytes() {
    return usedBytes;
  }
}
