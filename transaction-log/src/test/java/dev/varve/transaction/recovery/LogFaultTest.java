package dev.varve.transaction.recovery;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogEnd;
import dev.varve.transaction.log.LogFixtures;
import dev.varve.transaction.log.LogOptions;
import dev.varve.transaction.log.TransactionLog;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: a disk that fails never makes the log lie. After a failed write or force it is poisoned; a
 * full disk fails only what needs space; whatever fails, what was acknowledged is found again.
 * Method: fault plans over the simulated disk, one per call of a life cycle.
 */
final class LogFaultTest {
  private static final LogOptions OPTIONS =
      LogOptions.DEFAULTS
          .withSegmentBytes(1024)
          .withMaxRecordBytes(512)
          .withBackgroundForceBytes(300);

  private final MemoryFileSystem disk = new MemoryFileSystem();
  private final FaultyFileSystem files = new FaultyFileSystem(disk);
  private final SteppedExecutor executor = new SteppedExecutor(new ManualClock(), 1);
  private final LogContext context = LogFixtures.context(files, executor);

  @Test
  void afterAFailedForceTheLogIsPoisoned() throws StorageException {
    TransactionLog log = LogFixtures.create(context, OPTIONS);
    long durable = LogFixtures.insert(log, 1, "one");
    log.force(durable);
    long lost = log.appendCommit(1, durable);
    files.setPlan("sync * 1 EIO");
    OutcomeUnknownException first =
        assertThrows(OutcomeUnknownException.class, () -> log.force(lost));
    assertEquals(log.failure(), first.getCause());
    // Though the disk is well again, nothing is tried again.
    files.setPlan("");
    assertThrows(OutcomeUnknownException.class, () -> log.force(lost));
    DiskException append =
        assertThrows(DiskException.class, () -> LogFixtures.insert(log, 2, "two"));
    assertEquals(log.failure(), append.getCause());
    assertThrows(DiskException.class, () -> log.appendCommit(2, -1));
    log.force(durable);
    assertTrue(log.durableLsn() <= lost);
    log.close();
    files.assertNothingOpen();
  }

  /** Right behind what was forced records are written by calls, further on through a mapping. */
  @ParameterizedTest
  @CsvSource({"write, 1", "put, 100"})
  void afterAFailedPutTheLogIsPoisoned(String call, int length) throws StorageException {
    TransactionLog log = LogFixtures.create(context, OPTIONS);
    log.force(LogFixtures.insert(log, 1, "forced"));
    long lsn = LogFixtures.insert(log, 1, "o".repeat(length));
    files.setPlan(call + " * 1 EIO");
    assertThrows(OutcomeUnknownException.class, () -> log.appendCommit(1, lsn));
    assertNotNull(log.failure());
    assertThrows(DiskException.class, () -> LogFixtures.insert(log, 2, "two"));
    assertThrows(OutcomeUnknownException.class, () -> log.force(lsn));
    log.close();
    files.assertNothingOpen();
  }

  @Test
  void aFullDiskFailsOnlyWhatNeedsASegmentAndOnlyWhileItIsFull() throws StorageException {
    try (TransactionLog log = LogFixtures.create(context, OPTIONS)) {
      executor.runUntilIdle();
      files.setPlan("write *.unfinished 1 ENOSPC persistent");
      int appended = 0;
      while (true) {
        try {
          LogFixtures.insert(log, appended, "some text");
          appended++;
        } catch (DiskException full) {
          break;
        }
      }
      assertTrue(appended > 10);
      assertEquals(null, log.failure());
      assertThrows(DiskException.class, () -> LogFixtures.insert(log, 0, "some text"));
      log.force(log.endLsn() - 1);
      files.setPlan("");
      LogFixtures.insert(log, appended, "some text");
      appended++;
      log.force(log.endLsn() - 1);
      assertEquals(appended, LogFixtures.drain(log.read(0)).size());
    }
  }

  @Test
  void anyFailingCallLeavesWhatWasAcknowledged() throws Exception {
    FaultyFileSystem probe = new FaultyFileSystem(new MemoryFileSystem());
    new History(Map.of()).run(open(probe, 7), 7, 40);
    long calls = probe.callCount();
    String[] faults = {"EIO", "ENOSPC", "EIO persistent", "ENOSPC persistent", "INTERRUPT", "OOM"};
    int failed = 0;
    for (String fault : faults) {
      for (long call = 1; call <= calls; call += 3) {
        String plan = "any * " + call + " " + fault;
        failed += runWithFault(plan) ? 1 : 0;
      }
    }
    System.out.println(failed + " runs ended in a failure");
    assertTrue(failed > calls / 2);
  }

  /** Whether the engine failed. */
  private static boolean runWithFault(String plan) throws StorageException {
    MemoryFileSystem disk = new MemoryFileSystem();
    FaultyFileSystem files = new FaultyFileSystem(disk, plan);
    History history = new History(Map.of());
    boolean failed = false;
    try {
      history.run(open(files, 7), 7, 40);
    } catch (DiskException | OutcomeUnknownException | OutOfMemoryError e) {
      failed = true;
    } catch (StorageException | RuntimeException | AssertionError e) {
      throw new AssertionError(plan + ": " + e, e);
    } finally {
      // A planned interrupt must not reach what follows.
      Thread.interrupted();
    }
    try {
      for (int image = 0; image < 3; image++) {
        TinyEngine after = open(disk.crash(image, Seeds.random(image)), 7);
        history.checkAfterPowerLoss(after.state());
      }
    } catch (StorageException | RuntimeException | AssertionError e) {
      throw new AssertionError(plan + ", then power loss: " + e, e);
    }
    return failed;
  }

  @Test
  void aForceThatLiedIsFoundOrLeavesEachIndexAsItOnceWas() throws Exception {
    int found = 0;
    for (int call = 2; call < 62; call++) {
      MemoryFileSystem lying = new MemoryFileSystem();
      // The active segment is forced through its mapping, a sealed one as a file.
      String plan = (call % 2 == 0 ? "sync * " : "force *.log ") + call / 2 + " LOST";
      FaultyFileSystem faulty = new FaultyFileSystem(lying, plan);
      TinyEngine engine = open(faulty, call);
      History history = new History(Map.of());
      history.run(engine, call, 40);
      for (int image = 0; image < 4; image++) {
        try {
          history.checkEachIndexIsAnyState(
              open(lying.crash(image, Seeds.random(call)), call).state());
        } catch (CorruptionException e) {
          found++;
        }
      }
    }
    System.out.println(found + " of 240 openings found that a force had lied");
    assertTrue(found > 0);
  }

  @Test
  void aForceThatFailedBeforeTheCrashOfTheProcessIsNotTrusted() throws StorageException {
    LogEnd end;
    TransactionLog log = LogFixtures.create(context, OPTIONS);
    long lsn = LogFixtures.insert(log, 1, "one");
    files.setPlan("sync * 1 EIO");
    assertThrows(StorageException.class, () -> log.force(lsn));
    // The page is clean now and not on disk; the record can be read all the same.
    disk.killProcess();
    LogContext after = LogFixtures.context(disk);
    end = LogFixtures.end(after, LogFixtures.start());
    assertEquals(LogFixtures.updateBytes("one"), end.lsn());
    TransactionLog.open(after, OPTIONS, end).awaitOpen();
    LogContext powerLoss = LogFixtures.context(disk.crash(0, Seeds.random(1)));
    assertEquals(1, LogFixtures.read(powerLoss, LogFixtures.start()).size());
  }

  @Test
  void aLogWhoseEndCannotBeMadeDurableTakesNothingAndLosesNothing() throws StorageException {
    LogFixtures.insertMany(LogFixtures.create(LogFixtures.context(disk), OPTIONS), 30);
    disk.killProcess();
    LogContext after = LogFixtures.context(files);
    int written = LogFixtures.read(after, LogFixtures.start()).size();
    LogEnd end = LogFixtures.end(after, LogFixtures.start());
    for (String fault : List.of("force *.unfinished 2 EIO", "write *.unfinished 3 ENOSPC")) {
      files.setPlan(fault);
      TransactionLog log = TransactionLog.open(after, OPTIONS, end);
      DiskException refused = assertThrows(DiskException.class, log::awaitOpen);
      assertEquals(log.failure(), refused.getCause());
      assertThrows(DiskException.class, () -> LogFixtures.insert(log, 100, "new"));
      assertThrows(OutcomeUnknownException.class, () -> log.force(0));
      assertThrows(DiskException.class, () -> log.position(0));
      log.close();
      files.assertNothingOpen();
      assertEquals(written, LogFixtures.read(after, LogFixtures.start()).size());
    }
    files.setPlan("");
    try (TransactionLog log = TransactionLog.open(after, OPTIONS, end)) {
      LogFixtures.insert(log, 100, "new");
    }
    assertEquals(written + 1, LogFixtures.read(after, LogFixtures.start()).size());
  }

  private static TinyEngine open(FileSystem files, long seed) throws StorageException {
    return new TinyEngine(files, new SteppedExecutor(new ManualClock(), seed), OPTIONS);
  }
}
