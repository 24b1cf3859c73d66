package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Found;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.Measurement.Sample;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.store.Store;
import dev.varve.benchmarks.store.StoreException;
import dev.varve.benchmarks.store.StoreFigures;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.DoubleConsumer;
import org.HdrHistogram.Histogram;

/**
 * Runs work on an open store and measures it. Confined to the main thread of a child, which looks
 * at the workers once a second.
 */
final class WorkRun {
  private static final long SAMPLE_NANOS = 1_000_000_000L;

  private final Store store;
  private final FileSystem files;
  private final Clock clock;
  private final TaskExecutor executor;

  WorkRun(Store store, FileSystem files, Clock clock, TaskExecutor executor) {
    this.store = store;
    this.files = files;
    this.clock = clock;
    this.executor = executor;
  }

  /**
   * Runs some work.
   *
   * @param progress is told the share that is done, about once a second
   */
  Measurement run(Work work, DoubleConsumer progress) throws StoreException, BenchmarkException {
    // Made before anything is measured, and once for all workers.
    Records records = new Records(work.keys().order(), work.keys().seed());
    if (work.warmUpSeconds() > 0) {
      operate(work.warmUp(), records, progress, new ArrayList<>());
    }
    ProcessCost before = ProcessCost.now(files);
    List<Sample> samples = new ArrayList<>();
    List<OperationWorker> workers = operate(work, records, progress, samples);
    long start = workers.stream().mapToLong(OperationWorker::startNanos).min().orElseThrow();
    long end = workers.stream().mapToLong(OperationWorker::endNanos).max().orElseThrow();
    long settled = end;
    if (work.action().settles()) {
      progress.accept(1);
      store.settle();
      settled = clock.nanoTime();
    }
    ProcessCost after = ProcessCost.now(files);
    long allocated = workers.stream().mapToLong(OperationWorker::allocatedBytes).sum();
    long operations = done(workers);
    return new Measurement(
        operations,
        operations * rows(work) * work.recordBytes(),
        (end - start) / 1e9,
        (settled - start) / 1e9,
        workers.stream().mapToLong(OperationWorker::wrongAnswers).sum(),
        latency(workers),
        after.since(before, allocated, store.figures().diskBytes()),
        samples,
        new Found(found(work, operations), 0, 0));
  }

  /**
   * Rows that were read; of changes that leave as many records as there were, how many those are.
   */
  private static long found(Work work, long operations) {
    return work.action() == Action.OVERWRITE ? work.end() - work.first() : operations * rows(work);
  }

  private static long rows(Work work) {
    boolean scans = work.action() == Action.SCAN_FORWARD || work.action() == Action.SCAN_BACKWARD;
    return scans ? OperationWorker.SCAN_LIMIT : 1;
  }

  private List<OperationWorker> operate(
      Work work, Records records, DoubleConsumer progress, List<Sample> samples)
      throws StoreException, BenchmarkException {
    Signal progressed = executor.newSignal();
    List<OperationWorker> workers = new ArrayList<>();
    List<TaskExecutor.Handle> handles = new ArrayList<>();
    for (int number = 0; number < work.threads(); number++) {
      workers.add(new OperationWorker(store, work, records, number, clock, progressed));
    }
    long start = clock.nanoTime();
    for (OperationWorker worker : workers) {
      handles.add(executor.start(worker));
    }
    long sampledNanos = start;
    long sampledDone = 0;
    while (progressed.await(() -> workers.stream().allMatch(OperationWorker::ended), SAMPLE_NANOS)
        != Signal.Outcome.DONE) {
      long now = clock.nanoTime();
      long done = done(workers);
      StoreFigures figures = store.figures();
      samples.add(
          new Sample(
              (now - start) / 1e9,
              (done - sampledDone) * 1e9 / (now - sampledNanos),
              figures.components(),
              figures.diskBytes()));
      sampledNanos = now;
      sampledDone = done;
      double byTime = (now - start) / 1e9 / work.seconds();
      progress.accept(Math.min(1, Math.max(byTime, done / (double) work.operations())));
    }
    handles.forEach(TaskExecutor.Handle::close);
    for (OperationWorker worker : workers) {
      Throwable failure = worker.failure();
      if (failure != null) {
        throw new BenchmarkException(work.action() + " failed: " + failure, failure);
      }
    }
    return workers;
  }

  private static long done(List<OperationWorker> workers) {
    return workers.stream().mapToLong(OperationWorker::done).sum();
  }

  private static Latency latency(List<OperationWorker> workers) {
    Histogram all = new Histogram(workers.get(0).histogram());
    workers.forEach(worker -> all.add(worker.histogram()));
    int timedEvery = workers.stream().mapToInt(OperationWorker::timedEvery).max().orElse(1);
    return Latency.of(all, timedEvery);
  }
}
