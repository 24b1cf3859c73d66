package dev.varve.transaction.recovery;

import dev.varve.common.error.StorageException;
import dev.varve.transaction.log.LogRecord;

/**
 * Looks after a crash for what records of a log refer to and that is not in it. Of a record that
 * was never forced it may be lost: the log ends before the first such one then, as before one that
 * is torn itself.
 */
@FunctionalInterface
public interface ReferentCheck {
  /** Whether what an update refers to is there, if anything; makes it durable then. */
  boolean isThere(LogRecord update) throws StorageException;
}
