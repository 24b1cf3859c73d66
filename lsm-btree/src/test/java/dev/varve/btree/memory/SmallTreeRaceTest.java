package dev.varve.btree.memory;

import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/**
 * Races that a large tree hides: the first leaf filling up from the front, so that every put moves
 * every slot, and the root splitting under a reader. Many small trees, one writer and one reader.
 */
class SmallTreeRaceTest {
  private static final int TREES = 3000;
  private static final int KEYS = 3 * Node.FAN_OUT;

  /** One tree, and how many of its keys are in it. */
  private static final class Round {
    final MemoryTree tree = new MemoryTree() {};
    volatile int written;
  }

  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private volatile Round round = new Round();
  private volatile boolean done;

  /** Keys fall, so that the newest is always in front. */
  private static byte[] key(int number) {
    byte[] key = new byte[8];
    Bytes.putLongBigEndian(key, 0, KEYS - number);
    return key;
  }

  @Test
  void aReaderNeverMissesAKeyOfATreeThatIsGrowing() throws InterruptedException {
    Thread reader =
        new Thread(
            () -> {
              try {
                while (!done) {
                  check(round);
                }
              } catch (StorageException | RuntimeException | AssertionError e) {
                failure.set(e);
              }
            });
    reader.start();
    for (int i = 0; i < TREES && failure.get() == null; i++) {
      Round next = new Round();
      round = next;
      for (int number = 0; number < KEYS; number++) {
        Entry entry = new Entry();
        entry.key().set(key(number), 0, 8);
        next.tree.put(entry);
        next.written = number + 1;
      }
    }
    done = true;
    reader.join();
    assertNull(failure.get(), () -> "the reader failed: " + failure.get());
  }

  private static void check(Round current) throws StorageException {
    Entry found = new Entry();
    int written = current.written;
    if (written == 0) {
      return;
    }
    assertTrue(current.tree.find(new Slice(key(0)), found), "the highest key is missing");
    assertTrue(current.tree.find(new Slice(key(written - 1)), found), "the newest key is missing");
    int expected = KEYS;
    KeyBound lowest = KeyBound.inclusive(key(written - 1));
    try (EntryCursor cursor = current.tree.descending(lowest, KeyBound.unbounded())) {
      for (; cursor.next(); expected--) {
        Slice key = cursor.entry().key();
        long number = Bytes.getLongBigEndian(key.bytes(), key.offset());
        assertTrue(number == expected, "key " + expected + " is missing before " + number);
      }
    }
    assertTrue(expected == KEYS - written, "keys from " + expected + " down are missing");
  }
}
