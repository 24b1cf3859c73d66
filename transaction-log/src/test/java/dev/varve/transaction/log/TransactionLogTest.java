package dev.varve.transaction.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.FileCall;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SteppedExecutor;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what is appended is read back, under the LSN that the append returned, over any number of
 * segments. Method: one thread on a simulated disk; nothing may be left open.
 */
final class TransactionLogTest {
  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final FaultyFileSystem files = new FaultyFileSystem(disk);
  private final SteppedExecutor executor = new SteppedExecutor(new ManualClock(), 1);
  private final LogContext context = LogFixtures.context(files, executor);

  @AfterEach
  void nothingIsLeftOpen() {
    files.assertNothingOpen();
  }

  @Test
  void anLsnIsTheByteOffsetInTheStreamOfRecords() throws StorageException {
    try (TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL)) {
      assertEquals(0, log.endLsn());
      assertEquals(0, LogFixtures.insert(log, 1, "one"));
      long second = LogFixtures.updateBytes("one");
      assertEquals(second, log.endLsn());
      assertEquals(second, log.appendCommit(1, 0));
      assertEquals(second + 44, log.appendAbort(2, -1));
      assertEquals(second + 44 + 36, log.endLsn());
    }
  }

  @Test
  void recordsAreReadBackAsWritten() throws StorageException {
    try (TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL)) {
      long first = LogFixtures.insert(log, 7, "one");
      long second =
          log.appendUpdate(
              new LogUpdate()
                  .transaction(7)
                  .previousLsn(first)
                  .change(-5, LogOperation.DELETE)
                  .entry(LogFixtures.slice("k"), new Slice()));
      long third = log.appendCommit(7, second);
      long fourth = log.appendAbort(8, -1);
      try (LogCursor cursor = log.read(0)) {
        assertEquals(
            List.of(
                "0 UPDATE t7 <-1 i1 INSERT key one = value one",
                second + " UPDATE t7 <0 i-5 DELETE k = ",
                third + " COMMIT t7 <" + second,
                fourth + " ABORT t8 <-1"),
            LogFixtures.drain(cursor));
      }
      try (LogCursor cursor = log.read(second + 1)) {
        assertTrue(cursor.next());
        assertEquals(third, cursor.record().lsn());
      }
    }
  }

  @Test
  void theStreamGoesOnAcrossSegmentsAndRecordsNeverSpanThem() throws StorageException {
    List<String> expected = new ArrayList<>();
    try (TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL)) {
      for (int i = 0; i < 100; i++) {
        String text = "x".repeat(i * 7 % 190);
        long lsn = LogFixtures.insert(log, i, text);
        expected.add(lsn + " UPDATE t" + i + " <-1 i1 INSERT key " + text + " = value " + text);
      }
      assertTrue(log.stats().segments() > 20);
      try (LogCursor cursor = log.read(0)) {
        assertEquals(expected, LogFixtures.drain(cursor));
      }
    }
    assertEquals(expected, LogFixtures.read(context, LogFixtures.start()));
  }

  @Test
  void largeRecordsAreNotAssembledAndStillWhole() throws StorageException {
    byte[] value = new byte[3_000_000];
    for (int i = 0; i < value.length; i++) {
      value[i] = (byte) (i * 31);
    }
    LogOptions options =
        LogOptions.DEFAULTS.withSegmentBytes(4 << 20).withMaxRecordBytes(3_500_000);
    try (TransactionLog log = LogFixtures.create(context, options)) {
      LogFixtures.insert(log, 1, "small");
      for (int i = 0; i < 3; i++) {
        log.appendUpdate(
            new LogUpdate()
                .transaction(2)
                .change(1, LogOperation.UPSERT)
                .entry(LogFixtures.slice("large"), new Slice(value, i, value.length - i)));
      }
      LogFixtures.insert(log, 3, "after");
      try (LogCursor cursor = log.read(0)) {
        assertTrue(cursor.next());
        for (int i = 0; i < 3; i++) {
          assertTrue(cursor.next());
          assertTrue(cursor.record().value().sameBytes(new Slice(value, i, value.length - i)));
        }
        assertTrue(cursor.next());
        assertFalse(cursor.next());
      }
    }
  }

  @Test
  void aRecordOverTheLimitIsRefusedAndLeavesNothing() throws StorageException {
    LogOptions options = LogFixtures.SMALL.withMaxRecordBytes(200);
    try (TransactionLog log = LogFixtures.create(context, options)) {
      LogUpdate atLimit =
          new LogUpdate()
              .change(1, LogOperation.INSERT)
              .entry(new Slice(new byte[100]), new Slice(new byte[56]));
      log.appendUpdate(atLimit);
      assertEquals(200, log.endLsn());
      atLimit.entry(new Slice(new byte[100]), new Slice(new byte[57]));
      LimitException refused = assertThrows(LimitException.class, () -> log.appendUpdate(atLimit));
      assertEquals("log record bytes: 201, at most 200", refused.getMessage());
      assertEquals(200, log.endLsn());
    }
  }

  @Test
  void forceMovesTheDurableLsnBehindTheRecord() throws StorageException {
    try (TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL)) {
      long lsn = LogFixtures.insert(log, 1, "one");
      assertEquals(0, log.durableLsn());
      log.force(lsn);
      assertEquals(log.endLsn(), log.durableLsn());
      long forces = log.stats().forces();
      log.force(lsn);
      log.force(-1);
      assertEquals(forces, log.stats().forces(), "what is durable is not forced again");
    }
  }

  @Test
  void commitsThatDoNotWaitAreForcedInTheBackground() throws StorageException {
    try (TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL)) {
      executor.runUntilIdle();
      LogFixtures.insert(log, 1, "one");
      log.await(log.appendCommit(1, 0), Durability.NONE);
      executor.runForNanos(1_000_000_000);
      assertEquals(0, log.durableLsn(), "nobody asked");
      log.await(log.appendCommit(2, -1), Durability.PROCESS_CRASH);
      executor.runUntilIdle();
      assertEquals(0, log.durableLsn(), "others may join before the nap is over");
      executor.runForNanos(5_000_000_000L);
      assertEquals(log.endLsn(), log.durableLsn());
    }
    try (TransactionLog log =
        TransactionLog.open(
            context,
            LogFixtures.SMALL.withBackgroundForceBytes(100),
            LogFixtures.end(context, LogFixtures.start()))) {
      executor.runUntilIdle();
      log.await(LogFixtures.insert(log, 1, "x".repeat(100)), Durability.PROCESS_CRASH);
      log.await(log.appendCommit(1, -1), Durability.PROCESS_CRASH);
      executor.runUntilIdle();
      assertEquals(log.endLsn(), log.durableLsn(), "many bytes do not wait for the nap");
    }
  }

  @Test
  void releasedSegmentsAreReusedAndTheRestDeleted() throws StorageException {
    LogOptions options = LogFixtures.SMALL.withRecycledSegments(2);
    try (TransactionLog log = LogFixtures.create(context, options)) {
      for (int i = 0; i < 200; i++) {
        long lsn = LogFixtures.insert(log, i, "some text");
        if (i % 50 == 49) {
          log.force(lsn);
          log.release(lsn);
          assertTrue(log.stats().segments() <= 2);
        }
      }
      assertTrue(log.stats().segmentsRecycled() > 4);
      executor.runUntilIdle();
      assertTrue(files.list(LogFixtures.DIRECTORY).size() <= 5);
      List<String> rest;
      LogPosition position = log.position(log.endLsn());
      LogFixtures.insert(log, 1000, "last");
      try (LogCursor cursor = LogCursor.open(context, position)) {
        rest = LogFixtures.drain(cursor);
      }
      assertEquals(1, rest.size());
      assertThrows(IllegalArgumentException.class, () -> log.read(0));
    }
  }

  @Test
  void aCopyHasNoSegmentThatWasReleasedAndWaitsForItsNextUse() throws StorageException {
    Path target = Path.of("/store/copy");
    files.createDirectories(target);
    LogOptions options = LogFixtures.SMALL.withRecycledSegments(4);
    try (TransactionLog log = LogFixtures.create(context, options)) {
      long mark = 0;
      for (int i = 0; i < 60; i++) {
        long lsn = LogFixtures.insert(log, i, "some text");
        mark = i == 30 ? lsn : mark;
      }
      LogPosition position = log.position(mark);
      int before = log.stats().segments();
      log.force(log.endLsn() - 1);
      log.release(mark);
      int segments = log.stats().segments();
      assertTrue(segments < before, "nothing was released");
      long end = LogCopy.copy(context, log, target);
      assertEquals(log.endLsn(), end);
      assertEquals(segments + 1, files.list(target).size(), "segments and force marks");
      List<String> copied;
      LogContext copy = new LogContext(files, executor, target, LogFixtures.STORE);
      try (LogCursor cursor = LogCursor.open(copy, position)) {
        copied = LogFixtures.drain(cursor);
        assertEquals(end, cursor.end().lsn());
      }
      try (LogCursor cursor = log.read(mark)) {
        // A cursor from a position begins with its segment, one from an LSN there.
        List<String> expected = LogFixtures.drain(cursor);
        int surplus = copied.size() - expected.size();
        assertEquals(expected, copied.subList(surplus, copied.size()));
      }
    }
  }

  @Test
  void segmentsAreTouchedBeforeTheirUseOnlyWhileNobodyForces() throws StorageException {
    AtomicInteger touched = new AtomicInteger();
    disk.onOperation(
        operation -> {
          if (operation.call() == FileCall.TOUCH) {
            touched.incrementAndGet();
          }
        });
    try (TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL)) {
      for (int i = 0; i < 100; i++) {
        log.force(LogFixtures.insert(log, i, "some text"));
      }
      assertEquals(0, touched.get());
      for (int i = 0; i < 100; i++) {
        LogFixtures.insert(log, i, "some text");
      }
      assertTrue(touched.get() > 2, touched::toString);
    }
  }

  @Test
  void aLogThatHoldsNothingKeepsNoSegmentForReuse() throws StorageException {
    try (TransactionLog log =
        LogFixtures.create(context, LogFixtures.SMALL.withRecycledSegments(5))) {
      for (int i = 0; i < 60; i++) {
        LogFixtures.insert(log, i, "some text");
      }
      int segments = log.stats().segments();
      log.release(log.endLsn() - 1);
      assertTrue(files.list(LogFixtures.DIRECTORY).size() >= Math.min(segments, 5));
      log.release(log.endLsn());
      executor.runUntilIdle();
      assertTrue(files.list(LogFixtures.DIRECTORY).size() <= 3, "active, next, force marks");
    }
  }

  @Test
  void whatIsReleasedBeforeItWasForcedNeverIs() throws StorageException {
    try (TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL)) {
      for (int i = 0; i < 60; i++) {
        LogFixtures.insert(log, i, "some text");
      }
      int segments = log.stats().segments();
      assertTrue(segments > 3);
      log.release(0);
      assertEquals(segments, log.stats().segments(), "what is not below the mark is kept");
      long mark = log.endLsn();
      LogPosition position = log.position(mark);
      log.release(mark);
      assertEquals(1, log.stats().segments());
      assertEquals(0, log.stats().forces());
      assertEquals(position.firstLsn(), log.durableLsn(), "nobody looks below");
      LogFixtures.insert(log, 1000, "last");
      log.force(log.endLsn() - 1);
      MemoryFileSystem left = disk.crash(0, Seeds.random(1));
      LogContext after = LogFixtures.context(left, executor);
      try (LogCursor cursor = LogCursor.open(after, position)) {
        assertEquals(1, LogFixtures.drain(cursor).size());
        assertEquals(log.endLsn(), cursor.end().lsn());
      }
    }
  }

  @Test
  void everyPositionLeadsToTheRecordsAboveItsMark() throws StorageException {
    List<Long> lsns = new ArrayList<>();
    try (TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL)) {
      for (int i = 0; i < 60; i++) {
        lsns.add(LogFixtures.insert(log, i, "some text"));
      }
      for (long mark = 0; mark <= log.endLsn(); mark += 13) {
        LogPosition position = log.position(mark);
        assertEquals(0, log.stats().forces(), "a position forces no record");
        long least = mark;
        long expected = lsns.stream().filter(lsn -> lsn >= least).count();
        try (LogCursor cursor = LogCursor.open(context, position)) {
          long found = 0;
          while (cursor.next()) {
            found += cursor.record().lsn() >= mark ? 1 : 0;
          }
          assertEquals(expected, found);
        }
      }
    }
  }

  @Test
  void aLogGoesOnInAFreshSegmentAboveEverythingSeen() throws StorageException {
    long end;
    try (TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL)) {
      LogFixtures.insert(log, 1, "one");
      end = log.endLsn();
    }
    for (int i = 0; i < 5; i++) {
      LogEnd read = LogFixtures.end(context, LogFixtures.start());
      assertEquals(end, read.lsn());
      try (TransactionLog log = TransactionLog.open(context, LogFixtures.SMALL, read)) {
        assertEquals(end + RecordLayout.SEAL_BYTES, log.endLsn());
        log.awaitOpen();
        assertEquals(log.endLsn(), log.durableLsn());
        LogFixtures.insert(log, 2 + i, "more");
        end = log.endLsn();
      }
    }
    assertEquals(6, LogFixtures.read(context, LogFixtures.start()).size());
  }

  /** Where a log ends of which nothing was forced before its process was killed. */
  private LogEnd endAfterAKill() throws StorageException {
    LogFixtures.insertMany(LogFixtures.create(LogFixtures.context(disk), LogFixtures.SMALL), 60);
    disk.killProcess();
    return LogFixtures.end(context, LogFixtures.start());
  }

  @Test
  void aLogTakesNothingBeforeWhatWasReadOfItIsDurable() throws StorageException {
    LogEnd end = endAfterAKill();
    List<String> written = LogFixtures.read(context, LogFixtures.start());
    try (TransactionLog log = TransactionLog.open(context, LogFixtures.SMALL, end)) {
      assertEquals(-1, log.durableLsn());
      try (LogCursor redo = LogCursor.openBounded(context, LogFixtures.start(), 0, end.lsn())) {
        assertTrue(redo.next());
        long lsn = LogFixtures.insert(log, 100, "new");
        assertEquals(lsn, log.durableLsn(), "the append waited for what is below it");
        assertEquals(written.subList(1, written.size()), LogFixtures.drain(redo));
      }
      LogContext powerLoss = LogFixtures.context(disk.crash(0, Seeds.random(1)));
      assertEquals(written, LogFixtures.read(powerLoss, LogFixtures.start()));
    }
  }

  @Test
  void aLogThatIsClosedAtOnceIsWholeAndDurable() throws StorageException {
    LogEnd end = endAfterAKill();
    List<String> written = LogFixtures.read(context, LogFixtures.start());
    TransactionLog.open(context, LogFixtures.SMALL, end).close();
    LogContext powerLoss = LogFixtures.context(disk.crash(0, Seeds.random(1)));
    assertEquals(written, LogFixtures.read(powerLoss, LogFixtures.start()));
  }

  @Test
  void anLsnSeenElsewhereIsSkipped() throws StorageException {
    try (TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL)) {
      LogFixtures.insert(log, 1, "one");
      log.skipTo(5);
      assertEquals(1, log.stats().segments());
      log.skipTo(123_456);
      assertEquals(123_457, LogFixtures.insert(log, 2, "two"));
      log.skipTo(123_457);
    }
    LogEnd end = LogFixtures.end(context, LogFixtures.start());
    try (TransactionLog log = TransactionLog.open(context, LogFixtures.SMALL, end)) {
      LogFixtures.insert(log, 3, "three");
    }
    assertEquals(3, LogFixtures.read(context, LogFixtures.start()).size());
  }

  @Test
  void aMissingSegmentIsRefusedByName() throws StorageException {
    try (TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL)) {
      for (int i = 0; i < 60; i++) {
        LogFixtures.insert(log, i, "some text");
      }
      assertTrue(log.stats().segments() > 3);
    }
    for (String name : List.of("segment-0000000001.log", "segment-0000000003.log")) {
      MemoryFileSystem copy = disk.crash(1, null);
      Path missing = LogFixtures.DIRECTORY.resolve(name);
      copy.delete(missing);
      CorruptionException refused =
          assertThrows(
              CorruptionException.class,
              () -> LogFixtures.read(LogFixtures.context(copy), LogFixtures.start()));
      assertEquals(missing.toString(), refused.file());
    }
  }

  @Test
  void aClosedLogTakesNothing() throws StorageException {
    TransactionLog log = LogFixtures.create(context, LogFixtures.SMALL);
    LogFixtures.insert(log, 1, "one");
    log.close();
    log.close();
    assertThrows(IllegalStateException.class, () -> LogFixtures.insert(log, 1, "two"));
    assertEquals(1, LogFixtures.read(context, LogFixtures.start()).size());
  }

  @Test
  void appendingAllocatesNothing(@TempDir Path directory) throws StorageException {
    LogContext real = new LogContext(new LocalFileSystem(), executor, directory.resolve("log"), 1);
    LogOptions options = LogOptions.DEFAULTS.withSegmentBytes(8 << 20).withMaxRecordBytes(4096);
    com.sun.management.ThreadMXBean threads =
        (com.sun.management.ThreadMXBean) ManagementFactory.getThreadMXBean();
    try (TransactionLog log = TransactionLog.open(real, options, LogEnd.absent())) {
      LogUpdate update = LogFixtures.update(1, "some text of a usual length");
      long allocated = 0;
      for (int i = 0; i < 20_000; i++) {
        if (i == 10_000) {
          allocated = threads.getCurrentThreadAllocatedBytes();
        }
        long lsn = log.appendUpdate(update.transaction(i));
        log.await(log.appendCommit(i, lsn), Durability.NONE);
      }
      allocated = threads.getCurrentThreadAllocatedBytes() - allocated;
      assertTrue(allocated < 10_000, allocated + " bytes in 20,000 appends");
    }
  }

  @Test
  void optionsThatContradictAreRefusedAllAtOnce() {
    IllegalArgumentException refused =
        assertThrows(
            IllegalArgumentException.class, () -> new LogOptions(1000, 999, 1000, -1, 0, 0));
    assertTrue(refused.getMessage().contains("retentionBytes 999"));
    assertTrue(refused.getMessage().contains("maxRecordBytes 1000"));
    assertTrue(refused.getMessage().contains("recycledSegments -1"));
    assertTrue(refused.getMessage().contains("backgroundForceBytes 0"));
    assertTrue(refused.getMessage().contains("backgroundForceMillis 0"));
  }
}
