package dev.varve.dataset.internal.partition;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Crc32c;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.StorageFile;
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
 * which are merged at the end. Confined to one thread; {@link #close} deletes the files.
 */
public final class KeySorter implements AutoCloseable {
  /** What a key in memory costs beside its bytes. */
  private static final int KEY_OVERHEAD_BYTES = 32;

  private static final int BUFFER_BYTES = 64 << 10;

  private final FileSystem files;
  private final Path pathPrefix;
  private final long budgetBytes;
  private final List<byte[]> keys = new ArrayList<>();
  private final List<Run> runs = new ArrayList<>();
  private long bytes;

  /**
   * A sorter of no keys.
   *
   * @param pathPrefix where runs are written; numbers are appended to the name
   */
  public KeySorter(FileSystem files, Path pathPrefix, long budgetBytes) {
    this.files = files;
    this.pathPrefix = pathPrefix;
    this.budgetBytes = budgetBytes;
  }

  /** Adds a key; its bytes are copied. */
  public void add(Slice key) throws StorageException {
    keys.add(key.toByteArray());
    bytes += key.length() + KEY_OVERHEAD_BYTES;
    if (bytes >= budgetBytes) {
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
    Sorted sorted = sorted();
    for (Slice key = sorted.next(); key != null; key = sorted.next()) {
      sink.take(key);
    }
  }

  /** The keys in ascending order; no more are added. */
  Sorted sorted() throws StorageException {
    keys.sort(Arrays::compareUnsigned);
    if (runs.isEmpty()) {
      return new Sorted();
    }
    spill();
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

  @SuppressWarnings("MustBeClosedChecker") // the runs' files are closed with the sorter
  private void spill() throws StorageException {
    if (keys.isEmpty()) {
      return;
    }
    keys.sort(Arrays::compareUnsigned);
    Path path = pathPrefix.resolveSibling(pathPrefix.getFileName() + "-" + runs.size());
    if (files.exists(path)) {
      files.delete(path);
    }
    Run run = new Run(path, files.open(path, OpenMode.CREATE_NEW));
    runs.add(run);
    for (byte[] key : keys) {
      run.write(key);
    }
    run.endWriting();
    keys.clear();
    bytes = 0;
  }

  @Override
  public void close() throws StorageException {
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

    void write(byte[] newKey) throws StorageException {
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

    void endWriting() throws StorageException {
      flush();
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
