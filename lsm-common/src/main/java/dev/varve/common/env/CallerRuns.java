package dev.varve.common.env;

import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * Runs every task in the thread that hands it in. It turns an asynchronous file channel into a
 * synchronous one that, unlike {@code FileChannel}, no interrupt can close. Thread-safe: no state;
 * shared by all files and therefore never shut down.
 */
final class CallerRuns extends AbstractExecutorService {
  static final CallerRuns INSTANCE = new CallerRuns();

  private CallerRuns() {}

  @Override
  public void execute(Runnable task) {
    task.run();
  }

  @Override
  public void shutdown() {
    // There is nothing to stop: no task outlives the call that brought it.
  }

  @Override
  public List<Runnable> shutdownNow() {
    return List.of();
  }

  @Override
  public boolean isShutdown() {
    return false;
  }

  @Override
  public boolean isTerminated() {
    return false;
  }

  @Override
  public boolean awaitTermination(long timeout, TimeUnit unit) {
    return true;
  }
}
