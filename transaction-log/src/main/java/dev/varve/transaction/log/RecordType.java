package dev.varve.transaction.log;

import org.jspecify.annotations.Nullable;

/** The kinds of log records. */
public enum RecordType {
  /** One operation on one index. */
  UPDATE(1, RecordLayout.UPDATE_BYTES),
  /** The transaction is committed. */
  COMMIT(2, RecordLayout.COMMIT_BYTES),
  /** The transaction was undone in memory. */
  ABORT(3, RecordLayout.ABORT_BYTES),
  /** Last record of a segment: says where the stream goes on. Cursors do not return it. */
  SEAL(4, RecordLayout.SEAL_BYTES),
  /** One operation on one index that is a transaction of its own, and its commit. */
  LONE_UPDATE(5, RecordLayout.LONE_UPDATE_BYTES);

  /** What stands for it in bytes. */
  final byte code;

  /** Length of the shortest record of this type. */
  final int leastBytes;

  RecordType(int code, int leastBytes) {
    this.code = (byte) code;
    this.leastBytes = leastBytes;
  }

  /** Whether records of this type carry an operation on an index. */
  public boolean isUpdate() {
    return this == UPDATE || this == LONE_UPDATE;
  }

  /** The type with a code on disk; null when there is none. */
  static @Nullable RecordType withCode(byte code) {
    return switch (code) {
      case 1 -> UPDATE;
      case 2 -> COMMIT;
      case 3 -> ABORT;
      case 4 -> SEAL;
      case 5 -> LONE_UPDATE;
      default -> null;
    };
  }
}
