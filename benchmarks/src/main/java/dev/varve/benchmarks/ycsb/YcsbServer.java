package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Found;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.store.DiskBytes;
import dev.varve.benchmarks.store.StoreException;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Signal;
import dev.varve.common.env.TaskExecutor;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.function.DoubleConsumer;
import java.util.function.ToLongFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** Runs passes of one workload over one store. Confined to the main thread of a child. */
public final class YcsbServer implements Workload<YcsbRequest> {
  private static final long SAMPLE_NANOS = 1_000_000_000L;

  /** How many passes of a workload the generator of keys is made for. */
  private static final int PASSES = 2;

  private final FileSystem files;
  private final Clock clock;
  private final TaskExecutor executor;
  private @Nullable YcsbClients clients;
  private @Nullable YcsbWorkload begun;
  private @Nullable CoreWorkload core;

  /** A server over these seams. */
  public YcsbServer(FileSystem files, Clock clock, TaskExecutor executor) {
    this.files = files;
    this.clock = clock;
    this.executor = executor;
  }

  @Override
  public Class<YcsbRequest> requestType() {
    return YcsbRequest.class;
  }

  @Override
  public boolean isLast(YcsbRequest request) {
    return request.work() == null;
  }

  @Override
  public @Nullable YcsbAnswer answer(YcsbRequest request, DoubleConsumer progress)
      throws BenchmarkException {
    try {
      YcsbRequest.Work work = request.work();
      if (work == null) {
        close();
        return null;
      }
      if (clients == null) {
        clients = request.store().open(request.settings());
      }
      Properties properties = properties(work);
      return run(
          request, new YcsbWorker.Pass(workload(work, properties), properties, work), progress);
    } catch (StoreException | WorkloadException failure) {
      throw new BenchmarkException(String.valueOf(failure.getMessage()), failure);
    }
  }

  private void close() throws StoreException {
    if (clients != null) {
      clients.close();
      clients = null;
    }
  }

  private static Properties properties(YcsbRequest.Work work) {
    YcsbWorkload workload = work.workload() == null ? YcsbWorkload.C : work.workload();
    return workload.properties(work.records(), PASSES * work.operations());
  }

  /** YCSB's own: the second pass over one goes on with its keys where the first one ended. */
  private CoreWorkload workload(YcsbRequest.Work work, Properties properties)
      throws WorkloadException {
    if (core != null && begun != work.workload()) {
      throw new IllegalStateException("one workload a process, not " + work);
    }
    if (core == null) {
      Measurements.setProperties(properties);
      CoreWorkload made = new CoreWorkload();
      made.init(properties);
      core = made;
      begun = work.workload();
    }
    return core;
  }

  private YcsbAnswer run(YcsbRequest request, YcsbWorker.Pass pass, DoubleConsumer progress)
      throws BenchmarkException {
    ProcessCost before = ProcessCost.now(files);
    List<YcsbWorker> workers = operate(Objects.requireNonNull(clients), pass, progress);
    long start = workers.stream().mapToLong(YcsbWorker::startNanos).min().orElseThrow();
    long end = workers.stream().mapToLong(YcsbWorker::endNanos).max().orElseThrow();
    assert end >= start : end - start;
    long rows = sum(workers, CheckedClient::rows);
    Histogram all = new Histogram(workers.get(0).histogram());
    workers.forEach(worker -> all.add(worker.histogram()));
    double seconds = (end - start) / 1e9;
    Measurement measurement =
        new Measurement(
            workers.stream().mapToLong(YcsbWorker::done).sum(),
            rows * YcsbSettings.RECORD_BYTES,
            seconds,
            seconds,
            sum(workers, CheckedClient::wrong),
            Latency.of(all, 1),
            ProcessCost.now(files)
                .since(before, 0, DiskBytes.below(request.settings().directory())),
            List.of(),
            new Found(rows, 0, 0));
    return new YcsbAnswer(measurement, sum(workers, CheckedClient::inserted));
  }

  private static long sum(List<YcsbWorker> workers, ToLongFunction<CheckedClient> count) {
    return workers.stream()
        .mapToLong(worker -> count.applyAsLong(Objects.requireNonNull(worker.client())))
        .sum();
  }

  private List<YcsbWorker> operate(
      YcsbClients opened, YcsbWorker.Pass pass, DoubleConsumer progress) throws BenchmarkException {
    assert pass.work().operations() > 0;
    assert pass.work().threads() > 0;
    Signal progressed = executor.newSignal();
    List<YcsbWorker> workers = new ArrayList<>();
    List<TaskExecutor.Handle> handles = new ArrayList<>();
    for (int number = 0; number < pass.work().threads(); number++) {
      workers.add(new YcsbWorker(opened, pass, number, clock, progressed));
    }
    workers.forEach(worker -> handles.add(executor.start(worker)));
    while (progressed.await(() -> workers.stream().allMatch(YcsbWorker::ended), SAMPLE_NANOS)
        != Signal.Outcome.DONE) {
      long done = workers.stream().mapToLong(YcsbWorker::done).sum();
      progress.accept(Math.min(1, done / (double) pass.work().operations()));
    }
    handles.forEach(TaskExecutor.Handle::close);
    for (YcsbWorker worker : workers) {
      Throwable failure = worker.failure();
      if (failure != null) {
        throw new BenchmarkException("a thread of YCSB failed: " + failure, failure);
      }
      CheckedClient client = worker.client();
      if (client != null && client.firstWrong() != null) {
        System.err.println(worker.name() + ": " + client.firstWrong());
      }
    }
    return workers;
  }
}
