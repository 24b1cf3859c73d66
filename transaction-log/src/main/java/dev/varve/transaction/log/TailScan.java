package dev.varve.transaction.log;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.error.StorageException;

/**
 * Looks at what lies behind a bad record, byte by byte, for records that are whole. One that knew
 * of a durable LSN above the bad record proves that the log was damaged there; without such a proof
 * the bad record is where the last writes before a crash were torn, and what lies behind it was
 * never acknowledged. Confined to its owner.
 */
final class TailScan {
  /** The LSN of the record at a position is not known, since the segment's header is lost. */
  static final long ANY_BASE = Long.MIN_VALUE;

  /** The unit that a disk writes whole or not at all. */
  private static final int SECTOR_BYTES = 512;

  private final long leastLsn;
  private final LogRecord record = new LogRecord();
  private long durableLsn = -1;
  private long seenLsn;
  private int records;
  private boolean sectorShared;

  /**
   * A scan for records at or above an LSN.
   *
   * @param leastLsn where the bad record lies in the stream
   */
  TailScan(long leastLsn) {
    this.leastLsn = leastLsn;
    this.seenLsn = leastLsn;
  }

  /**
   * Scans the segment of the bad record from there on.
   *
   * @param from position of the bad record
   * @param base as in {@link #scan}
   */
  void scanHole(SegmentReader reader, int from, long base) throws StorageException {
    int next = scan(reader, from, base);
    sectorShared = next > from && next / SECTOR_BYTES == from / SECTOR_BYTES;
  }

  /**
   * Scans one segment from a position on; returns where the first whole record is, -1 without one.
   *
   * @param base what to add to a position to get the LSN of a record there, or {@link #ANY_BASE}
   */
  int scan(SegmentReader reader, int from, long base) throws StorageException {
    int first = -1;
    int position = from;
    while (reader.load(position, RecordLayout.HEADER_BYTES)) {
      int next = plausible(reader, position, base);
      if (next == reader.nextHeader()) {
        position = next; // None in the window.
      } else if (reader.recordAt(next) > 0) {
        int length = Bytes.getInt(reader.window(), reader.offset(next) + RecordLayout.LENGTH);
        found(reader, next, length);
        first = first < 0 ? next : first;
        position = next + length;
      } else {
        position = next + 1;
      }
    }
    return first;
  }

  /**
   * The first position from one on at which the header of a record may stand, or the one behind the
   * window. Recycled segments are full of old records, and all of their bytes are looked at. So
   * each is asked for little, the zeros of a new segment are passed in steps, and a checksum is
   * computed only where all fields may be those of a record: an index id that is taken for a length
   * would cost a checksum over 64 KiB in each old record.
   */
  private int plausible(SegmentReader reader, int from, long base) {
    byte[] window = reader.window();
    int toWindow = reader.offset(0);
    int end = reader.nextHeader();
    int most = reader.size() - RecordLayout.HEADER_BYTES;
    for (int position = from; position < end; position++) {
      int offset = toWindow + position;
      long lengthAndMore = Bytes.getLong(window, offset + RecordLayout.LENGTH);
      if (lengthAndMore == 0) {
        position += Long.BYTES - Integer.BYTES; // No length at the next positions either.
        continue;
      }
      int body = (int) lengthAndMore - RecordLayout.HEADER_BYTES;
      if (body >= 0 && body <= most - position) {
        long lsn = Bytes.getLong(window, offset + RecordLayout.LSN);
        if (lsn >= leastLsn
            && (base == ANY_BASE || lsn == base + position)
            && RecordType.withCode(window[offset + RecordLayout.TYPE]) != null
            && Bytes.getUnsignedShort(window, offset + RecordLayout.RESERVED) == 0) {
          return position;
        }
      }
    }
    return end;
  }

  /** Takes a whole header of a later segment into account. */
  void header(SegmentHeader header) {
    durableLsn = Math.max(durableLsn, header.durableLsn());
    seenLsn = Math.max(seenLsn, header.firstLsn());
  }

  /** Takes a seal that leads nowhere into account. */
  void seal(LogRecord seal) {
    durableLsn = Math.max(durableLsn, seal.durableLsn());
    seenLsn = Math.max(seenLsn, seal.nextLsn());
  }

  private void found(SegmentReader reader, int position, int length) {
    if (record.set(reader.window(), reader.offset(position), length) != null) {
      return;
    }
    records++;
    seenLsn = Math.max(seenLsn, record.lsn() + length);
    durableLsn = Math.max(durableLsn, record.durableLsn());
    if (record.type() == RecordType.SEAL) {
      seenLsn = Math.max(seenLsn, record.nextLsn());
    }
  }

  /** The highest durable LSN that anything behind the bad record knew; -1 for none. */
  long durableLsn() {
    return durableLsn;
  }

  /** No LSN from here on was seen. */
  long seenLsn() {
    return seenLsn;
  }

  /**
   * Whether the next whole record begins in the sector in which the bad one does. It was appended
   * later, so the sector was written when the bad one was whole: no torn write, but damage.
   */
  boolean sectorShared() {
    return sectorShared;
  }

  /** Whole records found. */
  int records() {
    return records;
  }
}
