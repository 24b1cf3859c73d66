package dev.varve.transaction.log;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.env.Worker;
import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.FaultyFileSystem;
import dev.varve.common.testkit.FileCall;
import dev.varve.common.testkit.MemoryFileSystem;
import dev.varve.common.testkit.Seeds;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: with many threads, a force is shared by all who wait, an acknowledged commit is on disk,
 * and a failure reaches everybody. Method: real threads; on the simulated disk power losses are
 * drawn while they run.
 */
final class GroupCommitTest {
  private static final int THREADS = 8;

  private final TaskExecutor executor = new ThreadTaskExecutor();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();

  /** What one thread does, again and again. */
  private interface Step {
    void run(int thread, long round) throws StorageException;
  }

  private void runThreads(long rounds, Step step) throws InterruptedException {
    CountDownLatch done = new CountDownLatch(THREADS);
    List<TaskExecutor.Handle> handles = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      int thread = i;
      AtomicLong round = new AtomicLong();
      handles.add(
          executor.start(
              new Worker() {
                @Override
                public String name() {
                  return "committer";
                }

                @Override
                public int doWork() {
                  long next = round.getAndIncrement();
                  if (next >= rounds) {
                    return 0;
                  }
                  try {
                    step.run(thread, next);
                  } catch (StorageException e) {
                    throw new AssertionError(e);
                  }
                  if (next == rounds - 1) {
                    done.countDown();
                  }
                  return 1;
                }

                @Override
                public void failed(Throwable cause) {
                  failure.compareAndSet(null, cause);
                  done.countDown();
                }
              }));
    }
    assertTrue(done.await(60, TimeUnit.SECONDS), "somebody waits forever");
    handles.forEach(TaskExecutor.Handle::close);
    if (failure.get() != null) {
      throw new AssertionError(failure.get());
    }
  }

  @Test
  void whoComesDuringAForceSharesTheNext() throws Exception {
    MemoryFileSystem disk = new MemoryFileSystem();
    LogContext context = LogFixtures.context(disk, executor);
    try (TransactionLog log =
        LogFixtures.create(context, LogOptions.DEFAULTS.withSegmentBytes(1 << 16))) {
      CountDownLatch appended = new CountDownLatch(THREADS);
      AtomicBoolean first = new AtomicBoolean(true);
      disk.onOperation(
          operation -> {
            if (operation.call() == FileCall.SYNC && first.getAndSet(false)) {
              // The first force takes until every thread has appended.
              awaitUninterruptibly(appended);
            }
          });
      long before = log.stats().forces();
      runThreads(
          1,
          (thread, round) -> {
            long lsn = log.appendCommit(thread, -1);
            appended.countDown();
            log.force(lsn);
            // The force that was running when it was appended does not cover it.
            Set<Long> durable = committed(disk.crash(0, Seeds.random(1)));
            assertTrue(durable.contains((long) thread), "acknowledged before it was forced");
          });
      long forces = log.stats().forces() - before;
      assertTrue(forces <= 2, forces + " forces for " + THREADS + " commits");
      assertEquals(log.endLsn(), log.durableLsn());
    }
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anAcknowledgedCommitSurvivesAPowerLossAtAnyMoment() throws Exception {
    long seed = Seeds.one(11);
    RandomGenerator random = Seeds.random(seed);
    MemoryFileSystem disk = new MemoryFileSystem();
    LogContext context = LogFixtures.context(disk, executor);
    LogOptions options = LogFixtures.SMALL.withSegmentBytes(4096);
    AtomicLongArray acknowledged = new AtomicLongArray(THREADS);
    AtomicLongArray issued = new AtomicLongArray(THREADS);
    AtomicInteger losses = new AtomicInteger();
    try (TransactionLog log = LogFixtures.create(context, options)) {
      runThreads(
          150,
          (thread, round) -> {
            long id = round * THREADS + thread;
            issued.set(thread, round + 1);
            long update = LogFixtures.insert(log, id, "text " + id);
            log.force(log.appendCommit(id, update));
            acknowledged.set(thread, round + 1);
            if (thread == 0 && round % 5 == 0) {
              losses.incrementAndGet();
              checkPowerLoss(disk, random, acknowledged, issued);
            }
          });
    }
    assertEquals(30, losses.get());
    Set<Long> all = committed(disk);
    assertEquals(150 * THREADS, all.size());
  }

  private static void checkPowerLoss(
      MemoryFileSystem disk,
      RandomGenerator random,
      AtomicLongArray acknowledged,
      AtomicLongArray issued)
      throws StorageException {
    long[] before = new long[THREADS];
    for (int i = 0; i < THREADS; i++) {
      before[i] = acknowledged.get(i);
    }
    MemoryFileSystem after = disk.crash(random);
    Set<Long> found = committed(after);
    for (int i = 0; i < THREADS; i++) {
      for (long round = 0; round < before[i]; round++) {
        assertTrue(found.contains(round * THREADS + i), "lost commit " + round + " of " + i);
      }
      long count = 0;
      for (long id : found) {
        count += id % THREADS == i ? 1 : 0;
      }
      assertTrue(count <= issued.get(i), "found what nobody wrote");
    }
  }

  private static Set<Long> committed(MemoryFileSystem disk) throws StorageException {
    Set<Long> found = new HashSet<>();
    try (LogCursor cursor = LogCursor.open(LogFixtures.context(disk), LogFixtures.start())) {
      while (cursor.next()) {
        if (cursor.record().type() == RecordType.COMMIT) {
          assertTrue(found.add(cursor.record().transaction()));
        }
      }
      assertTrue(cursor.end().lsn() > 0);
    }
    return found;
  }

  @Test
  void afterAFailedForceEverybodyIsToldAndNobodyHangs() throws Exception {
    FaultyFileSystem files = new FaultyFileSystem(new MemoryFileSystem(), "sync * 40 EIO");
    LogContext context = LogFixtures.context(files, executor);
    TransactionLog log = LogFixtures.create(context, LogOptions.DEFAULTS.withSegmentBytes(1 << 16));
    AtomicInteger unknown = new AtomicInteger();
    AtomicLong lastAcknowledged = new AtomicLong(-1);
    runThreads(
        100,
        (thread, round) -> {
          if (log.failure() != null) {
            return;
          }
          try {
            long lsn = log.appendCommit(round, -1);
            log.force(lsn);
            lastAcknowledged.accumulateAndGet(lsn, Math::max);
          } catch (OutcomeUnknownException e) {
            unknown.incrementAndGet();
          } catch (StorageException refused) {
            assertEquals(log.failure(), refused.getCause());
          }
        });
    assertTrue(unknown.get() >= 1);
    assertTrue(lastAcknowledged.get() < log.durableLsn());
    log.close();
    files.assertNothingOpen();
  }

  @Test
  void realFilesUnderRealThreadsKeepEveryRecord(@TempDir Path directory) throws Exception {
    LogContext context =
        new LogContext(new LocalFileSystem(), executor, directory.resolve("log"), 1);
    LogOptions options = LogOptions.DEFAULTS.withSegmentBytes(1 << 16).withMaxRecordBytes(9000);
    byte[] large = new byte[8500];
    try (TransactionLog log = TransactionLog.open(context, options, LogEnd.absent())) {
      runThreads(
          300,
          (thread, round) -> {
            LogUpdate update = LogFixtures.update(round * THREADS + thread, "text " + round);
            if (round % 50 == 0) {
              update.entry(LogFixtures.slice("large"), new dev.varve.common.bytes.Slice(large));
            }
            long lsn = log.appendUpdate(update);
            if (round % 10 == 0) {
              log.force(lsn);
            } else {
              log.await(lsn, Durability.PROCESS_CRASH);
            }
          });
    }
    try (LogCursor cursor = LogCursor.open(context, LogFixtures.start())) {
      Set<Long> found = new HashSet<>();
      while (cursor.next()) {
        assertTrue(found.add(cursor.record().transaction()));
      }
      assertEquals(300 * THREADS, found.size());
      assertEquals(cursor.end().seenLsn(), cursor.end().lsn());
    }
  }
}
