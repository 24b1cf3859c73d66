package dev.varve.hyracks.feed;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.FileSystem.OpenMode;
import dev.varve.common.env.LocalFileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.LimitException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A file with one JSON record a line, which every node of the feed can read. Each feed partition
 * takes one range of bytes; a line belongs to the partition in whose range it begins. Empty lines
 * are passed over. Immutable.
 *
 * @param path the file
 */
public record LineSource(String path) implements RecordSource {
  private static final long serialVersionUID = 1L;

  /** Longest line; a longer one is no record of any dataset. */
  public static final int MAX_LINE_BYTES = 4 << 20;

  @Override
  @MustBeClosed
  public RecordStream open(int partition, int partitions) throws StorageException {
    return open(new LocalFileSystem(), partition, partitions);
  }

  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // The stream closes the file.
  RecordStream open(FileSystem files, int partition, int partitions) throws StorageException {
    StorageFile file = files.open(Path.of(path), OpenMode.READ_ONLY);
    boolean opened = false;
    try {
      long size = file.size();
      long begin = size / partitions * partition;
      long end = partition == partitions - 1 ? size : size / partitions * (partition + 1);
      LineStream lines = new LineStream(file, begin, end);
      lines.skipToLine();
      opened = true;
      return lines;
    } finally {
      if (!opened) {
        file.close();
      }
    }
  }

  private static final class LineStream implements RecordStream {
    private static final int CHUNK_BYTES = 256 << 10;

    private final StorageFile file;
    private final long end;
    private byte[] buffer = new byte[CHUNK_BYTES];

    /** Position in the file of the first byte in the buffer. */
    private long base;

    private int next;
    private int filled;

    LineStream(StorageFile file, long begin, long end) {
      this.file = file;
      this.base = begin;
      this.end = end;
    }

    /** A range that begins in the middle of a line leaves that line to the range before. */
    void skipToLine() throws DiskException, LimitException {
      if (base == 0) {
        return;
      }
      base--;
      readLine();
    }

    @Override
    public boolean next(Slice record) throws DiskException, LimitException {
      while (base + next < end) {
        int begin = readLine();
        int length = next - begin;
        while (length > 0 && isLineEnd(buffer[begin + length - 1])) {
          length--;
        }
        if (length > 0) {
          record.set(buffer, begin, length);
          return true;
        }
      }
      return false;
    }

    /** Moves behind the next line and returns where it begins in the buffer. */
    private int readLine() throws DiskException, LimitException {
      int position = next;
      while (true) {
        if (position == filled) {
          int searched = position - next;
          boolean more = fill();
          position = next + searched;
          if (!more) {
            break;
          }
        }
        if (buffer[position++] == '\n') {
          break;
        }
      }
      int begin = next;
      next = position;
      return begin;
    }

    /** Reads on behind what is buffered of the current line; false at the end of the file. */
    private boolean fill() throws DiskException, LimitException {
      System.arraycopy(buffer, next, buffer, 0, filled - next);
      base += next;
      filled -= next;
      next = 0;
      if (filled == buffer.length) {
        if (filled >= MAX_LINE_BYTES) {
          throw new LimitException("bytes in a line at byte " + base, filled, MAX_LINE_BYTES);
        }
        buffer = Arrays.copyOf(buffer, 2 * filled);
      }
      int read = file.read(base + filled, buffer, filled, buffer.length - filled);
      filled += read;
      return read > 0;
    }

    private static boolean isLineEnd(byte character) {
      return character == '\n' || character == '\r';
    }

    @Override
    public void close() {
      file.close();
    }
  }
}
