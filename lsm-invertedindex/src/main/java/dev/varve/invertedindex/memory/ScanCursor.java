package dev.varve.invertedindex.memory;

import dev.varve.common.bytes.Slice;
import dev.varve.common.index.Entry;
import dev.varve.common.index.EntryCursor;
import java.util.Arrays;

/**
 * All entries in the order of their keys, for a flush: nobody writes any more. First the documents
 * and antimatter, then the live documents of each token. Confined to one thread.
 */
final class ScanCursor implements EntryCursor {
  private static final int DEAD = -1;

  private final Documents documents;
  private final Terms terms;

  /** Documents by primary key, the replaced ones left out. */
  private final int[] byKey;

  /** Place of each live document in that order, {@link #DEAD} for the others. */
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
    this.byKey = Arrays.copyOf(present, length);
    this.places = new int[count];
    Arrays.fill(places, DEAD);
    for (int i = 0; i < length; i++) {
      if (documents.state(byKey[i]) == Documents.LIVE) {
        places[byKey[i]] = i;
      }
    }
    this.termsByKey = new int[terms.count()];
    Arrays.setAll(termsByKey, i -> i);
    Slice left = new Slice();
    Slice right = new Slice();
    NumberSort.sort(
        termsByKey,
        termsByKey.length,
        (a, b) -> terms.viewKey(a, left).compareBytes(terms.viewKey(b, right)));
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
    documents.viewKey(byKey[postings[nextPosting++]], key);
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
    postingCount = 0;
    nextPosting = 0;
    boolean ascending = true;
    int last = DEAD;
    Chain chain = terms.chain(term);
    for (int ordinal = chain.next(); ordinal != Chain.END; ordinal = chain.next()) {
      int place = places[ordinal];
      if (place == DEAD) {
        continue;
      }
      if (postingCount == postings.length) {
        postings = Arrays.copyOf(postings, 2 * postingCount);
      }
      postings[postingCount++] = place;
      ascending &= place > last;
      last = place;
    }
    if (!ascending) {
      Arrays.sort(postings, 0, postingCount);
    }
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
