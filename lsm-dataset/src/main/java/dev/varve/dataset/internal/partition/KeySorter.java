package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Sorts keys under a memory budget: what does not fit is written to temporary files in sorted runs,
 * which are merged at the end. From the first run on a thread beside the caller's sorts and writes
 * one half of the memory while the caller fills the other. Confined to one thread; {@link #close}
 * deletes the files and ends that thread.
 */
public final class KeySorter implements AutoCloseable {
  /** What a key in memory costs beside its bytes. */
  private static final int KEY_OVERHEAD_BYTES = 32;

  private static final int BUFFER_BYTES = 64 << 10;

  private final FileSystem files;
  private final Path pathPrefix;
  private final TaskExecutor executor;

  /** At this size keys in memory become a run, while as many of the next one come. */
  private final long batchBytes;

  private final List<Run> runs = new ArrayList<>();
  private List<byte[]> keys = new ArrayList<>();
  private long bytes;

  /** Sorts and writes runs; null before the first. */
  private @Nullable SideWork side;

  /** Nobody waits for the keys any more. */
  private volatile boolean closing;

  /**
   * A sorter of no keys.
   *
   * @param pathPrefix where runs are written; numbers are appended to the name
   * @param budgetBytes memory for keys
   * @param executor starts the thread that sorts beside the caller's
   */
  public KeySorter(FileSystem files, Path pathPrefix, long budgetBytes, TaskExecutor executor) {
    this.files = files;
    this.pathPrefix = pathPrefix;
    this.batchBytes = budgetBytes / 2;
    this.executor = executor;
  }

  /** Adds a key; its bytes are copied. */
  public void add(Slice key) throws StorageException {
    keys.add(key.toByteArray());
    bytes += key.length() + KEY_OVERHEAD_BYTES;
    if (bytes >= batchBytes) {
      spill();
    }
  }

  /** Takes the keys in ascending order. */
  @FunctionalInterface
  public interface KeySink {
    /** Takes the next key, which is valid during the call only. */
    void take(Slice key) throws StorageException;
  }

  /** Hands every key to a sink, in ascending order. */
  public void drainTo(KeySink sink) throws StorageException {
    drain(sorted(), sink);
  }

  /**
   * Hands every key to a sink, in ascending order, in the thread beside the caller's where there is
   * one, until {@link #awaitDrain}; what fits into memory has all been handed when this returns.
   */
  void beginDrainTo(KeySink sink) throws StorageException {
    SideWork running = side;
    if (running == null) {
      drainTo(sink);
    } else {
      running.begin(() -> drain(sortedNow(), sink));
    }
  }

  /** Waits until all was handed to the sink of {@link #beginDrainTo}; throws what it threw. */
  void awaitDrain() throws StorageException {
    SideWork running = side;
    if (running != null) {
      running.await();
    }
  }

  private void drain(Sorted sorted, KeySink sink) throws StorageException {
    for (Slice key = sorted.next(); key != null && !closing; key = sorted.next()) {
      sink.take(key);
    }
  }

  /** The keys in ascending order; no more are added. */
  Sorted sorted() throws StorageException {
    awaitDrain();
    return sortedNow();
  }

  private Sorted sortedNow() throws StorageException {
    if (runs.isEmpty()) {
      keys.sort(Arrays::compareUnsigned);
      return new Sorted();
    }
    if (!keys.isEmpty()) {
      newRun().writeAll(takeKeys());
    }
    Sorted sorted = new Sorted();
    for (Run run : runs) {
      sorted.add(run);
    }
    return sorted;
  }

  /** Goes through the keys in ascending order. */
  final class Sorted {
    private final PriorityQueue<Run> heads =
        new PriorityQueue<>(Comparator.comparing(run -> run.key, Arrays::compareUnsigned));

    private final Slice view = new Slice();
    private int next;
    private boolean ended;

    private void add(Run run) throws StorageException {
      if (run.next()) {
        heads.add(run);
      }
    }

    /** The next key, which is valid until the next call; null at the end. */
    @Nullable Slice next() throws StorageException {
      if (next < keys.size()) {
        byte[] key = keys.get(next++);
        return view.set(key, 0, key.length);
      }
      Run least = heads.poll();
      if (least == null) {
        ended = true;
        return null;
      }
      byte[] key = least.key;
      add(least);
      return view.set(key, 0, key.length);
    }

    /** Whether the end was reached. */
    boolean ended() {
      return ended;
    }
  }

  private void spill() throws StorageException {
    SideWork beside = side;
    if (beside == null) {
      beside = new SideWork(executor, "varve-sort");
      side = beside;
    }
    Run run = newRun();
    List<byte[]> full = takeKeys();
    beside.begin(() -> run.writeAll(full));
  }

  private List<byte[]> takeKeys() {
    List<byte[]> taken = keys;
    keys = new ArrayList<>(taken.size());
    bytes = 0;
    return taken;
  }

  @SuppressWarnings("MustBeClosedChecker") // the runs' files are closed with the sorter
  private Run newRun() throws StorageException {
    Path path = pathPrefix.resolveSibling(pathPrefix.getFileName() + "-" + runs.size());
    if (files.exists(path)) {
      files.delete(path);
    }
    Run run = new Run(path, files.open(path, OpenMode.CREATE_NEW));
    runs.add(run);
    return run;
  }

  /**
   * Idempotent; a sink that is still handed keys beside the caller's thread gets no more of them.
   */
  @Override
  public void close() throws StorageException {
    closing = true;
    SideWork running = side;
    if (running != null) {
      running.close();
      side = null;
    }
    keys.clear();
    StorageException first = null;
    for (Run run : runs) {
      run.file.close();
      try {
        files.delete(run.path);
      } catch (StorageException e) {
        if (first == null) {
          first = e;
        } else {
          first.addSuppressed(e);
        }
      }
    }
    runs.clear();
    if (first != null) {
      throw first;
    }
  }

  /** A file of keys in ascending order: each four bytes of length and the bytes. */
  private static final class Run {
    private final Path path;
    private final StorageFile file;
    private final Crc32c written = new Crc32c();
    private final Crc32c read = new Crc32c();
    private byte[] buffer = new byte[BUFFER_BYTES];
    private long fileBytes;
    private long position;
    private int limit;
    private int at;
    private byte[] key = Bytes.EMPTY;

    Run(Path path, StorageFile file) {
      this.path = path;
      this.file = file;
    }

    /** Writes keys in ascending order, whatever order they come in. */
    void writeAll(List<byte[]> unsorted) throws StorageException {
      assert fileBytes == 0 : "written once";
      unsorted.sort(Arrays::compareUnsigned);
      for (byte[] each : unsorted) {
        write(each);
      }
      flush();
    }

    private void write(byte[] newKey) throws StorageException {
      if (limit + Integer.BYTES + newKey.length > buffer.length) {
        flush();
        reserve(Integer.BYTES + newKey.length);
      }
      Bytes.putInt(buffer, limit, newKey.length);
      System.arraycopy(newKey, 0, buffer, limit + Integer.BYTES, newKey.length);
      limit += Integer.BYTES + newKey.length;
    }

    /** Has the buffer, of which nothing is to be written, hold a key that is longer. */
    private void reserve(int needed) {
      if (needed > buffer.length) {
        buffer = Arrays.copyOf(buffer, needed);
      }
    }

    private void flush() throws StorageException {
      written.update(buffer, 0, limit);
      file.write(fileBytes, buffer, 0, limit);
      fileBytes += limit;
      limit = 0;
    }

    boolean next() throws StorageException {
      if (!fill(Integer.BYTES)) {
        return false;
      }
      int length = Bytes.getInt(buffer, at);
      at += Integer.BYTES;
      // No key is longer than the buffer has become while the run was written.
      if (length < 0 || length > buffer.length - Integer.BYTES || !fill(length)) {
        throw damaged();
      }
      key = Arrays.copyOfRange(buffer, at, at + length);
      at += length;
      return true;
    }

    /** Makes the next bytes available; false at the end of the run. */
    private boolean fill(int needed) throws StorageException {
      int rest = limit - at;
      if (rest >= needed) {
        return true;
      }
      System.arraycopy(buffer, at, buffer, 0, rest);
      int more = (int) Math.min(buffer.length - rest, fileBytes - position);
      if (file.read(position, buffer, rest, more) != more) {
        throw damaged();
      }
      read.update(buffer, rest, more);
      position += more;
      limit = rest + more;
      at = 0;
      if (position == fileBytes && read.value() != written.value()) {
        throw damaged();
      }
      return limit >= needed;
    }

    private CorruptionException damaged() {
      return new CorruptionException(
          path.toString(), position, "a temporary file is not what was written");
    }
  }
}
