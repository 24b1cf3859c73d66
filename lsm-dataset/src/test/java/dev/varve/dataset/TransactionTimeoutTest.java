package dev.varve.dataset;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.Worker;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.function.Executable;

/**
 * Goal: a transaction that is left open is named wherever one asks what keeps the log, and is ended
 * after its time, whatever its owner is doing, with nothing of it left and a typed error for the
 * owner. Method: virtual time; the watchdog runs while the owner waits.
 */
final class TransactionTimeoutTest {
  private static final long SECOND = 1_000_000_000L;

  private static final KeyValueOptions SMALL = KeyValueOptions.DEFAULTS.withMemoryBytes(1 << 20);

  private final TestStore store = TestStore.empty(23);
  private final EngineOptions options =
      TestStore.options().transactionTimeoutMillis(60_000).lockTimeoutMillis(200_000).build();

  private static Slice slice(String text) {
    return new Slice(TestStore.bytes(text));
  }

  private static void timedOut(Executable call) {
    ConflictException e = assertThrows(ConflictException.class, call);
    assertEquals(ConflictException.Reason.TRANSACTION_TIMED_OUT, e.reason(), e.getMessage());
    assertTrue(e.getMessage().contains("60000 ms"), e.getMessage());
  }

  @Test
  void anIdleTransactionIsNamedAndThenEnded() throws StorageException {
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore idle = engine.createKeyValueStore("idle", SMALL);
      KeyValueStore busy = engine.createKeyValueStore("busy", SMALL);
      KeyValueTransaction transaction = idle.beginTransaction();
      transaction.upsert(slice("a"), slice("1"));
      try (KeyValueSession session = busy.openSession()) {
        for (int i = 0; i < 50; i++) {
          TestStore.put(session, i);
        }
      }
      store.executor.runForNanos(30 * SECOND);
      assertTrue(transaction.active());
      isNamed(engine);

      store.executor.runForNanos(31 * SECOND);
      assertFalse(transaction.active());
      assertEquals("", engine.stats().log().holder());
      assertEquals(List.of(), engine.waits().transactions());
      try (KeyValueSession session = idle.openSession()) {
        assertFalse(session.get(slice("a"), new KeyValue()), "taken back");
        session.insert(slice("a"), slice("2"));
      }
      timedOut(() -> transaction.insert(slice("b"), slice("1")));
      timedOut(() -> transaction.upsert(slice("b"), slice("1")));
      timedOut(() -> transaction.delete(slice("a")));
      timedOut(() -> transaction.get(slice("a"), new KeyValue()));
      timedOut(() -> transaction.getForUpdate(slice("a"), new KeyValue()));
      timedOut(transaction::commit);
      transaction.abort();
      transaction.close();
    }
  }

  private void isNamed(StorageEngine engine) throws StorageException {
    List<WaitReport.OpenTransaction> open = engine.waits().transactions();
    assertEquals(1, open.size());
    assertTrue(open.get(0).dataset().contains("idle"), open::toString);
    assertEquals(30, open.get(0).seconds(), 0.1);
    assertTrue(open.get(0).logBytes() > 50_000, open::toString);
    assertEquals(open.get(0).toString(), engine.stats().log().holder());
    Optional<String> shown = EngineInspection.running(store.files, TestStore.ROOT);
    assertTrue(shown.isPresent(), "the watchdog shows it to other processes");
    assertTrue(shown.get().contains("\"transactions\":[{\"id\":"), shown.get());
  }

  @Test
  void anEndedTransactionHoldsNoLog() throws StorageException {
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", SMALL);
      KeyValueTransaction transaction = pairs.beginTransaction();
      transaction.upsert(slice("a"), slice("1"));
      store.executor.runForNanos(61 * SECOND);
      try (KeyValueSession session = pairs.openSession()) {
        TestStore.put(session, 1);
      }
      pairs.flush();
      assertTrue(engine.awaitQuiet(10_000));
      EngineStats.LogSummary log = engine.stats().log();
      assertEquals(log.endLsn(), log.lowWaterMark());
      transaction.close();
    }
  }

  @Test
  void oneInTheMiddleOfAnOperationIsEndedByItsOwnersNextCall() throws StorageException {
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", SMALL);
      KeyValueTransaction transaction = pairs.beginTransaction();
      transaction.upsert(slice("a"), slice("1"));
      KeyValueSession other = pairs.openSession();
      other.put(slice("b"), slice("other"));
      AtomicBoolean activeWhileWaiting = new AtomicBoolean();
      AtomicReference<StorageException> failure = new AtomicReference<>();
      store.executor.start(
          new OneStep(
              90 * SECOND,
              () -> {
                activeWhileWaiting.set(transaction.active());
                try {
                  other.force();
                } catch (StorageException e) {
                  failure.set(e);
                }
              }));
      // Waits for the lock of the other for 90 s, of which the watchdog sees the last 30.
      transaction.upsert(slice("b"), slice("1"));
      assertEquals(null, failure.get());
      assertTrue(activeWhileWaiting.get(), "nothing is taken away from under an operation");
      timedOut(transaction::commit);
      other.close();
      try (KeyValueSession session = pairs.openSession()) {
        assertFalse(session.get(slice("a"), new KeyValue()));
        KeyValue found = new KeyValue();
        assertTrue(session.get(slice("b"), found));
        assertTrue(found.value().sameBytes(slice("other")));
        session.put(slice("a"), slice("2"));
      }
      transaction.close();
    }
  }

  /** Runs something once, after some time. */
  private static final class OneStep implements Worker {
    private final Runnable step;
    private long napNanos;
    private int steps;

    OneStep(long napNanos, Runnable step) {
      this.napNanos = napNanos;
      this.step = step;
    }

    @Override
    public String name() {
      return "one-step";
    }

    @Override
    public int doWork() {
      if (++steps == 2) {
        napNanos = Long.MAX_VALUE;
        step.run();
      }
      return 0;
    }

    @Override
    public long napNanos() {
      return napNanos;
    }

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
    }
  }

  @Test
  void withoutATimeoutATransactionStaysOpen() throws StorageException {
    try (StorageEngine engine =
        store.open(TestStore.options().transactionTimeoutMillis(0).build())) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", SMALL);
      KeyValueTransaction transaction = pairs.beginTransaction();
      transaction.upsert(slice("a"), slice("1"));
      store.executor.runForNanos(10_000 * SECOND);
      transaction.commit();
      try (KeyValueSession session = pairs.openSession()) {
        assertTrue(session.get(slice("a"), new KeyValue()));
      }
    }
  }

  @Test
  void anInterruptIsNamedAndStaysSetAndDoesNothing() throws StorageException {
    try (StorageEngine engine = store.open(options)) {
      KeyValueStore pairs = engine.createKeyValueStore("pairs", SMALL);
      try (KeyValueSession one = pairs.openSession();
          KeyValueSession other = pairs.openSession()) {
        one.put(slice("a"), slice("1"));
        Thread.currentThread().interrupt();
        ConflictException e =
            assertThrows(ConflictException.class, () -> other.put(slice("a"), slice("2")));
        assertTrue(Thread.interrupted(), "the flag stays set");
        assertEquals(ConflictException.Reason.INTERRUPTED, e.reason());
        // A wait for the disk is short, and goes on.
        Thread.currentThread().interrupt();
        one.force();
        assertTrue(Thread.interrupted());
        other.put(slice("a"), slice("2"));
      }
    }
  }

  @Test
  void whoWaitsForTheTurnIsToldOfAnInterruptAndNotThatTheEngineIsClosed() {
    Mutex mutex = new Mutex(store.executor);
    assertThrowsNothing(mutex);
    Thread.currentThread().interrupt();
    ConflictException e = assertThrows(ConflictException.class, mutex::acquire);
    assertTrue(Thread.interrupted());
    assertEquals(ConflictException.Reason.INTERRUPTED, e.reason());
    mutex.release();
    assertThrowsNothing(mutex);
  }

  private static void assertThrowsNothing(Mutex mutex) {
    try {
      mutex.acquire();
    } catch (ConflictException e) {
      throw new AssertionError(e);
    }
  }
}
