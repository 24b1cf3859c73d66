package dev.varve.simulator.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.varve.common.env.ThreadTaskExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Goal: all jobs are done, so many at a time and no more. Method: jobs that count themselves. */
final class SideBySideTest {
  private final ThreadTaskExecutor executor = new ThreadTaskExecutor();
  private final Queue<Integer> done = new ConcurrentLinkedQueue<>();

  private List<Runnable> jobs(int count) {
    List<Runnable> jobs = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      int number = i;
      jobs.add(() -> done.add(number));
    }
    return jobs;
  }

  @Test
  void oneAtATimeIsInOrder() {
    SideBySide.run(executor, 1, jobs(50));
    List<Integer> due = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      due.add(i);
    }
    assertEquals(due, List.copyOf(done));
  }

  @Test
  void neverMoreThanSoManyAtATime() {
    AtomicInteger now = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    List<Runnable> jobs = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      jobs.add(
          () -> {
            most.accumulateAndGet(now.incrementAndGet(), Math::max);
            done.add(1);
            now.decrementAndGet();
            done.add(0);
          });
    }
    SideBySide.run(executor, 3, jobs);
    assertEquals(400, done.size());
    assertTrue(most.get() <= 3, most::toString);
  }

  @Test
  void noJobsAreDoneAtOnce() {
    SideBySide.run(executor, 4, List.of());
    assertEquals(0, done.size());
  }

  @Test
  void aBugInAJobIsTold() {
    List<Runnable> jobs = jobs(3);
    IllegalArgumentException bug = new IllegalArgumentException("bug");
    jobs.set(
        1,
        () -> {
          throw bug;
        });
    IllegalStateException told =
        assertThrows(IllegalStateException.class, () -> SideBySide.run(executor, 2, jobs));
    assertSame(bug, told.getCause());
  }
}
