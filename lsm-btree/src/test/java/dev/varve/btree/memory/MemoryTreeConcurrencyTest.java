package dev.varve.btree.memory;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.btree.bound.KeyBound;
import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;
import dev.varve.common.testkit.Seeds;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Writers with a key set each and readers on one tree. Writers say how far they are; a reader notes
 * that before it opens a cursor, and then must meet all those keys, in order, once each, and every
 * value whole although writers keep replacing them.
 */
class MemoryTreeConcurrencyTest {
  private static final long SEED = 42;
  private static final int WRITERS = 3;
  private static final int READERS = 2;
  private static final int KEYS_PER_WRITER = 30_000;
  private static final int HEADER = 12;

  /** How the keys of the writers lie to each other. */
  enum Order {
    /** All over the tree. */
    SCATTERED {
      @Override
      byte[] key(int writer, int number) {
        byte[] key = new byte[12];
        long mixed = (number * (long) WRITERS + writer + 1) * 0x9E3779B97F4A7C15L;
        Bytes.putLongBigEndian(key, 0, mixed);
        Bytes.putInt(key, 8, number);
        return key;
      }
    },
    /** In the same few leaves, without order, so that heads tie until prefixes are cut. */
    CROWDED {
      @Override
      byte[] key(int writer, int number) {
        byte[] key = new byte[13];
        int scrambled = number * 7919 % KEYS_PER_WRITER;
        Bytes.putLongBigEndian(key, 5, scrambled * (long) WRITERS + writer);
        return key;
      }
    },
    /** Ascending, so that all writers are at the right edge. */
    ASCENDING {
      @Override
      byte[] key(int writer, int number) {
        byte[] key = new byte[13];
        Bytes.putLongBigEndian(key, 5, number * (long) WRITERS + writer);
        return key;
      }
    };

    abstract byte[] key(int writer, int number);
  }

  private final MemoryTree tree = new MemoryTree() {};
  private final AtomicIntegerArray written = new AtomicIntegerArray(WRITERS);
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  @ParameterizedTest
  @EnumSource(Order.class)
  void readersMeetEveryEarlierKeyInOrderAndWhole(Order order) throws InterruptedException {
    long seed = Seeds.one(SEED);
    List<Thread> threads = new ArrayList<>();
    for (int writer = 0; writer < WRITERS; writer++) {
      int number = writer;
      threads.add(new Thread(() -> guard(() -> write(order, number, seed))));
    }
    for (int reader = 0; reader < READERS; reader++) {
      boolean descending = reader % 2 == 1;
      threads.add(new Thread(() -> guard(() -> read(order, descending, seed))));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertNull(failure.get(), () -> "a thread failed: " + failure.get());
    assertEquals((long) WRITERS * KEYS_PER_WRITER, tree.entryCount());
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

  private void write(Order order, int writer, long seed) {
    RandomGenerator random = Seeds.random(seed + writer);
    for (int number = 0; number < KEYS_PER_WRITER && failure.get() == null; number++) {
      tree.put(entry(order, writer, number, random.nextInt(100)));
      written.set(writer, number + 1);
      if (number % 3 == 0) {
        tree.put(entry(order, writer, random.nextInt(number + 1), random.nextInt(100)));
      }
    }
  }

  private static Entry entry(Order order, int writer, int number, int version) {
    byte[] value = new byte[HEADER + version];
    Bytes.putInt(value, 0, writer);
    Bytes.putInt(value, 4, number);
    Bytes.putInt(value, 8, version);
    for (int i = HEADER; i < value.length; i++) {
      value[i] = (byte) version;
    }
    Entry entry = new Entry();
    entry.key().set(order.key(writer, number), 0, order.key(writer, number).length);
    entry.value().set(value, 0, value.length);
    return entry;
  }

  private void read(Order order, boolean descending, long seed) throws StorageException {
    Entry found = new Entry();
    RandomGenerator random = Seeds.random(seed);
    int before = 0;
    while (before < WRITERS * KEYS_PER_WRITER && failure.get() == null) {
      int[] progress = new int[WRITERS];
      before = 0;
      for (int writer = 0; writer < WRITERS; writer++) {
        progress[writer] = written.get(writer);
        before += progress[writer];
      }
      checkScan(progress, descending);
      for (int i = 0; i < 1000; i++) {
        int writer = random.nextInt(WRITERS);
        if (progress[writer] > 0) {
          int number = random.nextInt(progress[writer]);
          assertTrue(tree.find(new Slice(order.key(writer, number)), found));
          assertEquals(number, checkValue(found.value()));
        }
      }
    }
  }

  private void checkScan(int[] progress, boolean descending) throws StorageException {
    BitSet[] seen = new BitSet[WRITERS];
    for (int writer = 0; writer < WRITERS; writer++) {
      seen[writer] = new BitSet(KEYS_PER_WRITER);
    }
    KeyBound open = KeyBound.unbounded();
    Slice last = new Slice();
    boolean first = true;
    try (EntryCursor cursor =
        descending ? tree.descending(open, open) : tree.ascending(open, open)) {
      while (cursor.next()) {
        Slice key = cursor.entry().key();
        int order = first ? 1 : key.compareBytes(last);
        assertTrue(first || (descending ? order < 0 : order > 0), "keys out of order");
        first = false;
        last.copyOf(key);
        Slice value = cursor.entry().value();
        int number = checkValue(value);
        seen[Bytes.getInt(value.bytes(), value.offset())].set(number);
      }
    }
    for (int writer = 0; writer < WRITERS; writer++) {
      int missing = seen[writer].nextClearBit(0);
      assertTrue(missing >= progress[writer], "key " + missing + " of writer " + writer);
    }
  }

  /** Checks that a value is one that was written, and returns the number of its key. */
  private static int checkValue(Slice value) {
    int version = Bytes.getInt(value.bytes(), value.offset() + 8);
    assertEquals(HEADER + version, value.length());
    for (int i = HEADER; i < value.length(); i++) {
      assertEquals((byte) version, value.bytes()[value.offset() + i]);
    }
    return Bytes.getInt(value.bytes(), value.offset() + 4);
  }
}
