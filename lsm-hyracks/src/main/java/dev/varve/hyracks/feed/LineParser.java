package dev.varve.hyracks.feed;

import dev.varve.common.bytes.Slice;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;

/**
 * Lines of an input, without their ends; empty ones are passed over. Of a line that is longer than
 * a record may be, the rest is read and left out. Confined to one thread.
 */
final class LineParser implements RecordParser {
  private static final int CHUNK_BYTES = 64 << 10;

  private final InputStream input;
  private byte[] buffer = new byte[CHUNK_BYTES];
  private int next;
  private int filled;
  private boolean ended;
  private long lines;

  /** Bytes of the input before those in the buffer. */
  private long before;

  /** Whether lines are counted from the first one. */
  private boolean counting = true;

  LineParser(InputStream input) {
    this.input = input;
  }

  @Override
  public boolean next(Slice record) throws IOException {
    while (true) {
      int length = nextLine();
      if (length < 0) {
        return false;
      }
      lines++;
      int begin = next - length;
      while (length > 0 && isLineEnd(buffer[begin + length - 1])) {
        length--;
      }
      if (length > 0) {
        record.set(buffer, begin, length);
        return true;
      }
    }
  }

  /** Moves behind the next line; its length with its end, or -1 when there is none. */
  private int nextLine() throws IOException {
    int searched = next;
    while (true) {
      while (searched < filled) {
        if (buffer[searched++] == '\n') {
          int length = searched - next;
          next = searched;
          return length;
        }
      }
      if (filled - next >= MOST_BYTES) {
        int length = filled - next;
        next = filled;
        skipLine();
        return length;
      }
      searched -= next;
      boolean more = fill();
      searched += next;
      if (!more) {
        int length = filled - next;
        next = filled;
        return length == 0 ? -1 : length;
      }
    }
  }

  /** Reads on to the end of a line of which enough is in the buffer, which stays as it is. */
  private void skipLine() throws IOException {
    int skipped = input.read();
    while (skipped >= 0 && skipped != '\n') {
      before++;
      skipped = input.read();
    }
    before += skipped < 0 ? 0 : 1;
    ended |= skipped < 0;
  }

  private boolean fill() throws IOException {
    if (ended) {
      return false;
    }
    System.arraycopy(buffer, next, buffer, 0, filled - next);
    filled -= next;
    before += next;
    next = 0;
    if (filled == buffer.length) {
      buffer = Arrays.copyOf(buffer, Math.min(2 * filled, MOST_BYTES));
    }
    int read = input.read(buffer, filled, buffer.length - filled);
    ended = read < 0;
    filled += Math.max(0, read);
    return !ended;
  }

  private static boolean isLineEnd(byte character) {
    return character == '\n' || character == '\r';
  }

  @Override
  public long line() {
    return counting ? lines : 0;
  }

  @Override
  public long offset() {
    return before + next;
  }

  @Override
  public boolean resume(long end) throws IOException {
    assert before + filled == 0 : before;
    counting = false;
    input.skipNBytes(end - 1);
    before = end;
    // The last line of a file that has grown may have grown, too.
    return input.read() == '\n';
  }
}
