package dev.varve.invertedindex.disk;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.invertedindex.postings.ListScan;

/** One component that a {@link ListTransfer} reads, and the new ordinals of its documents. */
final class TransferSource {
  /** In place of a new ordinal: the document is deleted. */
  static final int GONE = -1;

  private final ListScan scan;

  /** Position among the sources, from 0, the newest. */
  private final int number;

  /** The document or token that it is at, and the first bytes of that. */
  private final Slice key = new Slice();

  private long head;
  private boolean ended;

  private final int[] newOrdinals;
  private int documents;

  /** New ordinals of a part of a list, and what of them is not written yet. */
  private int[] block = new int[0];

  private int at;
  private int end;

  TransferSource(ListScan scan, int number) {
    this.scan = scan;
    this.number = number;
    this.newOrdinals = new int[scan.documents()];
  }

  int number() {
    return number;
  }

  void nextDocument() throws StorageException {
    moved(scan.nextDocument(key));
  }

  void nextToken() throws StorageException {
    moved(scan.nextToken(key));
  }

  private void moved(boolean found) {
    ended = !found;
    head = found ? key.head() : 0;
  }

  /** Whether there are no more documents, or tokens. */
  boolean ended() {
    return ended;
  }

  /** Key of the document, or the token with its length in front. */
  Slice key() {
    return key;
  }

  int compareKey(TransferSource other) {
    int byHead = Long.compareUnsigned(head, other.head);
    return byHead != 0 ? byHead : key.compareBytes(other.key);
  }

  /** Says which ordinal its next document has in the new component. */
  void renumber(int newOrdinal) {
    assert newOrdinal >= GONE : newOrdinal;
    newOrdinals[documents++] = newOrdinal;
  }

  /** Reads new ordinals of the token until there are any; false at the end of its list. */
  boolean fill() throws StorageException {
    at = 0;
    end = 0;
    int count = scan.nextPostings();
    while (count > 0) {
      int[] postings = scan.postings();
      int kept = 0;
      for (int i = 0; i < count; i++) {
        int ordinal = newOrdinals[postings[i]];
        postings[kept] = ordinal;
        // Without a branch: an ordinal that is gone is overwritten by the next.
        kept += 1 + (ordinal >> (Integer.SIZE - 1));
      }
      if (kept > 0) {
        block = postings;
        end = kept;
        return true;
      }
      count = scan.nextPostings();
    }
    return false;
  }

  /** The array from {@link #at} to {@link #end}. */
  int[] block() {
    return block;
  }

  int at() {
    return at;
  }

  int end() {
    return end;
  }

  /** The least ordinal that is not written yet. */
  int ordinal() {
    return block[at];
  }

  /** Index of the first ordinal from a bound on. */
  int firstNotBelow(int bound) {
    int index = at;
    while (index < end && block[index] < bound) {
      index++;
    }
    return index;
  }

  void skip(int count) {
    at += count;
    assert at <= end : at;
  }
}
