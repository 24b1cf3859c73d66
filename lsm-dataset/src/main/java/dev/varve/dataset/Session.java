package dev.varve.dataset;

import dev.varve.common.error.OutcomeUnknownException;
import dev.varve.common.error.StorageException;

/**
 * Changes of a store that share one force of the log: a batch. Each is a transaction of its own;
 * one that throws left nothing behind, and the session goes on (unless the engine has failed). A
 * change that returned is committed but not yet acknowledged: it holds its lock, so that no other
 * reader sees it, until {@link #force} returns. Before a change has to wait, for another's lock or
 * at the gate, the session forces what it has, so that it never waits while others wait for it.
 * {@link #close} forces what is left. Slices and arrays are the caller's again when a call returns.
 * Confined to one thread.
 */
public sealed interface Session extends AutoCloseable permits RecordSession, KeyValueSession {
  /** Changes that are committed and not yet forced. */
  int unforced();

  /**
   * Makes every change so far durable to the session's level, and lets others see them. When it
   * returns they are acknowledged.
   *
   * @throws OutcomeUnknownException when the log failed on the way; what was changed stays locked
   */
  void force() throws StorageException;

  /** Forces what is left and ends the session; idempotent. */
  @Override
  void close() throws StorageException;
}
