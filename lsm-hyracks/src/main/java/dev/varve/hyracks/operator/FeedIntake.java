package dev.varve.hyracks.operator;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.feed.RecordStream;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream in a thread of its own, ahead of the task that sends its records: the task never
 * waits in a read, which nothing could end, and knows when there is nothing to be sent, so that it
 * can flush. What is read and not taken is bounded; then the reading waits.
 *
 * <p>Two threads: the one that reads, and the task, which takes and closes. A read under way when
 * the intake is closed ends with its input, or when that gives something; what it gives is dropped.
 */
final class FeedIntake implements AutoCloseable {
  /** So much is read ahead at most, beside one record. */
  static final int BYTES = 1 << 20;

  /** Records in the order in which they were read. Confined to the thread that has it. */
  static final class Batch {
    private byte[] bytes = new byte[BYTES / 8];
    private int[] ends = new int[256];
    private long[] numbers = new long[256];
    private String[] inputs = new String[256];
    private int records;

    private int used() {
      return records == 0 ? 0 : ends[records - 1];
    }

    private void add(Slice record, long number, String input) {
      int begin = used();
      if (bytes.length - begin < record.length()) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, begin + record.length()));
      }
      if (records == ends.length) {
        ends = Arrays.copyOf(ends, 2 * records);
        numbers = Arrays.copyOf(numbers, 2 * records);
        inputs = Arrays.copyOf(inputs, 2 * records);
      }
      System.arraycopy(record.bytes(), record.offset(), bytes, begin, record.length());
      ends[records] = begin + record.length();
      numbers[records] = number;
      inputs[records] = input;
      records++;
    }

    /** How many records there are. */
    int records() {
      return records;
    }

    /** A record. */
    void get(int index, Slice record) {
      assert index < records : index + " of " + records;
      int begin = index == 0 ? 0 : ends[index - 1];
      record.set(bytes, begin, ends[index] - begin);
    }

    /** {@link RecordStream#number} of a record. */
    long number(int index) {
      assert index < records : index + " of " + records;
      return numbers[index];
    }

    /** {@link RecordStream#input} of a record. */
    String input(int index) {
      assert index < records : index + " of " + records;
      return inputs[index];
    }
  }

  private final RecordStream stream;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();

  @GuardedBy("lock")
  private Batch filling = new Batch();

  @GuardedBy("lock")
  private boolean ended;

  @GuardedBy("lock")
  private @Nullable StorageException failure;

  @GuardedBy("lock")
  private @Nullable RuntimeException fault;

  private volatile boolean closed;

  private FeedIntake(RecordStream stream) {
    this.stream = stream;
  }

  /** Begins to read a stream, which is closed with the intake. */
  static FeedIntake start(RecordStream stream, Executor executor) {
    FeedIntake intake = new FeedIntake(stream);
    executor.execute(intake::read);
    return intake;
  }

  private void read() {
    Slice record = new Slice();
    try {
      while (!closed && stream.next(record) && add(record)) {
        // On to the next one.
      }
      end(null, null);
    } catch (StorageException unread) {
      end(unread, null);
    } catch (RuntimeException wrong) {
      end(null, wrong);
    }
  }

  /** Adds a record, once there is room; false when nobody wants it any more. */
  private boolean add(Slice record) {
    lock.lock();
    try {
      while (filling.used() >= BYTES && !closed) {
        changed.awaitUninterruptibly();
      }
      if (closed) {
        return false;
      }
      filling.add(record, stream.number(), stream.input());
      if (filling.records == 1) {
        changed.signalAll();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void end(@Nullable StorageException unread, @Nullable RuntimeException wrong) {
    lock.lock();
    try {
      assert !ended && (unread == null || wrong == null) : unread;
      ended = true;
      failure = unread;
      fault = wrong;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Takes all that was read, and waits while that is nothing.
   *
   * @return null at the end
   * @throws StorageException what the stream failed with, behind its last record
   */
  @Nullable Batch take() throws StorageException, InterruptedException {
    lock.lockInterruptibly();
    try {
      while (filling.records == 0 && !ended) {
        changed.await();
      }
      if (filling.records > 0) {
        Batch taken = filling;
        filling = new Batch();
        changed.signalAll();
        return taken;
      }
      if (failure != null) {
        throw failure;
      }
      if (fault != null) {
        throw fault;
      }
      return null;
    } finally {
      lock.unlock();
    }
  }

  /** Whether the next {@link #take} would wait. */
  boolean isEmpty() {
    lock.lock();
    try {
      return filling.records == 0 && !ended;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      changed.signalAll();
    } finally {
      lock.unlock();
    }
    stream.close();
  }
}
