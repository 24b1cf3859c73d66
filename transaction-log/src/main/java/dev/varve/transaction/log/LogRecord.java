package dev.varve.transaction.log;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import org.jspecify.annotations.Nullable;

/**
 * A record under a cursor: a view that moves with the cursor, so that reading millions of records
 * allocates nothing. Confined to the cursor's owner.
 */
public final class LogRecord {
  private byte[] bytes = Bytes.EMPTY;
  private int offset;
  private int length;
  private RecordType type = RecordType.UPDATE;
  private LogOperation operation = LogOperation.INSERT;
  private final Slice key = new Slice();
  private final Slice value = new Slice();

  LogRecord() {}

  /**
   * Moves the view to a record whose checksum holds.
   *
   * @return null, or what is wrong with the record's structure
   */
  @Nullable String set(byte[] newBytes, int newOffset, int newLength) {
    this.bytes = newBytes;
    this.offset = newOffset;
    this.length = newLength;
    RecordType newType = RecordType.withCode(newBytes[newOffset + RecordLayout.TYPE]);
    if (newType == null || newLength < newType.leastBytes()) {
      return "record of unknown type or too short for it";
    }
    this.type = newType;
    boolean plain = newType != RecordType.UPDATE;
    if (Bytes.getUnsignedShort(newBytes, newOffset + RecordLayout.RESERVED) != 0
        || (plain && newBytes[newOffset + RecordLayout.OPERATION] != 0)) {
      return "reserved bytes that are not zero";
    }
    if (plain) {
      return newLength == newType.leastBytes() ? null : "record too long for its type";
    }
    LogOperation newOperation = LogOperation.withCode(newBytes[newOffset + RecordLayout.OPERATION]);
    int keyLength = Bytes.getInt(newBytes, newOffset + RecordLayout.KEY_LENGTH);
    int entryLength = newLength - RecordLayout.KEY;
    if (newOperation == null || keyLength < 0 || keyLength > entryLength) {
      return "update with an unknown operation or a key longer than the record";
    }
    this.operation = newOperation;
    int keyOffset = newOffset + RecordLayout.KEY;
    key.set(newBytes, keyOffset, keyLength);
    value.set(newBytes, keyOffset + keyLength, entryLength - keyLength);
    return null;
  }

  /** What kind of record it is. */
  public RecordType type() {
    return type;
  }

  /** Logical byte offset in the stream. */
  public long lsn() {
    return Bytes.getLong(bytes, offset + RecordLayout.LSN);
  }

  /** Length in bytes, header included. */
  public int length() {
    return length;
  }

  /** The transaction that wrote it. */
  public long transaction() {
    return Bytes.getLong(bytes, offset + RecordLayout.TRANSACTION);
  }

  /** LSN of the transaction's previous record, -1 for its first. */
  public long previousLsn() {
    return Bytes.getLong(bytes, offset + RecordLayout.PREVIOUS_LSN);
  }

  /** The index that was updated; updates only. */
  public int index() {
    assert type == RecordType.UPDATE;
    return Bytes.getInt(bytes, offset + RecordLayout.INDEX);
  }

  /** What was done to the index; updates only. */
  public LogOperation operation() {
    assert type == RecordType.UPDATE;
    return operation;
  }

  /** Key of the entry, valid until the cursor moves; updates only. */
  public Slice key() {
    assert type == RecordType.UPDATE;
    return key;
  }

  /** Value of the entry, valid until the cursor moves; updates only. */
  public Slice value() {
    assert type == RecordType.UPDATE;
    return value;
  }

  /** The durable LSN that was known when it was written; commits and seals only. */
  public long durableLsn() {
    assert type == RecordType.COMMIT || type == RecordType.SEAL;
    return Bytes.getLong(bytes, offset + RecordLayout.DURABLE_LSN);
  }

  long nextSegment() {
    assert type == RecordType.SEAL;
    return Bytes.getLong(bytes, offset + RecordLayout.NEXT_SEGMENT);
  }

  long nextLsn() {
    assert type == RecordType.SEAL;
    return Bytes.getLong(bytes, offset + RecordLayout.NEXT_LSN);
  }

  int nextBytes() {
    assert type == RecordType.SEAL;
    return Bytes.getInt(bytes, offset + RecordLayout.NEXT_BYTES);
  }
}
