package dev.varve.hyracks.feed;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/**
 * Records that are all there, as bytes that travel to the nodes; the first share has all of them.
 * Bytes that begin as gzip or zstd does are taken out of it. Nobody changes the bytes.
 */
public final class BytesSource implements RecordSource {
  private static final long serialVersionUID = 1L;

  /**
   * So many bytes at most: they are in the job, of which the controller and each node has copies.
   */
  public static final int MOST_BYTES = 8 << 20;

  private final String name;
  private final String format;
  private final byte[] bytes;

  /**
   * Records of an input.
   *
   * @param name of the input, for messages
   * @param format name of the {@link RecordFormat}
   * @param bytes what would be in a file, at most {@link #MOST_BYTES}
   * @throws IllegalArgumentException when there is no such format, or too many bytes
   */
  public BytesSource(String name, String format, byte[] bytes) {
    this.name = name;
    this.format = format;
    this.bytes = bytes;
    RecordFormat known = RecordFormat.named(format);
    assert known.formatName().equals(format) : known;
    if (bytes.length > MOST_BYTES) {
      throw new IllegalArgumentException(
          "%s has %,d bytes, over %,d".formatted(name, bytes.length, MOST_BYTES));
    }
  }

  /** How many bytes there are. */
  public int length() {
    return bytes.length;
  }

  @Override
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // Bytes in memory need no closing.
  public RecordStream open(int partition, int partitions, ResumePoints resume)
      throws StorageException {
    InputStream input = new ByteArrayInputStream(partition == 0 ? bytes : new byte[0]);
    RecordParser parser = RecordFormat.named(format).parser(Packing.unpacked(input, name));
    return new RecordStream() {
      @Override
      public boolean next(Slice record) throws StorageException {
        try {
          return parser.next(record);
        } catch (IOException damaged) {
          throw new DiskException(name, "read", damaged);
        }
      }

      @Override
      public String input() {
        return name;
      }

      @Override
      public String place() {
        return parser.line() == 0 ? name : name + ":" + parser.line();
      }

      @Override
      public @Nullable String problem() {
        return parser.problem();
      }

      @Override
      public void close() {
        // Nothing is open.
      }
    };
  }
}
