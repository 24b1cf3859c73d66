package dev.varve.benchmarks.index;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Found;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.Measurement.Sample;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.measure.Timings;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.store.StoreFigures;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;

/**
 * Measures what one thread does with a store: each operation is timed from the end of the one
 * before, so that no stall is missed. Confined to that thread.
 */
public final class PhaseMeter {
  /** How many queries stores are compared by before any is timed. */
  private static final int CHECKED = 200;

  private static final long SAMPLE_NANOS = 1_000_000_000L;

  private final IndexStore store;
  private final FileSystem files;
  private final Clock clock;

  /** A change of the store. */
  @FunctionalInterface
  public interface Change {
    /** Makes the number-th one. */
    void make(int number) throws BenchmarkException;
  }

  /** A query. */
  @FunctionalInterface
  public interface Query {
    /** Asks the number-th one, and hands on what it finds. */
    void ask(int number, IdSink found) throws BenchmarkException;
  }

  /** Counts; a class of its own, so that all stores pay the same for handing on a result. */
  private static final class Count implements IdSink {
    private long rows;
    private long sum;

    @Override
    public void accept(long id) {
      rows++;
      sum += id;
    }
  }

  /** A meter of one store. */
  public PhaseMeter(IndexStore store, FileSystem files, Clock clock) {
    this.store = store;
    this.files = files;
    this.clock = clock;
  }

  /**
   * Makes changes until there are no more or the time is up, and then settles the store.
   *
   * @param count how many there are
   * @param recordBytes of one of them
   * @param work says for how long
   */
  public Measurement change(
      int count, int recordBytes, Work work, Change change, DoubleConsumer progress)
      throws BenchmarkException {
    return change(count, recordBytes, work.effort().seconds(), change, progress);
  }

  /**
   * Loads a part of so many records into a store that is thrown away, so that the load that is
   * measured is not one of the JVM's compilers.
   */
  public void warmUp(int count, int recordBytes, Change change) throws BenchmarkException {
    change(
        count / IndexSettings.SCRATCH_EVERY,
        recordBytes,
        IndexSettings.SCRATCH_SECONDS,
        change,
        share -> {});
  }

  private Measurement change(
      int count, int recordBytes, double capSeconds, Change change, DoubleConsumer progress)
      throws BenchmarkException {
    Timings timings = new Timings(clock);
    List<Sample> samples = new ArrayList<>();
    ProcessCost before = ProcessCost.now(files);
    long start = timings.start();
    long deadline = start + (long) (capSeconds * 1e9);
    long last = start;
    long sampled = start;
    int sampledDone = 0;
    int done = 0;
    while (done < count && last < deadline) {
      change.make(done);
      done++;
      long now = clock.nanoTime();
      timings.record(now - last);
      last = now;
      if (now - sampled >= SAMPLE_NANOS) {
        StoreFigures figures = store.figures();
        samples.add(
            new Sample(
                (now - start) / 1e9,
                (done - sampledDone) * 1e9 / (now - sampled),
                figures.components(),
                figures.diskBytes()));
        progress.accept(Math.max(done / (double) count, (now - start) / 1e9 / capSeconds));
        sampled = now;
        sampledDone = done;
      }
    }
    progress.accept(1);
    store.settle();
    timings.end();
    return new Measurement(
        done,
        (long) done * recordBytes,
        (last - start) / 1e9,
        (timings.endNanos() - start) / 1e9,
        0,
        Latency.of(timings.histogram(), 1),
        ProcessCost.now(files).since(before, timings.allocatedBytes(), store.figures().diskBytes()),
        samples,
        Found.NOTHING);
  }

  /**
   * Asks queries over and over for a while, after a round in which their results are made into a
   * digest.
   *
   * @param count how many there are
   * @param work says for how long; its first round begins with as many unmeasured ones, the others
   *     with a tenth
   */
  public Measurement ask(int count, Work work, Query query) throws BenchmarkException {
    double window = work.effort().seconds();
    Digest digest = new Digest();
    for (int number = 0; number < Math.min(count, CHECKED); number++) {
      query.ask(number, digest);
      digest.endSet();
    }
    Count found = new Count();
    askFor(work.round() == 0 ? window : window / 10, count, query, found);
    found.rows = 0;
    long missesBefore = store.cacheMisses();
    ProcessCost before = ProcessCost.now(files);
    Timings timings = askFor(window, count, query, found);
    double took = (timings.endNanos() - timings.startNanos()) / 1e9;
    if (found.sum == Long.MIN_VALUE) {
      throw new IllegalStateException("never so, but the sum must not be optimized away");
    }
    return new Measurement(
        timings.done(),
        0,
        took,
        took,
        0,
        Latency.of(timings.histogram(), 1),
        ProcessCost.now(files).since(before, timings.allocatedBytes(), store.figures().diskBytes()),
        List.of(),
        new Found(found.rows, digest.value(), store.cacheMisses() - missesBefore));
  }

  private Timings askFor(double seconds, int count, Query query, Count found)
      throws BenchmarkException {
    Timings timings = new Timings(clock);
    timings.runAll(Long.MAX_VALUE, seconds, number -> query.ask((int) (number % count), found));
    return timings;
  }
}
