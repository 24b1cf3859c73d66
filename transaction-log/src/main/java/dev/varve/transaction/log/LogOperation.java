package dev.varve.transaction.log;

import org.jspecify.annotations.Nullable;

/** What an update record did to one index. */
public enum LogOperation {
  /** An entry that was not there. */
  INSERT(1),
  /** An entry that replaces what was there, if anything. */
  UPSERT(2),
  /** An entry that was taken away. */
  DELETE(3),
  /** Whatever there was in ranges of keys that the value says was taken away. */
  DELETE_RANGES(4),
  /**
   * An operand that changes what there was, if anything; the only one that may not be redone twice.
   */
  MERGE(5);

  final byte code;

  LogOperation(int code) {
    this.code = (byte) code;
  }

  /** What stands for it in bytes. */
  public byte code() {
    return code;
  }

  /** The operation with a code; null when there is none. */
  public static @Nullable LogOperation withCode(byte code) {
    return switch (code) {
      case 1 -> INSERT;
      case 2 -> UPSERT;
      case 3 -> DELETE;
      case 4 -> DELETE_RANGES;
      case 5 -> MERGE;
      default -> null;
    };
  }
}
