package dev.varve.transaction.log;

import dev.varve.common.bytes.Slice;

/**
 * One operation on one index, on its way into the log. Mutable, so that a writer fills the same one
 * again and again; confined to its owner. The slices are read during the append and not kept beyond
 * the next call.
 */
public final class LogUpdate {
  private static final Slice NO_BYTES = new Slice();

  private long transaction;
  private long previousLsn = -1;
  private int index;
  private LogOperation operation = LogOperation.INSERT;
  private Slice key = NO_BYTES;
  private Slice value = NO_BYTES;

  /** An update of nothing, to be filled. */
  public LogUpdate() {}

  /** The transaction that updates. */
  public LogUpdate transaction(long id) {
    this.transaction = id;
    return this;
  }

  /** LSN of the transaction's previous record, -1 for its first. */
  public LogUpdate previousLsn(long lsn) {
    this.previousLsn = lsn;
    return this;
  }

  /** The index that is updated, and how. */
  public LogUpdate change(int index, LogOperation operation) {
    this.index = index;
    this.operation = operation;
    return this;
  }

  /** The entry; a deletion may carry an empty value. */
  public LogUpdate entry(Slice key, Slice value) {
    this.key = key;
    this.value = value;
    return this;
  }

  long transaction() {
    return transaction;
  }

  long previousLsn() {
    return previousLsn;
  }

  int index() {
    return index;
  }

  LogOperation operation() {
    return operation;
  }

  Slice key() {
    return key;
  }

  Slice value() {
    return value;
  }
}
