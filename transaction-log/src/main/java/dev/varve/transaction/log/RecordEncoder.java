package dev.varve.transaction.log;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.DiskException;
import java.util.zip.CRC32C;

/**
 * Builds one record at a time in a reused buffer. A small record is assembled whole, so that one
 * checksum call and one copy do; a large one stays where its caller has it. Confined to the thread
 * that has the append lock.
 */
final class RecordEncoder {
  /** Up to this length a record is assembled; beyond it, copying twice costs more than it saves. */
  private static final int ASSEMBLED_BYTES = 8192;

  private static final Slice NO_BYTES = new Slice();

  private final byte[] scratch = new byte[ASSEMBLED_BYTES];
  private final CRC32C crc = new CRC32C();

  /** Bytes of the record in the buffer; the rest of a large one is in key and value. */
  private int assembled;

  private Slice key = NO_BYTES;
  private Slice value = NO_BYTES;

  byte[] bytes() {
    return scratch;
  }

  RecordEncoder update(LogUpdate update) {
    putKind(RecordType.UPDATE, update.operation().code);
    Bytes.putLong(scratch, RecordLayout.TRANSACTION, update.transaction());
    Bytes.putLong(scratch, RecordLayout.PREVIOUS_LSN, update.previousLsn());
    Bytes.putInt(scratch, RecordLayout.INDEX, update.index());
    Bytes.putInt(scratch, RecordLayout.KEY_LENGTH, update.key().length());
    putEntry(update.key(), update.value(), RecordLayout.KEY);
    return this;
  }

  RecordEncoder loneUpdate(
      int index, LogOperation operation, Slice newKey, Slice newValue, long durableLsn) {
    putKind(RecordType.LONE_UPDATE, operation.code);
    Bytes.putLong(scratch, RecordLayout.LONE_DURABLE_LSN, durableLsn);
    Bytes.putInt(scratch, RecordLayout.LONE_INDEX, index);
    Bytes.putInt(scratch, RecordLayout.LONE_KEY_LENGTH, newKey.length());
    putEntry(newKey, newValue, RecordLayout.LONE_KEY);
    return this;
  }

  private void putEntry(Slice newKey, Slice newValue, int at) {
    int length = at + newKey.length() + newValue.length();
    Bytes.putInt(scratch, RecordLayout.LENGTH, length);
    if (length <= ASSEMBLED_BYTES) {
      int valueAt = at + newKey.length();
      System.arraycopy(newKey.bytes(), newKey.offset(), scratch, at, newKey.length());
      System.arraycopy(newValue.bytes(), newValue.offset(), scratch, valueAt, newValue.length());
      assembled = length;
    } else {
      assembled = at;
      key = newKey;
      value = newValue;
    }
  }

  RecordEncoder commit(long transaction, long previousLsn, long durableLsn) {
    end(RecordType.COMMIT, transaction, previousLsn);
    Bytes.putLong(scratch, RecordLayout.COMMIT_DURABLE_LSN, durableLsn);
    return this;
  }

  RecordEncoder abort(long transaction, long previousLsn) {
    end(RecordType.ABORT, transaction, previousLsn);
    return this;
  }

  RecordEncoder seal(SegmentHeader next, long durableLsn) {
    shortRecord(RecordType.SEAL);
    Bytes.putLong(scratch, RecordLayout.SEAL_DURABLE_LSN, durableLsn);
    Bytes.putLong(scratch, RecordLayout.NEXT_SEGMENT, next.segment());
    Bytes.putLong(scratch, RecordLayout.NEXT_LSN, next.firstLsn());
    Bytes.putInt(scratch, RecordLayout.NEXT_BYTES, next.bytes());
    return this;
  }

  /** Places the record in the stream. */
  void at(long lsn) {
    Bytes.putLong(scratch, RecordLayout.LSN, lsn);
  }

  void header(SegmentHeader header) {
    header.encode(scratch);
  }

  private void end(RecordType type, long transaction, long previousLsn) {
    shortRecord(type);
    Bytes.putLong(scratch, RecordLayout.TRANSACTION, transaction);
    Bytes.putLong(scratch, RecordLayout.PREVIOUS_LSN, previousLsn);
  }

  private void shortRecord(RecordType type) {
    assembled = type.leastBytes;
    Bytes.putInt(scratch, RecordLayout.LENGTH, assembled);
    putKind(type, (byte) 0);
  }

  private void putKind(RecordType type, byte operation) {
    scratch[RecordLayout.TYPE] = type.code;
    scratch[RecordLayout.OPERATION] = operation;
    Bytes.putShort(scratch, RecordLayout.RESERVED, 0);
  }

  /** Adds the checksum; returns the number of bytes in the buffer. */
  int finish(int salt) {
    crc.reset();
    crc.update(scratch, RecordLayout.LENGTH, assembled - RecordLayout.LENGTH);
    if (key != NO_BYTES) {
      crc.update(key.bytes(), key.offset(), key.length());
      crc.update(value.bytes(), value.offset(), value.length());
    }
    Bytes.putInt(scratch, RecordLayout.CRC, (int) crc.getValue() ^ salt);
    return assembled;
  }

  /** Adds the checksum and copies the record to the segment's position. */
  void putInto(Segment segment) throws DiskException {
    int length = finish(segment.salt());
    int position = segment.position;
    segment.put(position, scratch, 0, length);
    if (key != NO_BYTES) {
      position += length;
      segment.put(position, key.bytes(), key.offset(), key.length());
      segment.put(position + key.length(), value.bytes(), value.offset(), value.length());
      key = NO_BYTES;
      value = NO_BYTES;
    }
  }
}
