package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.measure.Crew;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Found;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.store.DiskBytes;
import dev.varve.common.env.Clock;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.function.DoubleConsumer;
import java.util.function.ToLongFunction;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import site.ycsb.WorkloadException;
import site.ycsb.measurements.Measurements;
import site.ycsb.workloads.CoreWorkload;

/** Runs passes of one workload over one store. Confined to the main thread of a child. */
public final class YcsbServer implements Workload<YcsbRequest> {
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
    } catch (WorkloadException failure) {
      throw new BenchmarkException(String.valueOf(failure.getMessage()), failure);
    }
  }

  private void close() throws BenchmarkException {
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
    YcsbRequest.Work work = pass.work();
    assert work.operations() > 0;
    assert work.threads() > 0;
    YcsbClients opened = Objects.requireNonNull(clients);
    List<YcsbWorker> workers =
        IntStream.range(0, work.threads())
            .mapToObj(number -> new YcsbWorker(opened, pass, number, clock))
            .toList();
    ProcessCost before = ProcessCost.now(files);
    Crew.Taken taken =
        Crew.run(
            "YCSB",
            workers,
            executor,
            done -> progress.accept(Math.min(1, done / (double) work.operations())));
    for (YcsbWorker worker : workers) {
      if (worker.client().firstWrong() != null) {
        System.err.println("a thread of YCSB: " + worker.client().firstWrong());
      }
    }
    long rows = sum(workers, CheckedClient::rows);
    double seconds = (taken.endNanos() - taken.startNanos()) / 1e9;
    Measurement measurement =
        new Measurement(
            taken.operations(),
            rows * YcsbSettings.RECORD_BYTES,
            seconds,
            seconds,
            sum(workers, CheckedClient::wrong),
            Latency.of(taken.nanos(), 1),
            ProcessCost.now(files)
                .since(before, 0, DiskBytes.below(request.settings().directory())),
            List.of(),
            new Found(rows, 0, 0));
    return new YcsbAnswer(measurement, sum(workers, CheckedClient::inserted));
  }

  private static long sum(List<YcsbWorker> workers, ToLongFunction<CheckedClient> count) {
    return workers.stream().mapToLong(worker -> count.applyAsLong(worker.client())).sum();
  }
}
