package dev.varve.transaction;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.transaction.log.LogCursor;
import dev.varve.transaction.log.LogFixtures;
import dev.varve.transaction.log.LogOperation;
import dev.varve.transaction.log.LogOptions;
import dev.varve.transaction.log.TransactionLog;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Goal: what a transaction logs, undoes and holds back. Method: one thread, simulated disk. */
final class TransactionTest {
  private final FaultyFileSystem files = new FaultyFileSystem(new MemoryFileSystem());
  private TransactionLog log;
  private TransactionTable table;

  @BeforeEach
  void open() throws StorageException {
    SteppedExecutor executor = new SteppedExecutor(new ManualClock(), 1);
    LogOptions options = LogOptions.DEFAULTS.withSegmentBytes(4096).withMaxRecordBytes(1024);
    log = LogFixtures.create(LogFixtures.context(files, executor), options);
    table = new TransactionTable(log, 100);
  }

  @AfterEach
  void close() throws StorageException {
    log.close();
    files.assertNothingOpen();
  }

  private static long insert(Transaction transaction, int index, String text)
      throws StorageException {
    Slice slice = LogFixtures.slice(text);
    return transaction.update(index, LogOperation.INSERT, slice, slice);
  }

  private List<String> logged() throws StorageException {
    try (LogCursor cursor = log.read(0)) {
      return LogFixtures.drain(cursor);
    }
  }

  @Test
  void recordsOfATransactionAreChained() throws StorageException {
    try (Transaction one = table.open();
        Transaction two = table.open()) {
      one.begin();
      two.begin();
      long first = insert(one, 1, "a");
      long other = insert(two, 1, "b");
      long second = insert(one, 2, "c");
      assertEquals(first, one.firstLsn());
      assertEquals(second, one.lastLsn());
      long commit = one.commit();
      long otherCommit = two.commit();
      assertEquals(
          List.of(
              first + " UPDATE t100 <-1 i1 INSERT a = a",
              other + " UPDATE t101 <-1 i1 INSERT b = b",
              second + " UPDATE t100 <" + first + " i2 INSERT c = c",
              commit + " COMMIT t100 <" + second,
              otherCommit + " COMMIT t101 <" + other),
          logged());
      assertEquals(Transaction.State.COMMITTED, one.state());
    }
  }

  @Test
  void aTransactionOfOneOperationIsOneRecordAndActiveUntilItIsApplied() throws StorageException {
    Slice slice = LogFixtures.slice("a");
    try (Transaction transaction = table.open()) {
      long lsn = transaction.commitAlone(1, LogOperation.UPSERT, slice, slice);
      assertEquals(List.of(lsn + " LONE_UPDATE i1 UPSERT a = a"), logged());
      assertEquals(lsn, table.oldestFirstLsn(), "the log is needed until the memory has it");
      assertThrows(IllegalStateException.class, transaction::begin);
      transaction.applied();
      assertEquals(Transaction.State.COMMITTED, transaction.state());
      assertEquals(Long.MAX_VALUE, table.oldestFirstLsn());

      transaction.begin();
      insert(transaction, 1, "b");
      assertThrows(
          IllegalStateException.class,
          () -> transaction.commitAlone(1, LogOperation.UPSERT, slice, slice));
      transaction.commit();
    }
  }

  @Test
  void aCommittedOperationThatWasNotAppliedHoldsTheLogForEver() throws StorageException {
    Slice slice = LogFixtures.slice("a");
    long lsn;
    try (Transaction transaction = table.open()) {
      lsn = transaction.commitAlone(1, LogOperation.UPSERT, slice, slice);
    }
    assertEquals(lsn, table.oldestFirstLsn());
  }

  @Test
  void anAbortAppliesInversesFromTheLastToTheFirst() throws StorageException {
    List<String> undone = new ArrayList<>();
    try (Transaction transaction = table.open()) {
      transaction.begin();
      long lsn = insert(transaction, 1, "a");
      for (int i = 0; i < 300; i++) {
        transaction.willUndo(
            i, LogOperation.DELETE, LogFixtures.slice("key" + i), LogFixtures.slice("v".repeat(i)));
      }
      assertEquals(300, transaction.undoSize());
      transaction.abort(
          (index, operation, key, value) -> {
            undone.add(index + " " + operation + " " + text(key));
            assertEquals(index, value.length());
          });
      assertEquals(300, undone.size());
      assertEquals("299 DELETE key299", undone.get(0));
      assertEquals("0 DELETE key0", undone.get(299));
      assertEquals(Transaction.State.ABORTED, transaction.state());
      assertEquals(0, transaction.undoSize());
      assertTrue(logged().get(1).endsWith("ABORT t100 <" + lsn));
    }
  }

  private static String text(Slice slice) {
    return new String(slice.toByteArray(), StandardCharsets.UTF_8);
  }

  @Test
  void oneObjectServesManyTransactionsInTurn() throws StorageException {
    try (Transaction transaction = table.open()) {
      for (int i = 0; i < 5; i++) {
        transaction.begin();
        assertEquals(100 + i, transaction.id());
        insert(transaction, 1, "a");
        transaction.willUndo(1, LogOperation.DELETE, LogFixtures.slice("a"), new Slice());
        transaction.commit();
        assertEquals(0, transaction.undoSize());
      }
      assertEquals(105, table.nextTransaction());
    }
  }

  @Test
  void aTransactionThatLoggedNothingEndsWithoutARecord() throws StorageException {
    try (Transaction transaction = table.open()) {
      assertEquals(-1, transaction.begin().commit());
      transaction.begin();
      transaction.abort((index, operation, key, value) -> {});
      assertEquals(0, log.endLsn());
    }
  }

  @Test
  void activeTransactionsHoldTheLowWaterMarkBack() throws StorageException {
    try (Transaction one = table.open();
        Transaction two = table.open()) {
      assertEquals(Long.MAX_VALUE, table.oldestFirstLsn());
      two.begin();
      long first = insert(two, 1, "a");
      insert(two, 1, "b");
      one.begin();
      long later = insert(one, 1, "c");
      assertEquals(2, table.active());
      assertEquals(first, table.oldestFirstLsn());
      two.commit();
      assertTrue(table.oldestFirstLsn() > first);
      assertTrue(table.oldestFirstLsn() <= later);
      one.commit();
      assertEquals(Long.MAX_VALUE, table.oldestFirstLsn());
      assertEquals(0, table.active());
    }
  }

  @Test
  void aTransactionIsAbortedEvenWhenTheLogTakesNoMore() throws StorageException {
    List<String> undone = new ArrayList<>();
    try (Transaction transaction = table.open()) {
      transaction.begin();
      insert(transaction, 1, "a");
      transaction.willUndo(1, LogOperation.DELETE, LogFixtures.slice("a"), new Slice());
      files.setPlan("put * 1 EIO; write * 1 EIO");
      assertThrows(DiskException.class, () -> insert(transaction, 1, "b"));
      transaction.abort((index, operation, key, value) -> undone.add(text(key)));
      assertEquals(List.of("a"), undone);
      assertEquals(Transaction.State.ABORTED, transaction.state());
    }
  }

  @Test
  void misuseIsRefused() throws StorageException {
    try (Transaction transaction = table.open()) {
      assertThrows(IllegalStateException.class, transaction::commit);
      transaction.begin();
      assertThrows(IllegalStateException.class, transaction::begin);
      assertThrows(IllegalStateException.class, transaction::close);
      transaction.commit();
      assertThrows(IllegalStateException.class, () -> insert(transaction, 1, "late"));
    }
  }
}
