package dev.varve.hyracks.operator;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import dev.varve.hyracks.feed.OnFull;
import dev.varve.hyracks.feed.Overflow;
import dev.varve.hyracks.feed.PartitionCounters;
import dev.varve.hyracks.feed.RecordStream;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a stream in a thread of its own, ahead of the task that sends its records: the task never
 * waits in a read, which nothing could end, and knows when there is nothing to be sent, so that it
 * can flush. What is read and not taken is bounded; then the reading waits, or does what its {@link
 * OnFull} says.
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
    private long[] offsets = new long[256];
    private String[] inputs = new String[256];
    private final Map<Integer, String> problems = new HashMap<>();
    private int records;

    private int used() {
      return records == 0 ? 0 : ends[records - 1];
    }

    /** Adds the record that a stream has read last. */
    private void add(Slice record, RecordStream from) {
      String problem = from.problem();
      if (problem != null) {
        String place = from.place();
        problems.put(records, place.isEmpty() ? problem : place + ": " + problem);
      }
      add(record, from.input(), from.number(), from.offset());
    }

    private void add(Slice record, String input, long number, long offset) {
      int begin = used();
      if (bytes.length - begin < record.length()) {
        bytes = Arrays.copyOf(bytes, Math.max(2 * bytes.length, begin + record.length()));
      }
      if (records == ends.length) {
        ends = Arrays.copyOf(ends, 2 * records);
        numbers = Arrays.copyOf(numbers, 2 * records);
        offsets = Arrays.copyOf(offsets, 2 * records);
        inputs = Arrays.copyOf(inputs, 2 * records);
      }
      System.arraycopy(record.bytes(), record.offset(), bytes, begin, record.length());
      ends[records] = begin + record.length();
      numbers[records] = number;
      offsets[records] = offset;
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

    /** {@link RecordStream#offset} of a record. */
    long offset(int index) {
      assert index < records : index + " of " + records;
      return offsets[index];
    }

    /** {@link RecordStream#problem} of a record, with its place. */
    @Nullable String problem(int index) {
      return problems.get(index);
    }

    /** All of it as bytes that {@link #read} takes. */
    private byte[] write() {
      KeyEncoder values = new KeyEncoder();
      for (int index = 0, begin = 0; index < records; begin = ends[index++]) {
        values.addString(inputs[index]).addLong(numbers[index]).addLong(offsets[index]);
        values.addString(problems.getOrDefault(index, ""));
        values.addBytes(bytes, begin, ends[index] - begin);
      }
      return values.toByteArray();
    }

    private static Batch read(byte[] whole) {
      Batch batch = new Batch();
      KeyDecoder values = new KeyDecoder().reset(whole, 0, whole.length);
      while (values.hasNext()) {
        String name = values.readString();
        long number = values.readLong();
        long offset = values.readLong();
        String problem = values.readString();
        if (!problem.isEmpty()) {
          batch.problems.put(batch.records, problem);
        }
        batch.add(values.readBytes(), name, number, offset);
      }
      return batch;
    }

    /** {@link RecordStream#input} of a record. */
    String input(int index) {
      assert index < records : index + " of " + records;
      return inputs[index];
    }
  }

  /** Where batches wait for which there is no room; each is a file. */
  private static final class Spill implements AutoCloseable {
    private final FileSystem files;
    private final NewFiles names;
    private final Deque<Path> waiting = new ArrayDeque<>();
    private long bytes;

    Spill(FileSystem files, NewFiles names) {
      this.files = files;
      this.names = names;
    }

    boolean isEmpty() {
      return waiting.isEmpty();
    }

    boolean hasRoom() {
      return bytes < OnFull.MOST_SPILLED_BYTES;
    }

    void add(Batch batch) throws DiskException {
      Path path;
      try {
        path = names.next();
      } catch (HyracksDataException noFile) {
        throw new DiskException("a file for what spills", "create", noFile);
      }
      try (StorageFile file = files.open(path, FileSystem.OpenMode.READ_WRITE)) {
        byte[] whole = batch.write();
        file.write(0, whole, 0, whole.length);
        bytes += whole.length;
        waiting.add(path);
      }
    }

    Batch take() throws DiskException {
      Path path = waiting.remove();
      byte[] whole;
      try (StorageFile file = files.open(path, FileSystem.OpenMode.READ_ONLY)) {
        whole = new byte[Math.toIntExact(file.size())];
        int read = file.read(0, whole, 0, whole.length);
        assert read == whole.length : read + " of " + path;
        Batch batch = Batch.read(whole);
        bytes -= whole.length;
        return batch;
      } finally {
        files.delete(path);
      }
    }

    /** Deletes what nobody has taken. */
    @Override
    public void close() throws DiskException {
      while (!waiting.isEmpty()) {
        Path path = waiting.remove();
        if (files.exists(path)) {
          files.delete(path);
        }
      }
    }
  }

  /**
   * What is done when there is no room.
   *
   * @param onFull which of the ways
   * @param files where records wait
   * @param names makes the files, which go with the job if they are not deleted before
   * @param counts where they are counted
   */
  record Policy(OnFull onFull, FileSystem files, NewFiles names, PartitionCounters counts) {}

  /** Makes empty files. */
  @FunctionalInterface
  interface NewFiles {
    /** The next one. */
    Path next() throws HyracksDataException;
  }

  private final RecordStream stream;
  private final OnFull onFull;

  @GuardedBy("lock")
  private final @Nullable Spill spill;

  private final @Nullable PartitionCounters counts;
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

  private FeedIntake(RecordStream stream, @Nullable Policy policy) {
    this.stream = stream;
    this.onFull = policy == null ? OnFull.THROTTLE : policy.onFull;
    this.counts = policy == null ? null : policy.counts;
    this.spill = policy == null ? null : new Spill(policy.files, policy.names);
  }

  /**
   * Begins to read a stream, which is closed with the intake.
   *
   * @param policy what becomes of records for which there is no room; null if the stream waits
   */
  static FeedIntake start(RecordStream stream, Executor executor, @Nullable Policy policy) {
    FeedIntake intake = new FeedIntake(stream, policy);
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
  private boolean add(Slice record) throws StorageException {
    lock.lock();
    try {
      while (filling.used() >= BYTES && !closed) {
        if (onFull == OnFull.DISCARD) {
          count(new Overflow(0, 1));
          return true;
        }
        if (!spillOver()) {
          changed.awaitUninterruptibly();
        }
      }
      if (closed) {
        return false;
      }
      filling.add(record, stream);
      if (filling.records == 1) {
        changed.signalAll();
      }
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Makes room by a file; false when that is not to be, or there are enough. */
  @GuardedBy("lock")
  private boolean spillOver() throws DiskException {
    Spill to = spill;
    if (onFull != OnFull.SPILL || to == null || !to.hasRoom()) {
      return false;
    }
    to.add(filling);
    count(new Overflow(filling.records, 0));
    filling = new Batch();
    return true;
  }

  private void count(Overflow more) {
    if (counts != null) {
      counts.overflow(more);
    }
  }

  /** Whether nothing waits to be taken. */
  @GuardedBy("lock")
  private boolean nothingWaits() {
    return filling.records == 0 && (spill == null || spill.isEmpty());
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
      while (nothingWaits() && !ended) {
        changed.await();
      }
      // What waits in files was read before what is in memory.
      if (spill != null && !spill.isEmpty()) {
        Batch taken = spill.take();
        changed.signalAll();
        return taken;
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
      return nothingWaits() && !ended;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() throws StorageException {
    try {
      lock.lock();
      try {
        closed = true;
        changed.signalAll();
        if (spill != null) {
          spill.close();
        }
      } finally {
        lock.unlock();
      }
    } finally {
      stream.close();
    }
  }
}
