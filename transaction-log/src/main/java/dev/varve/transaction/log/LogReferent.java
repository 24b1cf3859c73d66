package dev.varve.transaction.log;

import dev.varve.common.error.DiskException;

/** What records of a log refer to, and is not in it: made durable before they are. Thread-safe. */
@FunctionalInterface
public interface LogReferent {
  /** Returns once all that records refer to that were appended before the call is durable. */
  void force() throws DiskException;
}
