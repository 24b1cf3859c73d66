package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Crew;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Found;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.Measurement.Sample;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.measure.Work;
import dev.varve.benchmarks.store.Store;
import dev.varve.benchmarks.store.StoreFigures;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.DoubleConsumer;
import java.util.stream.IntStream;

/**
 * Runs work on an open store and measures it. Confined to the main thread of a child, which looks
 * at the workers once a second.
 */
final class WorkRun {
  private final Subject subject;
  private final FileSystem files;
  private final Clock clock;
  private final TaskExecutor executor;

  /**
   * What work is done on.
   *
   * @param store which is open
   * @param records that it gets; made before anything is measured
   * @param valueBytes of each
   */
  record Subject(Store store, Records records, int valueBytes) {
    /** Bytes of a record. */
    int recordBytes() {
      return Records.KEY_BYTES + valueBytes;
    }
  }

  WorkRun(Subject subject, FileSystem files, Clock clock, TaskExecutor executor) {
    this.subject = subject;
    this.files = files;
    this.clock = clock;
    this.executor = executor;
  }

  /**
   * Runs some work.
   *
   * @param progress is told the share that is done, about once a second
   */
  Measurement run(Work work, DoubleConsumer progress) throws BenchmarkException {
    Store store = subject.store;
    Action action = Action.of(work);
    List<OperationWorker> workers =
        IntStream.range(0, work.effort().threads())
            .mapToObj(number -> new OperationWorker(subject, work, number, clock))
            .toList();
    ProcessCost before = ProcessCost.now(files);
    List<Sample> samples = new ArrayList<>();
    Crew.Taken taken = operate(work, workers, progress, samples);
    long settled = taken.endNanos();
    if (action.settles()) {
      progress.accept(1);
      store.settle();
      settled = clock.nanoTime();
    }
    ProcessCost after = ProcessCost.now(files);
    long operations = taken.operations();
    return new Measurement(
        operations,
        operations * rows(action) * subject.recordBytes(),
        (taken.endNanos() - taken.startNanos()) / 1e9,
        (settled - taken.startNanos()) / 1e9,
        workers.stream().mapToLong(OperationWorker::wrongAnswers).sum(),
        Latency.of(
            taken.nanos(), workers.stream().mapToInt(OperationWorker::timedEvery).max().orElse(1)),
        after.since(before, taken.allocatedBytes(), store.figures().diskBytes()),
        samples,
        new Found(found(work, operations), 0, 0));
  }

  /**
   * Rows that were read; of changes that leave as many records as there were, how many those are.
   */
  private static long found(Work work, long operations) {
    Action action = Action.of(work);
    return action == Action.OVERWRITE ? work.records().count() : operations * rows(action);
  }

  private static long rows(Action action) {
    boolean scans = action == Action.SCAN_FORWARD || action == Action.SCAN_BACKWARD;
    return scans ? OperationWorker.SCAN_LIMIT : 1;
  }

  /** The store that is open. */
  Store store() {
    return subject.store;
  }

  private Crew.Taken operate(
      Work work, List<OperationWorker> workers, DoubleConsumer progress, List<Sample> samples)
      throws BenchmarkException {
    AtomicLong sampled = new AtomicLong();
    long start = clock.nanoTime();
    return Crew.run(
        work.task(),
        workers,
        executor,
        done -> {
          double seconds = (clock.nanoTime() - start) / 1e9;
          StoreFigures figures = subject.store.figures();
          double since = samples.isEmpty() ? 0 : samples.get(samples.size() - 1).seconds();
          samples.add(
              new Sample(
                  seconds,
                  (done - sampled.getAndSet(done)) / (seconds - since),
                  figures.components(),
                  figures.diskBytes()));
          progress.accept(
              Math.min(
                  1,
                  Math.max(
                      seconds / work.effort().seconds(),
                      done / (double) work.effort().operations())));
        });
  }
}
