package dev.varve.invertedindex.memory;

import dev.varve.common.bytes.Slice;
import dev.varve.common.format.Entry;
import dev.varve.invertedindex.postings.ListScan;
import java.util.Arrays;

/**
 * Everything in order, for a flush: no writer is left. Read by entries, first the documents and
 * antimatter, then the live documents of each token. Confined to one thread.
 */
final class ScanCursor implements ListScan {
  private static final int DEAD = -1;

  /** Shorter lists are sorted, longer ones put in order by a set of bits. */
  private static final int LONG_LIST = 64;

  /** Words of that set for each posting from which on sorting costs less than looking at them. */
  private static final int MOST_WORDS = 32;

  private final Documents documents;
  private final Terms terms;

  /** Documents by primary key, the replaced ones left out. */
  private final int[] byKey;

  /** The live ones of them. */
  private final int[] live;

  /** Place of each document among the live ones, {@link #DEAD} for the others. */
  private final int[] places;

  private final int[] termsByKey;
  private final Entry entry = new Entry();
  private final Slice key = new Slice();
  private byte[] buffer = new byte[512];
  private int nextDocument;
  private int nextTerm;
  private int tokenBytes;
  private int[] postings = new int[64];
  private int postingCount;
  private int nextPosting;

  /** Scratch: a bit for each live document, all zero; empty until it is needed. */
  private long[] bits = new long[0];

  ScanCursor(Documents documents, Terms terms) {
    this.documents = documents;
    this.terms = terms;
    int count = documents.count();
    int[] present = new int[count];
    int length = 0;
    for (int i = 0; i < count; i++) {
      if (documents.state(i) != Documents.REPLACED) {
        present[length++] = i;
      }
    }
    NumberSort.sort(present, length, documents::compare);
    this.byKey = length == count ? present : Arrays.copyOf(present, length);
    this.places = new int[count];
    Arrays.fill(places, DEAD);
    int[] kept = new int[length];
    int alive = 0;
    for (int document : byKey) {
      if (documents.state(document) == Documents.LIVE) {
        places[document] = alive;
        kept[alive++] = document;
      }
    }
    this.live = alive == length ? byKey : Arrays.copyOf(kept, alive);
    this.termsByKey = terms.byKey();
  }

  @Override
  public boolean next() {
    if (nextDocument < byKey.length) {
      int ordinal = byKey[nextDocument++];
      documents.viewKey(ordinal, entry.key());
      entry.antimatter(documents.state(ordinal) != Documents.LIVE);
      return true;
    }
    while (nextPosting == postingCount) {
      if (nextTerm == termsByKey.length) {
        return false;
      }
      startTerm(termsByKey[nextTerm++]);
    }
    documents.viewKey(live[postings[nextPosting++]], key);
    // The document's key has the length of the empty token in front of the primary key.
    int primaryKeyBytes = key.length() - 1;
    if (tokenBytes + primaryKeyBytes > buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * (tokenBytes + primaryKeyBytes));
    }
    System.arraycopy(key.bytes(), key.offset() + 1, buffer, tokenBytes, primaryKeyBytes);
    entry.key().set(buffer, 0, tokenBytes + primaryKeyBytes);
    return true;
  }

  private void startTerm(int term) {
    entry.antimatter(false);
    terms.viewKey(term, key);
    tokenBytes = key.length();
    System.arraycopy(key.bytes(), key.offset(), buffer, 0, tokenBytes);
    nextPosting = 0;
    readList(term);
  }

  /** Reads the places of a token's live documents, ascending. */
  private void readList(int term) {
    if (terms.postings(term) > postings.length) {
      postings = new int[Math.max(terms.postings(term), 2 * postings.length)];
    }
    int count = 0;
    boolean ascending = true;
    int last = DEAD;
    Chain chain = terms.chain(term);
    for (int ordinal = chain.next(); ordinal != Chain.END; ordinal = chain.next()) {
      int place = places[ordinal];
      if (place != DEAD) {
        postings[count++] = place;
        ascending &= place > last;
        last = place;
      }
    }
    postingCount = count;
    if (!ascending) {
      sortPostings();
    }
  }

  private void sortPostings() {
    int words = (live.length + Long.SIZE - 1) / Long.SIZE;
    if (postingCount < Math.max(LONG_LIST, words / MOST_WORDS)) {
      Arrays.sort(postings, 0, postingCount);
      return;
    }
    if (bits.length == 0) {
      bits = new long[words];
    }
    for (int i = 0; i < postingCount; i++) {
      bits[postings[i] >>> 6] |= 1L << postings[i];
    }
    int count = 0;
    for (int i = 0; i < words; i++) {
      for (long rest = bits[i]; rest != 0; rest &= rest - 1) {
        postings[count++] = (i << 6) + Long.numberOfTrailingZeros(rest);
      }
      bits[i] = 0;
    }
    assert count == postingCount : count + " of " + postingCount;
  }

  @Override
  public int documents() {
    return live.length;
  }

  @Override
  public boolean nextDocument(Slice target) {
    if (nextDocument >= live.length) {
      return false;
    }
    documents.viewKey(live[nextDocument++], target);
    return true;
  }

  @Override
  public boolean nextToken(Slice token) {
    if (nextTerm == termsByKey.length) {
      return false;
    }
    terms.viewKey(termsByKey[nextTerm++], token);
    postingCount = 0;
    nextPosting = DEAD;
    return true;
  }

  @Override
  public int nextPostings() {
    if (nextPosting != DEAD) {
      return 0;
    }
    nextPosting = 0;
    readList(termsByKey[nextTerm - 1]);
    return postingCount;
  }

  @Override
  public int[] postings() {
    return postings;
  }

  @Override
  public Entry entry() {
    return entry;
  }

  @Override
  public void close() {
    nextDocument = byKey.length;
    nextTerm = termsByKey.length;
    nextPosting = postingCount;
  }
}
