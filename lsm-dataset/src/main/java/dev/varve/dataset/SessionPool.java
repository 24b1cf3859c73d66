package dev.varve.dataset;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.model.WriteOutcome;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * Sessions of a store for writes of one record, kept from one call to the next so that a call
 * allocates little. Thread-safe; each session is used by one call at a time.
 */
final class SessionPool<S extends Session> {
  private static final Logger LOGGER = LogManager.getLogger(SessionPool.class);

  /** Most idle sessions that are kept. */
  private static final int MOST_IDLE = 16;

  private final Opener<S> opener;
  private final ConcurrentLinkedDeque<S> idle = new ConcurrentLinkedDeque<>();
  private final AtomicInteger idleCount = new AtomicInteger();
  private volatile boolean closed;

  SessionPool(Opener<S> opener) {
    this.opener = opener;
  }

  /** Opens a session. */
  @FunctionalInterface
  interface Opener<S> {
    S open() throws StorageException;
  }

  /** What is done with a session. */
  @FunctionalInterface
  interface Operation<S> {
    WriteOutcome apply(S session) throws StorageException;
  }

  /** Writes with a session, durably. */
  WriteOutcome write(Operation<S> operation) throws StorageException {
    S session = idle.pollFirst();
    if (session == null) {
      session = opener.open();
    } else {
      idleCount.decrementAndGet();
    }
    boolean reusable = false;
    try {
      WriteOutcome outcome;
      try {
        outcome = operation.apply(session);
      } catch (StorageException | RuntimeException | Error e) {
        try {
          session.force();
          reusable = true;
        } catch (StorageException | RuntimeException second) {
          e.addSuppressed(second);
        }
        throw e;
      }
      session.force();
      reusable = true;
      return outcome;
    } finally {
      giveBack(session, reusable);
    }
  }

  /** Ends the sessions that are kept, and keeps none from now on. */
  void close() {
    closed = true;
    closeIdle();
  }

  private void closeIdle() {
    S session = idle.pollFirst();
    while (session != null) {
      idleCount.decrementAndGet();
      close(session);
      session = idle.pollFirst();
    }
  }

  private void close(S session) {
    try {
      session.close();
    } catch (StorageException | RuntimeException e) {
      // The writer that wrote with it has been told what came of that.
      LOGGER.debug("a session ended with a failure that its writer knows", e);
    }
  }

  /**
   * Keeps a session for the next call, or closes it: one that must not be used again, or too many.
   */
  private void giveBack(S session, boolean reusable) {
    if (!reusable || idleCount.get() >= MOST_IDLE) {
      close(session);
      return;
    }
    idleCount.incrementAndGet();
    idle.addFirst(session);
    if (closed) {
      closeIdle();
    }
  }
}
