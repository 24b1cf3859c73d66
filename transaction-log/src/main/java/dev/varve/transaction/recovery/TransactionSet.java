package dev.varve.transaction.recovery;

import java.util.HashMap;
import java.util.Map;

/**
 * A set of transaction ids. Ids are handed out in sequence, so a bit each in pages of 65,536 costs
 * little: ten million transactions take 1.25 MB. Filled by analysis, then only read.
 */
public final class TransactionSet {
  private static final int PAGE_BITS = 16;
  private static final int PAGE_WORDS = 1 << (PAGE_BITS - 6);

  private final Map<Long, long[]> pages = new HashMap<>();
  private long lastPageNumber = -1;
  private long[] lastPage = new long[PAGE_WORDS];
  private long size;

  /** An empty set. */
  public TransactionSet() {}

  /** Adds an id; false when it is in the set already. */
  boolean add(long transaction) {
    long[] page = pages.computeIfAbsent(transaction >>> PAGE_BITS, n -> new long[PAGE_WORDS]);
    int word = (int) (transaction >>> 6) & (PAGE_WORDS - 1);
    long bit = 1L << transaction;
    if ((page[word] & bit) != 0) {
      return false;
    }
    page[word] |= bit;
    size++;
    return true;
  }

  /** Whether an id is in the set. */
  public boolean contains(long transaction) {
    long number = transaction >>> PAGE_BITS;
    if (number != lastPageNumber) {
      long[] page = pages.get(number);
      if (page == null) {
        return false;
      }
      lastPage = page;
      lastPageNumber = number;
    }
    int word = (int) (transaction >>> 6) & (PAGE_WORDS - 1);
    return (lastPage[word] & 1L << transaction) != 0;
  }

  /** Number of ids. */
  public long size() {
    return size;
  }
}
