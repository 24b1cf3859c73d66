package dev.varve.common.env;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;

/**
 * The thread of one worker. Thread-safe.
 *
 * <p>Implementation note: {@link #state} carries the wake-ups. A step begins by taking the state to
 * {@code RUNNING}; a wake moves it to {@code WOKEN} from wherever it is and unparks the thread only
 * when that was {@code PARKED}; the thread parks only after {@code RUNNING -> PARKED} succeeded. So
 * a wake during a step makes the next step happen, and what was written before the wake is seen by
 * it.
 */
@SeamImplementation
final class WorkerThread implements TaskExecutor.Handle, Runnable {
  private enum State {
    RUNNING,
    WOKEN,
    PARKED
  }

  private final Worker worker;
  private final Thread thread;
  private final AtomicReference<State> state = new AtomicReference<>(State.WOKEN);
  private final CountDownLatch ended = new CountDownLatch(1);
  private volatile boolean closed;

  WorkerThread(Worker worker) {
    this.worker = worker;
    this.thread = new Thread(this, worker.name());
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  @Override
  public void run() {
    try {
      while (!closed) {
        state.getAndSet(State.RUNNING);
        if (worker.doWork() == 0) {
          idle();
        }
      }
    } catch (Throwable bug) {
      tell(bug);
    } finally {
      ended.countDown();
    }
  }

  /**
   * A handler that fails, as when there is no heap to report that there is none, is asked once
   * more: what has to stop with the worker must learn of it.
   */
  private void tell(Throwable bug) {
    try {
      worker.failed(bug);
    } catch (Throwable second) {
      worker.failed(bug);
    }
  }

  private void idle() {
    long nap = worker.napNanos();
    if (!state.compareAndSet(State.RUNNING, State.PARKED)) {
      return;
    }
    long start = System.nanoTime();
    while (state.get() == State.PARKED && !closed) {
      // An interrupt would turn parking into spinning; nothing here listens to it.
      Thread.interrupted();
      if (nap == Signal.FOREVER) {
        LockSupport.park(this);
      } else {
        long left = nap - (System.nanoTime() - start);
        if (left <= 0) {
          return;
        }
        LockSupport.parkNanos(this, left);
      }
    }
  }

  @Override
  public void wake() {
    if (state.getAndSet(State.WOKEN) == State.PARKED) {
      LockSupport.unpark(thread);
    }
  }

  @Override
  public void close() {
    closed = true;
    wake();
    if (Thread.currentThread() == thread) {
      return;
    }
    boolean interrupted = false;
    while (true) {
      try {
        ended.await();
        break;
      } catch (InterruptedException interrupt) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
