package dev.varve.hyracks.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.feed.RecordStream;
import dev.varve.hyracks.feed.ResumePoints;
import dev.varve.hyracks.feed.TestRecords;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Goal: what is read ahead comes in order, bounded, and up to a failure; closing needs no record to
 * come. Method: streams that count, fail, or wait until they are closed.
 */
@Timeout(60)
final class FeedIntakeTest {
  private final ExecutorService threads = Executors.newCachedThreadPool();

  @AfterEach
  void endThreads() throws Exception {
    threads.shutdown();
    assertTrue(threads.awaitTermination(30, TimeUnit.SECONDS), "every reading thread ends");
  }

  @Test
  void recordsComeInOrderUpToTheFailureBehindThem() throws Exception {
    RecordStream stream =
        TestRecords.range(0, 20_000).breakingAt(15_000).open(0, 1, ResumePoints.NONE);
    List<Long> numbers = new ArrayList<>();
    try (FeedIntake intake = FeedIntake.start(stream, threads)) {
      assertThrows(
          DiskException.class,
          () -> {
            FeedIntake.Batch batch = intake.take();
            while (batch != null) {
              Slice record = new Slice();
              for (int index = 0; index < batch.records(); index++) {
                long number = batch.number(index);
                batch.get(index, record);
                assertEquals(
                    TestRecords.record(number - 1),
                    new String(record.toByteArray(), StandardCharsets.UTF_8));
                assertEquals("records 0 of 1", batch.input(index));
                numbers.add(number);
              }
              batch = intake.take();
            }
          });
    }
    assertEquals(15_000, numbers.size());
    assertEquals(15_000L, numbers.get(14_999));
  }

  @Test
  void nothingMoreIsReadThanTheBoundLets() throws Exception {
    AtomicLong read = new AtomicLong();
    byte[] kilobyte = new byte[1024];
    RecordStream endless =
        new RecordStream() {
          @Override
          public boolean next(Slice record) {
            record.set(kilobyte, 0, kilobyte.length);
            read.incrementAndGet();
            return true;
          }

          @Override
          public void close() {}
        };
    long most = FeedIntake.BYTES / kilobyte.length;
    try (FeedIntake intake = FeedIntake.start(endless, threads)) {
      while (read.get() <= most) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      TimeUnit.MILLISECONDS.sleep(50);
      assertEquals(most + 1, read.get(), "and one that waits for room");
      assertEquals(most, taken(intake).records());
    }
  }

  private static FeedIntake.Batch taken(FeedIntake intake) throws Exception {
    FeedIntake.Batch batch = intake.take();
    assertNotNull(batch);
    return batch;
  }

  @Test
  void closingEndsAReadThatWaits() throws Exception {
    CountDownLatch closed = new CountDownLatch(1);
    RecordStream waiting =
        new RecordStream() {
          private boolean first = true;

          @Override
          public boolean next(Slice record) throws StorageException {
            if (first) {
              first = false;
              record.set(new byte[1], 0, 1);
              return true;
            }
            try {
              closed.await();
            } catch (InterruptedException interrupted) {
              throw new AssertionError(interrupted);
            }
            throw new DiskException("/socket", "read", null);
          }

          @Override
          public void close() {
            closed.countDown();
          }
        };
    try (FeedIntake intake = FeedIntake.start(waiting, threads)) {
      assertEquals(1, taken(intake).records());
      assertTrue(intake.isEmpty());
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, intake::take);
    }
  }

  @Test
  void theEndIsToldAgain() throws Exception {
    try (FeedIntake intake =
        FeedIntake.start(TestRecords.range(0, 0).open(0, 1, ResumePoints.NONE), threads)) {
      assertNull(intake.take());
      assertNull(intake.take());
    }
  }
}
