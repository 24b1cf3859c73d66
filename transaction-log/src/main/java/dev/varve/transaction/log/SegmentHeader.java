package dev.varve.transaction.log;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.FormatVersionException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What a segment says about itself; see {@link SegmentLayout}.
 *
 * @param store id of the store that the log belongs to
 * @param segment id of the segment
 * @param firstLsn LSN of its first record
 * @param durableLsn durable LSN that was known when the segment was taken into use
 * @param bytes size of the file
 * @param version format in which the segment was written
 */
record SegmentHeader(
    long store, long segment, long firstLsn, long durableLsn, int bytes, int version) {
  /** The header of a segment that is taken into use now. */
  SegmentHeader(long store, long segment, long firstLsn, long durableLsn, int bytes) {
    this(store, segment, firstLsn, durableLsn, bytes, SegmentLayout.VERSION_VALUE);
  }

  /** Writes the header at the start of an array. */
  void encode(byte[] target) {
    Arrays.fill(target, 0, SegmentLayout.HEADER_BYTES, (byte) 0);
    Bytes.putLong(target, SegmentLayout.MAGIC, SegmentLayout.MAGIC_VALUE);
    Bytes.putInt(target, SegmentLayout.VERSION, version);
    Bytes.putLong(target, SegmentLayout.STORE, store);
    Bytes.putLong(target, SegmentLayout.SEGMENT, segment);
    Bytes.putLong(target, SegmentLayout.FIRST_LSN, firstLsn);
    Bytes.putLong(target, SegmentLayout.DURABLE_LSN, durableLsn);
    Bytes.putInt(target, SegmentLayout.BYTES, bytes);
    Bytes.putInt(target, SegmentLayout.CRC, SegmentLayout.crc(target));
  }

  /**
   * Reads a header from the start of an array; null when the bytes are not one.
   *
   * @param file named when the header is of another version
   */
  static @Nullable SegmentHeader decode(byte[] bytes, String file) throws FormatVersionException {
    if (Bytes.getLong(bytes, SegmentLayout.MAGIC) != SegmentLayout.MAGIC_VALUE
        || Bytes.getInt(bytes, SegmentLayout.CRC) != SegmentLayout.crc(bytes)) {
      return null;
    }
    int version = Bytes.getInt(bytes, SegmentLayout.VERSION);
    if (version < 1 || version > SegmentLayout.VERSION_VALUE) {
      throw new FormatVersionException(file, version, SegmentLayout.VERSION_VALUE);
    }
    long firstLsn = Bytes.getLong(bytes, SegmentLayout.FIRST_LSN);
    long durableLsn = Bytes.getLong(bytes, SegmentLayout.DURABLE_LSN);
    return new SegmentHeader(
        Bytes.getLong(bytes, SegmentLayout.STORE),
        Bytes.getLong(bytes, SegmentLayout.SEGMENT),
        firstLsn,
        durableLsn,
        Bytes.getInt(bytes, SegmentLayout.BYTES),
        version);
  }
}
