package dev.varve.common.env;

/**
 * The only door to threads. Background work is a {@link Worker}; whoever has to wait, waits on a
 * {@link Signal} made here. So a stepped executor in tests can run every background step, and every
 * wait, on one thread and in a seeded order. Thread-safe.
 */
public interface TaskExecutor {
  /** Starts running a worker; it sleeps when idle until woken, or for its nap. */
  Handle start(Worker worker);

  /** A new signal, raised by nobody yet. */
  Signal newSignal();

  /** A running worker. */
  interface Handle extends AutoCloseable {
    /** Tells the worker that there may be work; never blocks, may be called from anywhere. */
    void wake();

    /**
     * Waits for the current step to end and stops the worker; idempotent. A worker that closes its
     * own handle ends after the step.
     */
    @Override
    void close();
  }
}
