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
    if (newType == null || newLength < newType.leastBytes) {
      return "record of unknown type or too short for it";
    }
    this.type = newType;
    boolean plain = !newType.isUpdate();
    if (Bytes.getUnsignedShort(newBytes, newOffset + RecordLayout.RESERVED) != 0
        || (plain && newBytes[newOffset + RecordLayout.OPERATION] != 0)) {
      return "reserved bytes that are not zero";
    }
    if (plain) {
      return newLength == newType.leastBytes ? null : "record too long for its type";
    }
    LogOperation newOperation = LogOperation.withCode(newBytes[newOffset + RecordLayout.OPERATION]);
    boolean lone = newType == RecordType.LONE_UPDATE;
    int keyLengthAt = lone ? RecordLayout.LONE_KEY_LENGTH : RecordLayout.KEY_LENGTH;
    int keyAt = lone ? RecordLayout.LONE_KEY : RecordLayout.KEY;
    int keyLength = Bytes.getInt(newBytes, newOffset + keyLengthAt);
    int entryLength = newLength - keyAt;
    if (newOperation == null || keyLength < 0 || keyLength > entryLength) {
      return "update with an unknown operation or a key longer than the record";
    }
    this.operation = newOperation;
    int keyOffset = newOffset + keyAt;
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

  /** The transaction that wrote it; updates, commits and aborts only. */
  public long transaction() {
    assert type != RecordType.LONE_UPDATE && type != RecordType.SEAL;
    return Bytes.getLong(bytes, offset + RecordLayout.TRANSACTION);
  }

  /** LSN of the transaction's previous record, -1 for its first; as {@link #transaction}. */
  public long previousLsn() {
    assert type != RecordType.LONE_UPDATE && type != RecordType.SEAL;
    return Bytes.getLong(bytes, offset + RecordLayout.PREVIOUS_LSN);
  }

  /** The index that was updated; updates, lone ones included, only. */
  public int index() {
    assert type.isUpdate();
    boolean lone = type == RecordType.LONE_UPDATE;
    return Bytes.getInt(bytes, offset + (lone ? RecordLayout.LONE_INDEX : RecordLayout.INDEX));
  }

  /** What was done to the index; updates only. */
  public LogOperation operation() {
    assert type.isUpdate();
    return operation;
  }

  /** Key of the entry, valid until the cursor moves; updates only. */
  public Slice key() {
    assert type.isUpdate();
    return key;
  }

  /** Value of the entry, valid until the cursor moves; updates only. */
  public Slice value() {
    assert type.isUpdate();
    return value;
  }

  /** The durable LSN that was known when it was written; -1 where the type carries none. */
  public long durableLsn() {
    return switch (type) {
      case COMMIT -> Bytes.getLong(bytes, offset + RecordLayout.COMMIT_DURABLE_LSN);
      case LONE_UPDATE -> Bytes.getLong(bytes, offset + RecordLayout.LONE_DURABLE_LSN);
      case SEAL -> Bytes.getLong(bytes, offset + RecordLayout.SEAL_DURABLE_LSN);
      case UPDATE, ABORT -> -1;
    };
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
