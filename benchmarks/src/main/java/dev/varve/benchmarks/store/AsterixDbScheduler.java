package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.storage.am.lsm.common.api.IIoOperationFailedCallback;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperation;
import org.apache.hyracks.storage.am.lsm.common.api.ILSMIOOperationScheduler;
import org.apache.hyracks.storage.am.lsm.common.impls.AsynchronousScheduler;
import org.jspecify.annotations.Nullable;

/**
 * Hyracks' asynchronous scheduler, which cannot say whether it is quiet, with a count of what it
 * was given and has not finished. Thread-safe.
 */
final class AsterixDbScheduler implements ILSMIOOperationScheduler, IIoOperationFailedCallback {
  private static final int FLUSHES = 1;
  private static final int MERGES = 2;

  private final AtomicInteger unfinished = new AtomicInteger();
  private final AtomicReference<@Nullable Throwable> failure = new AtomicReference<>();
  private final AsynchronousScheduler scheduler =
      new AsynchronousScheduler(AsterixDbScheduler::daemon, this, FLUSHES, MERGES);

  /** A thread of Hyracks', which ends with the process at the latest. */
  static Thread daemon(Runnable task) {
    Thread thread = new Thread(null, task, "hyracks");
    thread.setDaemon(true);
    return thread;
  }

  @Override
  public void scheduleOperation(ILSMIOOperation operation) {
    unfinished.incrementAndGet();
    operation.addCompleteListener(done -> unfinished.decrementAndGet());
    scheduler.scheduleOperation(operation);
  }

  @Override
  public void completeOperation(ILSMIOOperation operation) throws HyracksDataException {
    scheduler.completeOperation(operation);
  }

  @Override
  public void operationFailed(ILSMIOOperation operation, Throwable cause) {
    failure.compareAndSet(null, cause);
  }

  @Override
  public void schedulerFailed(ILSMIOOperationScheduler failed, Throwable cause) {
    failure.compareAndSet(null, cause);
  }

  boolean busy() {
    return unfinished.get() > 0;
  }

  void requireWell() throws BenchmarkException {
    Throwable cause = failure.get();
    if (cause != null) {
      throw new BenchmarkException("a flush or merge failed", cause);
    }
  }

  void close() throws BenchmarkException {
    try {
      scheduler.close();
    } catch (IOException e) {
      throw new BenchmarkException("close the scheduler", e);
    }
  }
}
