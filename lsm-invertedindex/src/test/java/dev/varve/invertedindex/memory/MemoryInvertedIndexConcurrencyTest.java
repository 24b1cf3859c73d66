package dev.varve.invertedindex.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.testkit.Seeds;
import dev.varve.invertedindex.TextModel;
import dev.varve.invertedindex.query.TextQuery;
import dev.varve.invertedindex.token.KeywordTokenizer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * Writers with documents of their own and readers on one index. Writers say how far they are; a
 * reader notes that before it searches, and then must find every document up to there that has the
 * words, in order, once each, and none that has not.
 */
class MemoryInvertedIndexConcurrencyTest {
  private static final long SEED = 42;
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int DOCUMENTS = 30_000;
  private static final int WORDS = 97;

  private final KeywordTokenizer tokenizer = new KeywordTokenizer();
  private final MemoryInvertedIndex index = new MemoryInvertedIndex(tokenizer);
  private final AtomicIntegerArray written = new AtomicIntegerArray(WRITERS);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** Words of a document: two that others have, too, and one that is its own. */
  private static String text(int writer, int number) {
    return "m" + number % WORDS + " n" + number % 13 + " own" + writer + "x" + number;
  }

  private static String primaryKey(int writer, int number) {
    // Not in the order in which they are written.
    return String.format("%05d-%d", Integer.reverse(number) >>> 16, writer * DOCUMENTS + number);
  }

  private interface Body {
    void run() throws StorageException;
  }

  private void guard(Body body) {
    try {
      body.run();
    } catch (StorageException | RuntimeException | AssertionError e) {
      e.printStackTrace(System.out);
      failure.compareAndSet(null, e);
    }
  }

  private void write(int writer) {
    for (int i = 0; i < DOCUMENTS; i++) {
      index.put(TextModel.entry(primaryKey(writer, i), text(writer, i)));
      written.set(writer, i + 1);
    }
  }

  private void read(RandomGenerator random) throws StorageException {
    boolean last = false;
    while (!last && failure.get() == null) {
      int[] before = new int[WRITERS];
      last = true;
      for (int i = 0; i < WRITERS; i++) {
        before[i] = written.get(i);
        last &= before[i] == DOCUMENTS;
      }
      int word = random.nextInt(WORDS);
      int other = random.nextInt(13);
      TextQuery query = TextQuery.allWords(tokenizer, "m" + word + " n" + other);
      Set<String> expected = new HashSet<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        for (int i = word; i < before[writer]; i += WORDS) {
          if (i % 13 == other) {
            expected.add(primaryKey(writer, i));
          }
        }
      }
      String previous = "";
      for (String found : primaryKeys(query)) {
        assertTrue(previous.compareTo(found) < 0, found);
        previous = found;
        expected.remove(found);
        int number = Integer.parseInt(found.substring(6)) % DOCUMENTS;
        assertEquals(word + " " + other, number % WORDS + " " + number % 13, found);
      }
      assertEquals(Set.of(), expected);
    }
  }

  @SuppressWarnings("MustBeClosedChecker") // closed by the model
  private List<String> primaryKeys(TextQuery query) throws StorageException {
    EntryCursor cursor = index.search(query);
    return TextModel.primaryKeys(cursor);
  }

  @Test
  void readersMeetEveryEarlierDocument() throws InterruptedException {
    long seed = Seeds.one(SEED);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < WRITERS; i++) {
      int writer = i;
      threads.add(new Thread(() -> guard(() -> write(writer))));
    }
    for (int i = 0; i < READERS; i++) {
      long readerSeed = seed + i;
      threads.add(new Thread(() -> guard(() -> read(Seeds.random(readerSeed)))));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertNull(failure.get(), () -> "a thread failed: " + failure.get());
    assertEquals((long) WRITERS * DOCUMENTS * 4, index.entryCount());
  }
}
