package dev.varve.dataset.partition;

import dev.varve.transaction.log.LogOperation;

/** What is done to a record. */
enum RecordOperation {
  INSERT(LogOperation.INSERT),
  UPSERT(LogOperation.UPSERT),
  DELETE(LogOperation.DELETE),
  /** As an upsert that does not ask what was there. */
  PUT(LogOperation.UPSERT),
  /** As a delete that does not ask what was there. */
  REMOVE(LogOperation.DELETE);

  private final LogOperation logged;

  RecordOperation(LogOperation logged) {
    this.logged = logged;
  }

  /** How the log calls it. */
  LogOperation logged() {
    return logged;
  }

  /** Whether it is done without looking at the record before; only where no secondary needs it. */
  boolean blind() {
    return this == PUT || this == REMOVE;
  }
}
