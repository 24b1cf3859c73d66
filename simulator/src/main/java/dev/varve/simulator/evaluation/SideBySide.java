package dev.varve.simulator.evaluation;

import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Jobs that are done some at a time, in their order, each by one worker. Thread-safe. */
final class SideBySide {
  private final Queue<Runnable> waiting;
  private final AtomicInteger left;
  private final AtomicReference<@Nullable Throwable> problem = new AtomicReference<>();
  private final Signal ended;

  private SideBySide(List<Runnable> jobs, Signal ended) {
    this.waiting = new ConcurrentLinkedQueue<>(jobs);
    this.left = new AtomicInteger(jobs.size());
    this.ended = ended;
  }

  /**
   * Does all jobs.
   *
   * @throws IllegalStateException when one of them threw something, or the caller is interrupted;
   *     jobs that had begun have ended then
   */
  static void run(TaskExecutor executor, int atOnce, List<Runnable> jobs) {
    SideBySide all = new SideBySide(jobs, executor.newSignal());
    List<TaskExecutor.Handle> handles = new ArrayList<>();
    try {
      for (int i = 1; i <= Math.min(atOnce, jobs.size()); i++) {
        handles.add(executor.start(all.new JobWorker("varve-job-" + i)));
      }
      Signal.Outcome outcome = all.ended.await(all::over, Signal.FOREVER);
      @Nullable Throwable problem = all.problem.get();
      if (problem != null || outcome != Signal.Outcome.DONE) {
        all.waiting.clear();
        throw new IllegalStateException("jobs were not done", problem);
      }
    } finally {
      handles.forEach(TaskExecutor.Handle::close);
    }
  }

  private boolean over() {
    return left.get() == 0 || problem.get() != null;
  }

  /** Does one job at each step. */
  private final class JobWorker implements Worker {
    private final String name;

    JobWorker(String name) {
      this.name = name;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int doWork() {
      @Nullable Runnable job = waiting.poll();
      if (job == null) {
        return 0;
      }
      job.run();
      left.decrementAndGet();
      ended.raise();
      return 1;
    }

    @Override
    public void failed(Throwable cause) {
      problem.compareAndSet(null, cause);
      ended.raise();
    }
  }
}
