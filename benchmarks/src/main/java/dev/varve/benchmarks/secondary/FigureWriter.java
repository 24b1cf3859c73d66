package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.ThreadWork;
import dev.varve.benchmarks.measure.Timings;
import dev.varve.common.env.Clock;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.RecordSession;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.Histogram;

/**
 * Writes what arrives, in turn with other writers, each write forced before the next, and times it
 * from its arrival on. Confined to its thread.
 */
final class FigureWriter implements ThreadWork {
  private final FigureCourse course;
  private final Dataset dataset;
  private final FigureRecords records;
  private final Clock clock;
  private final Timings timings;

  FigureWriter(FigureCourse course, Dataset dataset, FigureRecords records, Clock clock) {
    this.course = course;
    this.dataset = dataset;
    this.records = records;
    this.clock = clock;
    this.timings = new Timings(clock);
  }

  @Override
  public Timings timings() {
    return timings;
  }

  @Override
  public void run() throws BenchmarkException {
    timings.start();
    course.begin();
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
    } catch (StorageException failure) {
      throw new BenchmarkException("write: " + failure.getMessage(), failure);
    }
    timings.end();
  }

  /** The 99th percentile of all writes of some writers that have ended. */
  static double p99Millis(List<FigureWriter> writers) {
    Histogram all = new Histogram(writers.get(0).timings.histogram());
    writers.forEach(writer -> all.add(writer.timings.histogram()));
    return all.getValueAtPercentile(99) / 1e6;
  }
}
