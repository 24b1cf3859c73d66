package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.ThreadWork;
import dev.varve.benchmarks.measure.Timings;
import dev.varve.common.env.Clock;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.RecordSession;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.KeySearch;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/** What a thread of a phase does with the dataset. Confined to it. */
final class FigureThread implements ThreadWork {
  private final FigureCourse course;
  private final Dataset dataset;
  private final Clock clock;
  private final Role role;
  private final Timings timings;

  private FigureThread(FigureCourse course, Dataset dataset, Clock clock, Role role) {
    this.course = course;
    this.dataset = dataset;
    this.clock = clock;
    this.role = role;
    this.timings = new Timings(clock);
  }

  /** What the thread does until the phase is over. */
  @FunctionalInterface
  private interface Role {
    void play(FigureThread thread) throws StorageException;
  }

  /**
   * Writes what arrives, in turn with other writers, each write forced before the next, and times
   * it from its arrival on.
   */
  static FigureThread writing(
      FigureCourse course, Dataset dataset, Clock clock, FigureRecords records) {
    return new FigureThread(course, dataset, clock, thread -> thread.write(records));
  }

  /** Asks a secondary index for records, one query after the other. */
  static FigureThread asking(
      FigureCourse course, Dataset dataset, Clock clock, FigureRecords records) {
    return new FigureThread(course, dataset, clock, thread -> thread.ask(records));
  }

  @Override
  public Timings timings() {
    return timings;
  }

  @Override
  public void run() throws BenchmarkException {
    timings.start();
    course.begin();
    try {
      role.play(this);
    } catch (StorageException failure) {
      throw new BenchmarkException(String.valueOf(failure.getMessage()), failure);
    }
    timings.end();
  }

  private void write(FigureRecords records) throws StorageException {
    try (RecordSession session = dataset.openSession()) {
      for (long now = clock.nanoTime(); !course.isOver(now); now = clock.nanoTime()) {
        long due = course.nextArrival(now);
        while (due > now && !course.isOver(now)) {
          LockSupport.parkNanos(due - now);
          now = clock.nanoTime();
        }
        session.upsert(records.updated());
        session.force();
        long ended = clock.nanoTime();
        if (!course.isWarmUp(due)) {
          timings.record(ended - due);
        }
        course.wrote(ended);
      }
    }
  }

  private void ask(FigureRecords records) throws StorageException {
    for (long now = clock.nanoTime(); !course.isOver(now); now = clock.nanoTime()) {
      int selectivity = course.selectivity(now);
      KeySearch search = records.search(SecondaryFigure.SELECTIVITIES.get(selectivity));
      try (KeyCursor cursor = dataset.search("a", search)) {
        while (cursor.next()) {
          assert cursor.key().length() > 0 : search;
        }
      }
      course.answered(selectivity, clock.nanoTime() - now);
    }
  }

  /** The 99th percentile of all operations that some threads, which have ended, have timed. */
  static double p99Millis(List<FigureThread> threads) {
    Histogram all = new Histogram(threads.get(0).timings.histogram());
    threads.forEach(thread -> all.add(thread.timings.histogram()));
    return all.getValueAtPercentile(99) / 1e6;
  }
}
