package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.Workload;
import dev.varve.benchmarks.measure.Crew;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.benchmarks.measure.Measurement.Found;
import dev.varve.benchmarks.measure.Measurement.Latency;
import dev.varve.benchmarks.measure.ProcessCost;
import dev.varve.benchmarks.measure.Work;
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
  private static final int PASSES = 4;

  private final FileSystem files;
  private final Clock clock;
  private final TaskExecutor executor;
  private @Nullable YcsbClients clients;
  private @Nullable String begun;
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
    return request.paced() == null;
  }

  @Override
  public @Nullable YcsbAnswer answer(YcsbRequest request, DoubleConsumer progress)
      throws BenchmarkException {
    try {
      YcsbRequest.Paced paced = request.paced();
      if (paced == null) {
        close();
        return null;
      }
      if (clients == null) {
        clients = request.store().open(request.settings(), request.maintenance());
      }
      Properties properties = properties(paced.work(), request.settings().valueBytes());
      CoreWorkload workload = workload(paced.work(), properties);
      return run(
          request,
          new YcsbWorker.Pass(workload, properties, paced, executor.newSignal()),
          progress);
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

  private static Properties properties(Work work, int recordBytes) throws BenchmarkException {
    boolean load = work.task().equals(YcsbRequest.LOAD);
    // YCSB loads the same records for every workload.
    YcsbPass pass = YcsbPass.of(load ? YcsbWorkload.C.label() : work.task());
    Properties properties =
        pass.properties(work.records().count(), PASSES * work.effort().operations());
    properties.setProperty(
        CoreWorkload.FIELD_LENGTH_PROPERTY,
        Integer.toString(recordBytes / YcsbSettings.Records.FIELDS));
    return properties;
  }

  /** YCSB's own: the second pass over one goes on with its keys where the first one ended. */
  private CoreWorkload workload(Work work, Properties properties) throws WorkloadException {
    if (core != null && !work.task().equals(begun)) {
      throw new IllegalStateException("one workload a process, not " + work);
    }
    if (core == null) {
      Measurements.setProperties(properties);
      CoreWorkload made = new CoreWorkload();
      made.init(properties);
      core = made;
      begun = work.task();
    }
    return core;
  }

  private YcsbAnswer run(YcsbRequest request, YcsbWorker.Pass pass, DoubleConsumer progress)
      throws BenchmarkException {
    long operations = pass.effort().operations();
    int threads = pass.effort().threads();
    assert operations > 0 && threads > 0 : pass;
    YcsbClients opened = Objects.requireNonNull(clients);
    List<YcsbWorker> workers =
        IntStream.range(0, threads)
            .mapToObj(number -> new YcsbWorker(opened, pass, number, clock))
            .toList();
    ProcessCost before = ProcessCost.now(files);
    Crew.Taken taken =
        Crew.run(
            "YCSB",
            workers,
            executor,
            done -> progress.accept(Math.min(1, done / (double) operations)));
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
            rows * request.settings().valueBytes(),
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
