package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Measurement;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.EngineStats;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.tuner.TunerText;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.SimulationOptions;
import dev.varve.simulator.calibration.Moment;
import dev.varve.simulator.evaluation.Load;
import dev.varve.simulator.evaluation.Run;
import dev.varve.simulator.evaluation.ScaledNode;
import dev.varve.simulator.evaluation.ScratchDirectory;
import dev.varve.simulator.evaluation.WriteListener;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/** Runs phases in this process. Confined to its caller. */
final class PhaseWork implements PhaseRunner {
  private final EngineSeams seams;
  private final Path directory;
  private final double recordsPerSecond;

  /**
   * Phases whose files lie in a directory.
   *
   * @param recordsPerSecond how fast the writer goes at most
   */
  PhaseWork(EngineSeams seams, Path directory, double recordsPerSecond) {
    this.seams = seams;
    this.directory = directory;
    this.recordsPerSecond = recordsPerSecond;
  }

  @Override
  public PhaseOutcome run(PhaseRequest request) throws BenchmarkException {
    Latencies latencies = new Latencies();
    FlushForces forces = new FlushForces(seams.files(), seams.clock());
    EngineSeams noted = new EngineSeams(forces, seams.clock(), seams.executor(), seams.random());
    try (ScratchDirectory scratch = new ScratchDirectory(seams.files(), directory)) {
      ScaledNode node = new ScaledNode(request.scale(), request.policy(), noted, scratch.path());
      node.load(count -> {});
      Run run =
          node.run(
              new Load(
                  request.scheduler(),
                  Arrivals.parse(request.arrivals()),
                  request.time(),
                  recordsPerSecond,
                  TunerText.parse(request.tuner())),
              latencies);
      Spans waits = new Spans(latencies.waits);
      return outcome(request, run, latencies, waits.commonNanos(forces.spans()) / 1e9);
    } catch (StorageException failure) {
      throw new BenchmarkException(request.label() + ": " + failure.getMessage(), failure);
    }
  }

  /** Latencies of all writes; confined to the writer. */
  private static final class Latencies implements WriteListener {
    private static final long WAITED_NANOS = 1_000_000;
    private static final long HIGHEST_NANOS = 3_600_000_000_000L;

    final Histogram write = new Histogram(HIGHEST_NANOS, 3);
    final Histogram processing = new Histogram(HIGHEST_NANOS, 3);

    /** Of writes that took so long that they waited. */
    final List<Spans.Span> waits = new ArrayList<>();

    @Override
    public void written(long dueNanos, long begunNanos, long endedNanos) {
      write.recordValue(Math.min(endedNanos - dueNanos, HIGHEST_NANOS));
      processing.recordValue(Math.min(endedNanos - begunNanos, HIGHEST_NANOS));
      if (endedNanos - begunNanos >= WAITED_NANOS) {
        waits.add(new Spans.Span(begunNanos, endedNanos));
      }
    }
  }

  private static PhaseOutcome outcome(
      PhaseRequest request, Run run, Latencies latencies, double forcedSeconds) {
    SimulationOptions.Time time = request.time();
    List<Double> components = run.components();
    List<PhaseOutcome.Window> windows = new ArrayList<>();
    for (int window = 0; window < components.size(); window++) {
      double begin = window * time.windowSeconds();
      double end = Math.min(time.seconds(), begin + time.windowSeconds());
      windows.add(
          new PhaseOutcome.Window(
              end, run.recording().writes().get(window) / (end - begin), components.get(window)));
    }
    return new PhaseOutcome(
        request,
        run.recording().throughput(),
        run.taken(),
        run.queued(),
        Measurement.Latency.of(latencies.write, 1),
        Measurement.Latency.of(latencies.processing, 1),
        stalls(run, forcedSeconds),
        new PhaseOutcome.Components(
            components.stream().mapToDouble(Double::doubleValue).average().orElse(0),
            components.stream().mapToDouble(Double::doubleValue).max().orElse(0),
            request.scale().stores() * limit(request, run.recording().moments())),
        windows);
  }

  private static int limit(PhaseRequest request, List<Moment> moments) {
    return PolicyText.parse(request.policy())
        .componentLimit(moments.get(moments.size() - 1).shape());
  }

  private static PhaseOutcome.Stalls stalls(Run run, double forcedSeconds) {
    List<PhaseOutcome.Cause> causes = new ArrayList<>();
    long count = 0;
    double seconds = 0;
    double longest = 0;
    for (EngineStats.StallSummary stall : run.stalls()) {
      causes.add(new PhaseOutcome.Cause(stall.cause(), stall.count(), stall.totalNanos() / 1e9));
      count += stall.count();
      seconds += stall.totalNanos() / 1e9;
      longest = Math.max(longest, stall.longestNanos() / 1e9);
    }
    return new PhaseOutcome.Stalls(
        count, seconds, longest, Math.min(seconds, forcedSeconds), causes);
  }
}
