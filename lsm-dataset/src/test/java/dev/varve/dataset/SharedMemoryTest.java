package dev.varve.dataset;

import static dev.varve.dataset.TestStore.causes;
import static dev.varve.dataset.TestStore.index;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.Seeds;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.scheduler.admission.MemoryPool;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Goal: datasets that share one memory take as much of it as is free, the largest is flushed for
 * whoever needs some, and every wait is accounted for. Method: virtual time, which moves only while
 * somebody waits.
 */
class SharedMemoryTest {
  private static final long POOL = 4 << 20;
  private static final long SECOND = 1_000_000_000L;

  private final TestStore store = TestStore.empty(5);

  private static EngineOptions.Builder options() {
    return TestStore.options()
        .sharedMemoryBytes(POOL)
        .activeDatasetBytes(64 << 10)
        .logRetentionBytes(64 << 20);
  }

  private static KeyValueStore create(StorageEngine engine, String name) throws StorageException {
    return engine.createKeyValueStore(
        name, KeyValueOptions.DEFAULTS.withMergePolicy(new MergePolicyOptions("none")));
  }

  private static void put(KeyValueSession session, int from, int to) throws StorageException {
    for (int i = from; i < to; i++) {
      TestStore.put(session, i);
    }
  }

  private static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  private static MemoryPool pool(StorageEngine engine) {
    return engine.parts().node().admission().pool();
  }

  @Test
  void theLargestIsFlushedForWhoeverNeedsMemory() throws StorageException {
    try (StorageEngine engine = store.open(options().build())) {
      KeyValueStore large = create(engine, "large");
      KeyValueStore small = create(engine, "small");
      try (KeyValueSession one = large.openSession();
          KeyValueSession two = small.openSession()) {
        put(one, 0, 2800);
        put(two, 0, 400);
        assertEquals(0, index(large).flushes() + index(small).flushes(), "there is enough");
        put(two, 400, 900);
        assertTrue(engine.awaitQuiet(60_000));
        assertEquals(1, index(large).flushes());
        assertEquals(0, index(small).flushes());
      }
      assertEquals(List.of(), causes(engine));
      assertEquals(POOL, large.stats().memoryBudgetBytes());
    }
  }

  @Test
  void writersWaitForAnyFlushWhenAllOfItIsTaken() throws StorageException {
    try (StorageEngine engine = store.open(options().ioBytesPerSecond(1_000_000).build())) {
      List<KeyValueSession> sessions = new ArrayList<>();
      for (int i = 0; i < 5; i++) {
        sessions.add(create(engine, "s" + i).openSession());
      }
      long begin = store.clock.nanoTime();
      long most = 0;
      for (int round = 0; round < 600; round++) {
        for (KeyValueSession session : sessions) {
          put(session, round * 5, round * 5 + 5);
          most = Math.max(most, pool(engine).takenBytes());
        }
      }
      long waited = store.clock.nanoTime() - begin;
      for (KeyValueSession session : sessions) {
        session.close();
      }
      assertTrue(most <= POOL + (1 << 20) + (64 << 10), "held " + most);
      assertTrue(waited > SECOND, "waited " + waited);
      assertEquals(List.of("MEMORY_BUDGET"), causes(engine));
      assertEquals(
          waited,
          engine.stats().stalls().get(0).totalNanos(),
          "the cause adds up to the time waited");
    }
  }

  @Test
  void aTransactionThatIsLargerThanTheMemoryIsRefused() throws StorageException {
    try (StorageEngine engine = store.open(options().build())) {
      KeyValueStore pairs = create(engine, "pairs");
      KeyValueStore other = create(engine, "other");
      try (KeyValueTransaction scope = pairs.beginTransaction()) {
        assertThrows(
            LimitException.class,
            () -> {
              for (int i = 0; i < 20_000; i++) {
                scope.upsert(slice("key " + i), new Slice(new byte[1000]));
              }
            });
      }
      // It was taken back, and nobody waits for what it held.
      try (KeyValueSession session = other.openSession()) {
        put(session, 0, 100);
      }
      assertTrue(engine.awaitQuiet(60_000));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void whatATransactionHoldsUpKeepsNobodyElseFromBeingFlushed() throws StorageException {
    try (StorageEngine engine = store.open(options().build())) {
      KeyValueStore held = create(engine, "held");
      KeyValueStore free = create(engine, "free");
      try (KeyValueTransaction scope = held.beginTransaction();
          KeyValueSession beside = held.openSession();
          KeyValueSession session = free.openSession()) {
        scope.upsert(slice("first"), new Slice(new byte[10]));
        put(beside, 0, 1000);
        put(session, 0, 12_000);
        assertTrue(index(free).flushes() > 2, free.stats().toString());
        scope.commit();
      }
      assertTrue(engine.awaitQuiet(60_000));
      assertEquals(List.of(), engine.verify().problems());
    }
  }

  @Test
  void recoveryKeepsToThePool() throws StorageException {
    EngineOptions options = options().build();
    TestStore left;
    try (StorageEngine engine = store.open(options)) {
      for (int i = 0; i < 30; i++) {
        try (KeyValueSession session = create(engine, "s" + i).openSession()) {
          put(session, 0, 100);
        }
      }
      left = new TestStore(store.files.crash(0, Seeds.random(1)), 1);
    }
    EngineOptions less = options().sharedMemoryBytes(1 << 20).build();
    try (StorageEngine engine = left.open(less)) {
      assertTrue(engine.stats().recovery().redoneOperations() > 1000);
      assertTrue(pool(engine).takenBytes() <= 1 << 20);
      for (int i = 0; i < 30; i++) {
        assertTrue(engine.keyValueStore("s" + i).get(slice("key 99"), new KeyValue()));
      }
      assertTrue(engine.awaitQuiet(60_000));
      assertEquals(0, pool(engine).takenBytes(), "what was redone is flushed without any write");
    }
  }

  @Test
  void datasetsThatAreDroppedLeaveThePool() throws StorageException {
    try (StorageEngine engine = store.open(options().build())) {
      KeyValueStore kept = create(engine, "kept");
      KeyValueStore dropped = create(engine, "dropped");
      try (KeyValueSession session = dropped.openSession()) {
        put(session, 0, 1000);
      }
      assertTrue(pool(engine).takenBytes() > 1_000_000);
      engine.drop("dropped");
      assertEquals(0, pool(engine).takenBytes());
      try (KeyValueSession session = kept.openSession()) {
        put(session, 0, 10_000);
      }
      assertTrue(engine.awaitQuiet(60_000));
    }
  }

  @Test
  void aPoolThatHoldsNoTwoRecordsIsRefused() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class,
            () -> TestStore.options().sharedMemoryBytes(60_000).build());
    assertEquals("sharedMemoryBytes 60000 is below 65536", refused.getMessage());
  }
}
