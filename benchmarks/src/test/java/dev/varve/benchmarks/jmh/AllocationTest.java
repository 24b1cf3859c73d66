package dev.varve.benchmarks.jmh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.management.ThreadMXBean;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.dataset.model.WriteOutcome;
import java.lang.management.ManagementFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Goal: on the paths of a point read and of a write, from the caller to the structures and back,
 * nothing is allocated for an operation but what stays. Method: the bytes that the JVM says the
 * thread allocated over 100,000 operations, after as many to warm up. A write may allocate what its
 * memory component grows by. The module's tests run without the pins that the page cache makes for
 * each use when its assertions are on (pom.xml).
 */
class AllocationTest {
  private static final int OPERATIONS = 100_000;

  /** Keys of a store that is filled before: some for the warm-up of a write, some for the rest. */
  private static final int KEYS = 2 * OPERATIONS;

  /** Most bytes for a read: what is allocated once in a while and not for each. */
  private static final double READ_BYTES = 0.1;

  /** Most bytes for a write beyond the growth of its memory component. */
  private static final double WRITE_BYTES = 1;

  private final ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private final Entry entry = Keys.newEntry();
  private final Slice key = new Slice(new byte[Keys.KEY_BYTES]);
  private final KeyValue found = new KeyValue();
  private StoreFixture fixture;
  private KeyValueStore store;

  /** One operation on the key with a number. */
  private interface Operation {
    void run(int number) throws StorageException;
  }

  @BeforeEach
  void open() throws StorageException {
    fixture = new StoreFixture();
    store = fixture.store();
  }

  @AfterEach
  void close() throws StorageException {
    fixture.close();
  }

  @Test
  void aGetFromMemoryAllocatesNothing() throws StorageException {
    fill();
    assertReadsAllocateNothing(this::get);
  }

  @Test
  void aGetFromDiskAllocatesNothing() throws StorageException {
    fillDisk();
    assertReadsAllocateNothing(this::get);
  }

  @Test
  void aGetFromOneOfSeveralComponentsAllocatesNothing() throws StorageException {
    for (int component = 0; component < 4; component++) {
      try (KeyValueSession session = store.openSession()) {
        for (int number = component; number < KEYS; number += 4) {
          Keys.spread(entry.key().bytes(), number, KEYS);
          session.upsert(entry.key(), entry.value());
        }
      }
      store.flush();
    }
    assertReadsAllocateNothing(this::get);
  }

  @Test
  void aGetOfAnAbsentKeyAllocatesNothing() throws StorageException {
    fillDisk();
    assertReadsAllocateNothing(this::getAbsent);
  }

  @Test
  void aGetThroughASessionAllocatesNothing() throws StorageException {
    fill();
    try (KeyValueSession session = store.openSession()) {
      assertReadsAllocateNothing(
          number -> {
            Keys.spread(key.bytes(), number, KEYS);
            check(session.get(key, found));
          });
    }
  }

  @Test
  void aPutAllocatesWhatItsComponentKeeps() throws StorageException {
    try (KeyValueSession session = store.openSession()) {
      assertWritesAllocateWhatStays(
          number -> {
            Keys.random(entry.key().bytes(), number);
            session.put(entry.key(), entry.value());
            session.force();
          });
    }
  }

  @Test
  void aRemovalAllocatesWhatItsComponentKeeps() throws StorageException {
    try (KeyValueSession session = store.openSession()) {
      assertWritesAllocateWhatStays(
          number -> {
            Keys.random(key.bytes(), number);
            session.remove(key);
            session.force();
          });
    }
  }

  @Test
  void anInsertAllocatesWhatItsComponentKeeps() throws StorageException {
    try (KeyValueSession session = store.openSession()) {
      assertWritesAllocateWhatStays(
          number -> {
            Keys.random(entry.key().bytes(), number);
            session.insert(entry.key(), entry.value());
            session.force();
          });
    }
  }

  @Test
  void anUpsertAllocatesWhatItsComponentKeeps() throws StorageException {
    try (KeyValueSession session = store.openSession()) {
      assertWritesAllocateWhatStays(
          number -> {
            Keys.random(entry.key().bytes(), number);
            check(session.upsert(entry.key(), entry.value()) == WriteOutcome.ABSENT);
            session.force();
          });
    }
  }

  @Test
  void anUpsertOfAPairOnDiskAllocatesWhatItsComponentKeeps() throws StorageException {
    fillDisk();
    try (KeyValueSession session = store.openSession()) {
      assertWritesAllocateWhatStays(
          number -> {
            Keys.spread(entry.key().bytes(), number, KEYS);
            check(session.upsert(entry.key(), entry.value()) == WriteOutcome.PRESENT);
            session.force();
          });
    }
  }

  @Test
  void aDeletionAllocatesWhatItsComponentKeeps() throws StorageException {
    fillDisk();
    try (KeyValueSession session = store.openSession()) {
      assertWritesAllocateWhatStays(
          number -> {
            Keys.spread(key.bytes(), number, KEYS);
            check(session.delete(key) == WriteOutcome.PRESENT);
            session.force();
          });
    }
  }

  @Test
  void aBatchOfUpsertsAllocatesWhatItsComponentKeeps() throws StorageException {
    try (KeyValueSession session = store.openSession()) {
      assertWritesAllocateWhatStays(
          number -> {
            Keys.random(entry.key().bytes(), number);
            session.upsert(entry.key(), entry.value());
            if (number % 1000 == 999) {
              session.force();
            }
          });
    }
  }

  private void fill() throws StorageException {
    try (KeyValueSession session = store.openSession()) {
      for (int number = 0; number < KEYS; number++) {
        Keys.spread(entry.key().bytes(), number, KEYS);
        session.upsert(entry.key(), entry.value());
        session.force();
      }
    }
  }

  /** Fills the store, and the cache with all of its pages. */
  private void fillDisk() throws StorageException {
    fill();
    store.compact();
    for (int number = 0; number < KEYS; number++) {
      get(number);
    }
  }

  private void get(int number) throws StorageException {
    Keys.spread(key.bytes(), number, KEYS);
    check(store.get(key, found));
  }

  private void getAbsent(int number) throws StorageException {
    Keys.absent(key.bytes(), number, KEYS);
    check(!store.get(key, found));
  }

  /** An assertion that allocates nothing when it holds. */
  private static void check(boolean holds) {
    if (!holds) {
      throw new AssertionError();
    }
  }

  private void assertReadsAllocateNothing(Operation operation) throws StorageException {
    run(operation, 0);
    long before = threads.getCurrentThreadAllocatedBytes();
    run(operation, 0);
    double bytes = perOperation(threads.getCurrentThreadAllocatedBytes() - before);
    assertTrue(bytes < READ_BYTES, () -> bytes + " bytes for a read");
  }

  private void assertWritesAllocateWhatStays(Operation operation) throws StorageException {
    run(operation, 0);
    long keptBefore = memoryBytes();
    long before = threads.getCurrentThreadAllocatedBytes();
    run(operation, OPERATIONS);
    long allocated = threads.getCurrentThreadAllocatedBytes() - before;
    double kept = perOperation(memoryBytes() - keptBefore);
    double bytes = perOperation(allocated);
    assertTrue(bytes < kept + WRITE_BYTES, () -> bytes + " bytes for a write, " + kept + " kept");
  }

  private static double perOperation(long bytes) {
    return (double) bytes / OPERATIONS;
  }

  /** Bytes of the one memory component that there is. */
  private long memoryBytes() throws StorageException {
    PartitionStats partition = store.stats().partitions().get(0);
    assertEquals(1, partition.indexes().size());
    return partition.indexes().get(0).memoryBytes();
  }

  private static void run(Operation operation, int first) throws StorageException {
    for (int number = first; number < first + OPERATIONS; number++) {
      operation.run(number);
    }
  }
}
