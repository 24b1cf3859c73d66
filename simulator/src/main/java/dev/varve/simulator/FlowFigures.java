package dev.varve.simulator;

import dev.varve.scheduler.admission.StallCause;
import dev.varve.scheduler.tuner.StallClass;
import dev.varve.scheduler.tuner.TunerLog;
import dev.varve.scheduler.tuner.TunerSetting;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Collects what comes out of a {@link FlowSimulation}. Confined to it. */
final class FlowFigures {
  private final FlowOptions options;
  private final Course course;
  private final LatencyRecorder latencies = new LatencyRecorder();
  private final Map<StallClass, FlowResult.Stalls> stalls = new EnumMap<>(StallClass.class);
  private final Map<FlowJob.Kind, Ended> ended = new EnumMap<>(FlowJob.Kind.class);
  private final List<FlowResult.Second> seconds = new ArrayList<>();
  private Optional<StallClass> stall = Optional.empty();
  private double stallSeconds;
  private double stopped;
  private double longestStall;
  private double taken;
  private double read;
  private double passed;
  private double memoryByteSeconds;
  private double threadSeconds;
  private double usedByteSeconds;

  /** Jobs that have ended. */
  private record Ended(long count, double bytes, double seconds, double written) {}

  /** The node while a step lasted. */
  record Node(TunerSetting setting, FlowTree tree, List<FlowJob> running, double used) {}

  /** A step. */
  record Step(
      double from,
      double seconds,
      FlowSimulation.Rates rates,
      Optional<StallClass> stall,
      double readSeconds,
      Node node) {}

  FlowFigures(FlowOptions options) {
    this.options = options;
    this.course = new Course(options.time());
  }

  double windowEnd() {
    return course.windowEnd();
  }

  void closeWindow(double now) {
    course.closeWindow(now, 0);
  }

  /** A step has passed. */
  void step(Step step) {
    double writes = step.rates.writes() * step.seconds;
    taken += writes;
    read += step.rates.reads() * step.seconds;
    passed += step.seconds;
    stall(step);
    if (writes > 0) {
      double latency = 1 / step.rates.writes() - step.readSeconds;
      latencies.add(latency, latency, writes);
    }
    // Two memory components are held, full or not.
    memoryByteSeconds += 2.0 * step.node.setting.memoryBytes() * step.seconds;
    threadSeconds += step.node.running.size() * step.seconds;
    usedByteSeconds += step.node.used * step.seconds;
    course.add(
        step.from,
        new Course.Step(
            step.seconds,
            writes,
            step.node.tree.size(),
            step.stall.isPresent(),
            step.node.tree.levelBytes(),
            Math.round(step.node.tree.bytes()),
            0));
  }

  private void stall(Step step) {
    if (!step.stall.equals(stall)) {
      stallSeconds = stall.isPresent() && step.stall.isPresent() ? stallSeconds : 0;
      stall = step.stall;
      stall.ifPresent(by -> add(by, 1, 0));
    }
    stall.ifPresent(by -> add(by, 0, step.seconds));
    stallSeconds += stall.isPresent() ? step.seconds : 0;
    longestStall = Math.max(longestStall, stallSeconds);
    if (step.rates.writes() > 0) {
      // One writer was at the gate.
      latencies.add(stopped, stopped, stopped > 0 ? 1 : 0);
      stopped = 0;
    } else {
      stopped += step.seconds;
    }
  }

  private void add(StallClass by, long count, double lasted) {
    stalls.merge(
        by,
        new FlowResult.Stalls(count, lasted),
        (one, other) ->
            new FlowResult.Stalls(one.count() + other.count(), one.seconds() + other.seconds()));
  }

  void ended(FlowJob job, double now) {
    ended.merge(
        job.kind(),
        new Ended(1, job.size(), now - job.began(), job.bytes().output()),
        (one, other) ->
            new Ended(
                one.count + other.count,
                one.bytes + other.bytes,
                one.seconds + other.seconds,
                one.written + other.written));
  }

  void second(FlowWindow window, TunerSetting setting, FlowTree tree) {
    seconds.add(
        new FlowResult.Second(
            setting,
            window.writesPerSecond(),
            tree.level0Components(),
            tree.pendingBytes(),
            window.stalledSeconds(),
            tree.level0Merging(),
            window.devicePart()));
  }

  FlowResult result(FlowTree tree, TunerLog log) {
    return new FlowResult(
        simulation(tree, log.tuner()),
        read / passed,
        stalls,
        new FlowResult.Use(
            memoryByteSeconds / passed,
            threadSeconds / passed,
            usedByteSeconds / passed / options.device().bytesPerSecond(),
            seconds.stream().mapToDouble(FlowResult.Second::devicePart).max().orElse(0)),
        new FlowResult.Jobs(
            kind(FlowJob.Kind.FLUSH), kind(FlowJob.Kind.LEVEL_ZERO), kind(FlowJob.Kind.DEEPER)),
        log,
        seconds);
  }

  private Ended of(FlowJob.Kind kind) {
    return Optional.ofNullable(ended.get(kind)).orElse(new Ended(0, 0, 0, 0));
  }

  private FlowResult.Jobs.Kind kind(FlowJob.Kind kind) {
    Ended all = of(kind);
    return new FlowResult.Jobs.Kind(all.count, all.seconds > 0 ? all.bytes / all.seconds : 0);
  }

  private SimulationResult simulation(FlowTree tree, String tuner) {
    double flushed = of(FlowJob.Kind.FLUSH).written;
    double merged = of(FlowJob.Kind.LEVEL_ZERO).written + of(FlowJob.Kind.DEEPER).written;
    long count = of(FlowJob.Kind.LEVEL_ZERO).count + of(FlowJob.Kind.DEEPER).count;
    Map<StallCause, Double> causes = new EnumMap<>(StallCause.class);
    stalls.forEach((by, all) -> causes.merge(cause(by), all.seconds(), Double::sum));
    return new SimulationResult(
        new SimulationResult.Setting(
            List.of("level"),
            tuner,
            "write controller",
            "closed",
            List.of("uniform"),
            options.time().seconds()),
        course.recordsPerSecond(),
        taken,
        0,
        latencies.summary(),
        latencies.summary(),
        new SimulationResult.Stalls(
            stalls.values().stream().mapToLong(FlowResult.Stalls::count).sum(),
            course.stalledSeconds(),
            longestStall,
            causes,
            List.of()),
        course.components(Long.MAX_VALUE),
        new SimulationResult.Io(
            flushed,
            merged,
            flushed > 0 ? (flushed + merged) / flushed : 0,
            usedByteSeconds / passed / options.device().bytesPerSecond()),
        course.space(tree.liveBytes(), tree.bytes()),
        new SimulationResult.Merges(count, Map.of(), 0),
        course.windows());
  }

  private static StallCause cause(StallClass by) {
    return switch (by) {
      case MEMORY -> StallCause.MEMORY_FULL;
      case LEVEL_ZERO -> StallCause.COMPONENT_LIMIT;
      case PENDING_BYTES -> StallCause.PENDING_BYTES;
    };
  }
}
