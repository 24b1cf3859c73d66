package dev.varve.btree;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.errorprone.annotations.MustBeClosed;
import com.sun.management.ThreadMXBean;
import dev.varve.btree.bound.KeyBound;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import java.lang.management.ManagementFactory;
import java.util.function.IntFunction;

/** What a closed cursor leaves to the next one of its tree: all, and nothing of itself. */
public final class CursorReuse {
  private static final int KEYS = 1000;
  private static final int SEARCHES = 10_000;
  private static final int MOST_BYTES = 100;
  private static final KeyBound ALL = KeyBound.unbounded();

  private CursorReuse() {}

  /** How a tree is searched. */
  @FunctionalInterface
  public interface Search {
    /** Opens a cursor between two bounds. */
    @MustBeClosed
    EntryCursor open(KeyBound low, KeyBound high) throws StorageException;
  }

  /** Searches a tree that holds the keys of the numbers below 1000, in their order. */
  public static void verify(Search ascending, Search descending, IntFunction<byte[]> key)
      throws StorageException {
    requireApart(ascending, ascending, descending, key);
    requireApart(descending, ascending, descending, key);
    requireLittleGarbage(ascending, key);
    requireLittleGarbage(descending, key);
  }

  /** One that was closed is asked and closed again while others have what it left. */
  private static void requireApart(
      Search closing, Search ascending, Search descending, IntFunction<byte[]> key)
      throws StorageException {
    EntryCursor closed = closing.open(ALL, ALL);
    assertTrue(closed.next());
    closed.close();
    int half = KEYS / 2;
    try (EntryCursor up = ascending.open(KeyBound.inclusive(key.apply(half)), ALL);
        EntryCursor down = descending.open(ALL, KeyBound.exclusive(key.apply(half)))) {
      for (int i = 0; i < half; i++) {
        assertFalse(closed.next());
        closed.close();
        requireFirst(ascending, key.apply(0));
        assertTrue(up.next() && down.next());
        assertArrayEquals(key.apply(half + i), up.entry().key().toByteArray());
        assertArrayEquals(key.apply(half - 1 - i), down.entry().key().toByteArray());
      }
      assertFalse(up.next() || down.next());
    }
  }

  private static void requireFirst(Search ascending, byte[] key) throws StorageException {
    try (EntryCursor another = ascending.open(ALL, ALL)) {
      assertTrue(another.next());
      assertArrayEquals(key, another.entry().key().toByteArray());
    }
  }

  private static void requireLittleGarbage(Search search, IntFunction<byte[]> key)
      throws StorageException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    KeyBound bound = KeyBound.inclusive(key.apply(KEYS / 2));
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < SEARCHES; i++) {
      try (EntryCursor cursor = search.open(bound, bound)) {
        assertTrue(cursor.next());
      }
    }
    long bytes = (threads.getCurrentThreadAllocatedBytes() - before) / SEARCHES;
    assertTrue(bytes <= MOST_BYTES, () -> bytes + " bytes for a search");
  }
}
