package dev.varve.benchmarks.measure;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.env.Worker;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** Runs the threads of a phase to their end. Thread-safe: no state. */
public final class Crew {
  private static final long SAMPLE_NANOS = 1_000_000_000L;

  private Crew() {}

  /** Is told about once a second how many operations are done. */
  @FunctionalInterface
  public interface Observer {
    /** So many of all threads. */
    void done(long operations) throws BenchmarkException;
  }

  /**
   * What came of all threads.
   *
   * @param startNanos when the first began
   * @param endNanos when the last ended
   * @param operations how many they did
   * @param allocatedBytes by them, on the heap
   * @param nanos how long operations took
   */
  public record Taken(
      long startNanos, long endNanos, long operations, long allocatedBytes, Histogram nanos) {
    private static Taken of(List<? extends ThreadWork> works) {
      List<Timings> all = works.stream().<Timings>map(ThreadWork::timings).toList();
      long start = all.stream().mapToLong(Timings::startNanos).min().orElseThrow();
      long end = all.stream().mapToLong(Timings::endNanos).max().orElseThrow();
      assert end >= start : end - start;
      Histogram nanos = new Histogram(all.get(0).histogram());
      all.forEach(each -> nanos.add(each.histogram()));
      return new Taken(
          start,
          end,
          all.stream().mapToLong(Timings::done).sum(),
          all.stream().mapToLong(Timings::allocatedBytes).sum(),
          nanos);
    }
  }

  /** One thread. */
  private static final class Member implements Worker {
    private final String name;
    private final ThreadWork work;
    private final Signal progressed;
    private @Nullable Throwable failure;
    private volatile boolean ended;

    Member(String name, ThreadWork work, Signal progressed) {
      this.name = name;
      this.work = work;
      this.progressed = progressed;
    }

    @Override
    public String name() {
      return name;
    }

    @Override
    public int doWork() {
      if (ended) {
        return 0;
      }
      try {
        work.run();
      } catch (BenchmarkException problem) {
        failure = problem;
      }
      ended = true;
      progressed.raise();
      return 0;
    }

    @Override
    public void failed(Throwable cause) {
      failure = cause;
      ended = true;
      progressed.raise();
    }
  }

  /**
   * Runs work, each in a thread of its own.
   *
   * @param name of what they do, in the message of a failure
   * @throws BenchmarkException when one of them failed
   */
  public static Taken run(
      String name, List<? extends ThreadWork> works, TaskExecutor executor, Observer observer)
      throws BenchmarkException {
    Signal progressed = executor.newSignal();
    List<Member> members = new ArrayList<>();
    works.forEach(work -> members.add(new Member(name + "-" + members.size(), work, progressed)));
    List<TaskExecutor.Handle> handles = new ArrayList<>();
    members.forEach(member -> handles.add(executor.start(member)));
    while (progressed.await(() -> members.stream().allMatch(each -> each.ended), SAMPLE_NANOS)
        != Signal.Outcome.DONE) {
      observer.done(works.stream().mapToLong(work -> work.timings().done()).sum());
    }
    handles.forEach(TaskExecutor.Handle::close);
    for (Member member : members) {
      Throwable failure = member.failure;
      if (failure != null) {
        throw new BenchmarkException(name + " failed: " + failure, failure);
      }
    }
    return Taken.of(works);
  }
}
