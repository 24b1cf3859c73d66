package dev.varve.hyracks.operator;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.feed.OnFull;
import dev.varve.hyracks.feed.Overflow;
import dev.varve.hyracks.feed.PartitionCounters;
import dev.varve.hyracks.feed.RecordStream;
import dev.varve.hyracks.feed.ResumePoints;
import dev.varve.hyracks.feed.TestRecords;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Goal: what is read ahead comes in order, bounded, and up to a failure; closing needs no record to
 * come. Method: streams that count, fail, or wait until they are closed.
 */
@Timeout(60)
final class FeedIntakeTest {
  @TempDir private Path directory;
  private final PartitionCounters counters = new PartitionCounters();
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
    try (FeedIntake intake = FeedIntake.start(stream, threads, null)) {
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
    try (FeedIntake intake = FeedIntake.start(endless, threads, null)) {
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
    try (FeedIntake intake = FeedIntake.start(waiting, threads, null)) {
      assertEquals(1, taken(intake).records());
      assertTrue(intake.isEmpty());
      Thread.currentThread().interrupt();
      assertThrows(InterruptedException.class, intake::take);
    }
  }

  @Test
  void theEndIsToldAgain() throws Exception {
    try (FeedIntake intake =
        FeedIntake.start(TestRecords.range(0, 0).open(0, 1, ResumePoints.NONE), threads, null)) {
      assertNull(intake.take());
      assertNull(intake.take());
    }
  }

  /** A stream of so many records of a kilobyte, each with its number in front. */
  private static RecordStream kilobytes(int records) {
    return new RecordStream() {
      private int number;

      @Override
      public boolean next(Slice record) {
        if (number == records) {
          return false;
        }
        byte[] bytes = new byte[1024];
        Bytes.putInt(bytes, 0, ++number);
        record.set(bytes, 0, bytes.length);
        return true;
      }

      @Override
      public long number() {
        return number;
      }

      @Override
      public long offset() {
        return number * 1024L;
      }

      @Override
      public String input() {
        return "kilobytes";
      }

      @Override
      public @Nullable String problem() {
        return number % 1000 == 0 ? "a thousandth" : null;
      }

      @Override
      public void close() {}
    };
  }

  private FeedIntake.Policy policy(OnFull onFull) {
    return new FeedIntake.Policy(onFull, new LocalFileSystem(), this::newFile, counters);
  }

  private Path newFile() {
    try {
      return Files.createTempFile(directory, "spill", "");
    } catch (IOException failure) {
      throw new AssertionError(failure);
    }
  }

  private long spilled() throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.count();
    }
  }

  private Overflow overflow() {
    return counters.progress(-1).overflow();
  }

  /** The numbers of all records that are taken, each looked at. */
  private static List<Integer> takeAll(FeedIntake intake) throws Exception {
    List<Integer> numbers = new ArrayList<>();
    Slice record = new Slice();
    FeedIntake.Batch batch = intake.take();
    while (batch != null) {
      for (int index = 0; index < batch.records(); index++) {
        batch.get(index, record);
        int number = Bytes.getInt(record.bytes(), record.offset());
        assertEquals(1024, record.length());
        assertEquals(number, batch.number(index));
        assertEquals(number * 1024L, batch.offset(index));
        assertEquals("kilobytes", batch.input(index));
        assertEquals(number % 1000 == 0 ? "a thousandth" : null, batch.problem(index));
        numbers.add(number);
      }
      batch = intake.take();
    }
    return numbers;
  }

  @Test
  void whatSpillsComesBackInItsOrder() throws Exception {
    try (FeedIntake intake = FeedIntake.start(kilobytes(5000), threads, policy(OnFull.SPILL))) {
      // Nobody takes anything, and still all of it is read.
      while (overflow().spilled() < 4 * 1024) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      assertFalse(intake.isEmpty());
      assertEquals(IntStream.rangeClosed(1, 5000).boxed().toList(), takeAll(intake));
    }
    assertEquals(new Overflow(4096, 0), overflow());
    assertEquals(0, spilled(), "no file stays");
  }

  @Test
  void whatHasSpilledGoesWithAnIntakeThatIsGivenUp() throws Exception {
    try (FeedIntake intake = FeedIntake.start(kilobytes(5000), threads, policy(OnFull.SPILL))) {
      while (overflow().spilled() < 4 * 1024) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      assertEquals(4, spilled());
      assertEquals(1024, taken(intake).records());
    }
    assertEquals(0, spilled(), "no file stays");
  }

  @Test
  void aSpillThatCannotBeWrittenEndsTheFeed() throws Exception {
    ExecutorService one = Executors.newSingleThreadExecutor();
    FeedIntake.Policy nowhere =
        new FeedIntake.Policy(
            OnFull.SPILL, new LocalFileSystem(), () -> directory.resolve("missing"), counters);
    try (FeedIntake intake = FeedIntake.start(kilobytes(5000), one, nowhere)) {
      one.submit(() -> {}).get();
      assertEquals(1024, taken(intake).records());
      assertThrows(DiskException.class, intake::take);
    } finally {
      one.shutdown();
    }
  }

  @Test
  void whatIsDiscardedIsCounted() throws Exception {
    try (FeedIntake intake = FeedIntake.start(kilobytes(5000), threads, policy(OnFull.DISCARD))) {
      while (overflow().discarded() < 5000 - 1024) {
        TimeUnit.MILLISECONDS.sleep(1);
      }
      assertEquals(IntStream.rangeClosed(1, 1024).boxed().toList(), takeAll(intake));
    }
    assertEquals(new Overflow(0, 5000 - 1024), overflow());
  }
}
