package dev.varve.transaction.log;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.DiskException;
import dev.varve.common.error.StorageException;
import java.nio.file.Path;
import java.util.zip.CRC32C;
import org.jspecify.annotations.Nullable;

/**
 * Reads one segment through the channel, a window at a time. Lengths are checked against the file
 * before anything is allocated for them. Confined to its owner, which closes it.
 */
final class SegmentReader implements AutoCloseable {
  private static final int WINDOW_BYTES = 256 << 10;

  private final StorageFile file;
  private final long store;
  private final long id;
  private final int salt;
  private final int size;
  private final CRC32C crc = new CRC32C();

  private byte[] window;
  private int windowStart;
  private int windowLength;

  /** Opens a segment that is there. */
  @SuppressWarnings("MustBeClosed") // The reader owns the file and closes it.
  SegmentReader(LogContext context, Path path, long id) throws DiskException {
    this.file = context.files().open(path, FileSystem.OpenMode.READ_ONLY);
    this.store = context.storeId();
    this.id = id;
    this.salt = SegmentLayout.salt(context.storeId(), id);
    try {
      this.size = (int) Math.min(file.size(), Integer.MAX_VALUE);
    } catch (DiskException | RuntimeException e) {
      file.close();
      throw e;
    }
    this.window = new byte[Math.min(WINDOW_BYTES, Math.max(size, SegmentLayout.HEADER_BYTES))];
  }

  long id() {
    return id;
  }

  /** Name for errors. */
  String name() {
    return file.path().toString();
  }

  /** Bytes in the file. */
  int size() {
    return size;
  }

  /** The array that holds what was loaded last. */
  byte[] window() {
    return window;
  }

  /** Offset in the window of a position that was loaded. */
  int offset(int position) {
    return position - windowStart;
  }

  /** The first position whose record header is not all in what was loaded last. */
  int nextHeader() {
    return windowStart + windowLength - RecordLayout.HEADER_BYTES + 1;
  }

  /**
   * The header, or null when the segment was not taken into use or its header is damaged.
   *
   * @throws CorruptionException when the header is whole but does not belong to this file
   */
  @Nullable SegmentHeader header() throws StorageException {
    if (!load(0, SegmentLayout.HEADER_BYTES)) {
      return null;
    }
    SegmentHeader header = SegmentHeader.decode(window, name());
    if (header == null) {
      return null;
    }
    if (header.store() != store || header.segment() != id) {
      throw new CorruptionException(
          name(),
          SegmentLayout.STORE,
          "segment "
              + header.segment()
              + " of store "
              + header.store()
              + " in place of segment "
              + id
              + " of store "
              + store);
    }
    for (int i = SegmentLayout.RESERVED; i < SegmentLayout.HEADER_BYTES; i++) {
      if (window[i] != 0) {
        throw new CorruptionException(name(), i, "reserved byte of the header is not zero");
      }
    }
    if (size < header.bytes()) {
      throw new CorruptionException(
          name(), size, "segment is cut, it was " + header.bytes() + " bytes long");
    }
    return header;
  }

  /**
   * Whether the file begins as a segment does: with the magic, with zeros where it was not taken
   * into use, or not at all.
   */
  boolean beginsAsSegment() throws StorageException {
    if (!load(0, SegmentLayout.HEADER_BYTES)) {
      return size == 0;
    }
    long magic = Bytes.getLong(window, SegmentLayout.MAGIC);
    return magic == 0 || magic == SegmentLayout.MAGIC_VALUE;
  }

  /**
   * Length of the record at a position; 0 when there is none whose checksum holds. It is loaded
   * then. The LSN is not looked at.
   */
  int recordAt(int position) throws DiskException {
    if (!load(position, RecordLayout.HEADER_BYTES)) {
      return 0;
    }
    int length = Bytes.getInt(window, offset(position) + RecordLayout.LENGTH);
    if (length < RecordLayout.HEADER_BYTES || length > size - position || !load(position, length)) {
      return 0;
    }
    int offset = offset(position);
    crc.reset();
    crc.update(window, offset + RecordLayout.LENGTH, length - RecordLayout.LENGTH);
    int expected = (int) crc.getValue() ^ salt;
    return Bytes.getInt(window, offset + RecordLayout.CRC) == expected ? length : 0;
  }

  /** Brings a range of the file into the window; false when the file ends before. */
  boolean load(int position, int length) throws DiskException {
    if (length > size - position) {
      return false;
    }
    if (position >= windowStart && position + length <= windowStart + windowLength) {
      return true;
    }
    if (window.length < length) {
      window = new byte[Math.min(size, Math.max(length, 2 * window.length))];
    }
    int wanted = Math.min(window.length, size - position);
    windowStart = position;
    windowLength = file.read(position, window, 0, wanted);
    return length <= windowLength;
  }

  @Override
  public void close() {
    file.close();
  }
}
