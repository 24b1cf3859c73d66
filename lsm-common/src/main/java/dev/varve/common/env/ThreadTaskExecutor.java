package dev.varve.common.env;

/**
 * Gives every worker a daemon thread of its own, named after it. Thread-safe: no state; a worker
 * lives until its handle is closed.
 */
public final class ThreadTaskExecutor implements TaskExecutor {
  @Override
  public Handle start(Worker worker) {
    WorkerThread thread = new WorkerThread(worker);
    thread.start();
    return thread;
  }

  @Override
  public Signal newSignal() {
    return new ThreadSignal();
  }
}
