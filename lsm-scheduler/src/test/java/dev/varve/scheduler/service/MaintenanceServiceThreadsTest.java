package dev.varve.scheduler.service;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.Signal;
import dev.varve.common.env.SystemClock;
import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.maintenance.MaintenanceTask;
import dev.varve.scheduler.budget.IoBudget;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * Goal: with real threads no task is stepped by two at once, and a wait for quiet ends. Method:
 * many short tasks on several merge workers, handed in by other threads, that check themselves.
 */
final class MaintenanceServiceThreadsTest {
  private static final int SUBMITTERS = 4;
  private static final int TASKS_EACH = 100;

  private final AtomicInteger problems = new AtomicInteger();
  private final AtomicInteger finished = new AtomicInteger();

  @Test
  void noTaskIsSteppedByTwoThreadsAtOnce() throws InterruptedException {
    MaintenanceContext context =
        new MaintenanceContext(
            new SystemClock(),
            new ThreadTaskExecutor(),
            IoBudget.ofBytesPerSecond(1L << 30),
            new CountingListener());
    try (MaintenanceService service =
        MaintenanceService.start(MaintenanceOptions.DEFAULTS.withMergeThreads(3), context)) {
      List<Thread> submitters = new ArrayList<>();
      for (int i = 0; i < SUBMITTERS; i++) {
        Thread submitter = new Thread(() -> submitAll(service));
        submitters.add(submitter);
        submitter.start();
      }
      for (Thread submitter : submitters) {
        submitter.join();
      }
      assertEquals(Signal.Outcome.DONE, service.awaitQuiet(Signal.FOREVER));
      assertTrue(service.poison().isEmpty(), () -> service.poison().toString());
    }
    assertEquals(0, problems.get());
    assertEquals(SUBMITTERS * TASKS_EACH, finished.get());
  }

  private void submitAll(MaintenanceService service) {
    for (int i = 0; i < TASKS_EACH; i++) {
      service.submit(
          new CheckedTask(
              i % 4 == 0 ? MaintenanceTask.Kind.FLUSH : MaintenanceTask.Kind.MERGE, 1 + i % 7));
    }
  }

  private final class CountingListener implements MaintenanceListener {
    @Override
    public void finished(TaskReport task) {
      finished.incrementAndGet();
    }

    @Override
    public void failed(TaskReport task, StorageException cause) {
      problems.incrementAndGet();
    }

    @Override
    public void poisoned(Throwable cause) {
      problems.incrementAndGet();
    }
  }

  /** Counts its steps without any lock of its own, as a task may. */
  private final class CheckedTask implements MaintenanceTask {
    private final Kind kind;
    private final AtomicBoolean inStep = new AtomicBoolean();
    private int stepsLeft;

    CheckedTask(Kind kind, int steps) {
      this.kind = kind;
      this.stepsLeft = steps;
    }

    @Override
    public Kind kind() {
      return kind;
    }

    @Override
    public String describe() {
      return "checked task";
    }

    @Override
    public long remainingInputBytes() {
      return stepsLeft;
    }

    @Override
    public long step(long maxBytes) {
      if (!inStep.compareAndSet(false, true) || stepsLeft == 0) {
        problems.incrementAndGet();
      }
      stepsLeft--;
      inStep.set(false);
      return 1000;
    }

    @Override
    public boolean done() {
      return stepsLeft == 0;
    }

    @Override
    public void cancel() {
      problems.incrementAndGet();
    }
  }
}
