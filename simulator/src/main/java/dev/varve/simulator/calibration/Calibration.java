package dev.varve.simulator.calibration;

import dev.varve.common.bytes.Bytes;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.ComponentId;
import dev.varve.common.env.Clock;
import dev.varve.common.merge.KeyInterval;
import dev.varve.common.merge.MergePolicy;
import dev.varve.common.merge.PartitionedPolicy;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.common.merge.RangedComponent;
import dev.varve.scheduler.admission.WriteGates;
import dev.varve.scheduler.policy.NoMergePolicy;
import dev.varve.scheduler.policy.PolicyText;
import dev.varve.scheduler.scheduling.SchedulerText;
import dev.varve.simulator.Arrivals;
import dev.varve.simulator.KeyModel;
import dev.varve.simulator.SimulatedNode;
import dev.varve.simulator.SimulatedTree;
import dev.varve.simulator.Simulation;
import dev.varve.simulator.SimulationOptions;
import dev.varve.simulator.SimulationResult;
import dev.varve.simulator.TreeStructure;
import dev.varve.simulator.UniformKeys;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/**
 * Holds the simulator against a recorded run of the engine, in three ways. <em>Decisions</em>: the
 * policy, told of the engine's flushes and merges in their order, decides every merge again.
 * <em>Components over time</em>: a simulation whose memory fills at the moments at which the
 * engine's did. <em>Throughput</em>: a simulation that knows only sizes, budget and arrivals. Pure.
 */
public final class Calibration {
  /** How far the simulator may be off: a part of what the engine did. */
  public static final double TOLERANCE = 0.1;

  /** Memory that never holds a replay back: when it fills is what the replay is about. */
  private static final double REPLAYED_RECORDS_PER_SECOND = 1e7;

  private final Recording recording;
  private final MergePolicy policy;
  private final SizeFit sizes;
  private final KeyModel keys;

  /** What was there in the beginning, where levels are cut by key range. */
  private final Optional<PartitionedShape> beginning;

  private Calibration(Recording recording) {
    this.recording = recording;
    this.policy = PolicyText.parse(recording.setting().policy());
    this.sizes = SizeFit.of(recording);
    this.keys = new UniformKeys(recording.setting().keys());
    this.beginning = recording.moments().get(0).cut().map(Moment.Cut::shape);
  }

  /** Compares; {@link CalibrationResult#holds} is the verdict. */
  public static CalibrationResult of(Recording recording) {
    return new Calibration(recording).compare();
  }

  private CalibrationResult compare() {
    DecisionReplay.Result replay = DecisionReplay.of(recording, policy);
    double simulated =
        simulate(policy, recording.setting().arrivals(), recording.recordsPerSecond())
            .recordsPerSecond();
    CalibrationResult.Pair throughput =
        new CalibrationResult.Pair(recording.throughput(), simulated);

    ShapeRecorder shapes = new ShapeRecorder(new NoTime());
    SimulationResult driven =
        simulate(shapes.watch(policy), recordedArrivals(), REPLAYED_RECORDS_PER_SECOND);
    List<CalibrationResult.Pair> course = course(driven);
    double engineMean = mean(course.stream().mapToDouble(CalibrationResult.Pair::engine).toArray());
    double apart =
        mean(
                course.stream()
                    .mapToDouble(pair -> Math.abs(pair.simulated() - pair.engine()))
                    .toArray())
            / engineMean;
    return new CalibrationResult(
        recording.setting(),
        sizes,
        throughput,
        new CalibrationResult.Pair(
            engineMean,
            mean(course.stream().mapToDouble(CalibrationResult.Pair::simulated).toArray())),
        apart,
        course,
        replay.decisions(),
        same(recording.merges(), Recording.merges(shapes.since(Long.MIN_VALUE))),
        List.of(
            new CalibrationResult.Check(
                "throughput",
                text(
                    "%,.0f records/s, simulated %,.0f, %.1f %% apart",
                    throughput.engine(), throughput.simulated(), 100 * throughput.deviation()),
                throughput.deviation() <= TOLERANCE),
            new CalibrationResult.Check(
                "components over time",
                text("%.1f on average, %.1f %% apart", engineMean, 100 * apart),
                apart <= TOLERANCE),
            new CalibrationResult.Check(
                "decisions",
                replay.difference().orElse(replay.decisions() + " merges, all the same"),
                replay.difference().isEmpty()
                    && (replay.decisions() > 0 || policy instanceof NoMergePolicy))));
  }

  private SimulationResult simulate(
      MergePolicy watched, Arrivals arrivals, double recordsPerSecond) {
    int entryBytes = (int) Math.round(sizes.entryBytes());
    KeyModel files = new FileCost(keys, sizes.fileEntries());
    long flushBytes = Math.round((sizes.flushEntries() + sizes.fileEntries()) * entryBytes);
    SimulationOptions options =
        new SimulationOptions(
            new SimulatedNode(
                flushBytes, 2, recording.setting().budgetBytesPerSecond(), recordsPerSecond, 1),
            List.of(new SimulatedTree("engine", 0, entryBytes, files, structure(watched))),
            SchedulerText.parse(recording.setting().scheduler()),
            WriteGates.STOP,
            arrivals,
            recording.setting().time());
    return beginning.isPresent()
        ? Simulation.run(options, inKeySpace(beginning.get()))
        : Simulation.run(options, recording.beginning());
  }

  private TreeStructure structure(MergePolicy watched) {
    Optional<PartitionedPolicy> cuts = watched.partitioned();
    return beginning.isPresent() && cuts.isPresent()
        ? new TreeStructure.Partitioned(cuts.get())
        : new TreeStructure.Full(watched);
  }

  /** Numbers of keys, spread over the keys of a simulation. */
  private PartitionedShape inKeySpace(PartitionedShape shape) {
    List<PartitionedShape.Level> levels = new ArrayList<>();
    for (PartitionedShape.Level level : shape.levels()) {
      levels.add(
          new PartitionedShape.Level(
              level.components().stream().map(this::inKeySpace).toList(),
              level.mergedLast().map(this::inKeySpace)));
    }
    return new PartitionedShape(
        shape.flushed().stream().map(this::inKeySpace).toList(), levels, shape.merging());
  }

  private RangedComponent inKeySpace(RangedComponent component) {
    return new RangedComponent(
        component.number(),
        component.bytes(),
        component.entries(),
        component.antimatter(),
        inKeySpace(component.keys()));
  }

  private KeyInterval inKeySpace(KeyInterval keys) {
    return new KeyInterval(key(position(keys.smallest(), 0)), key(position(keys.largest(), 1) - 1));
  }

  private long position(Slice key, int more) {
    long number = Bytes.getLongBigEndian(key.bytes(), key.offset()) + more;
    return (long) ((double) number / recording.setting().keys() * SimulatedTree.KEY_SPACE);
  }

  private static Slice key(long position) {
    byte[] key = new byte[Long.BYTES];
    Bytes.putLongBigEndian(key, 0, position);
    return new Slice(key);
  }

  /**
   * Arrivals that fill the memory at the moments at which the engine's was full: a flush was
   * visible as much later as its bytes take.
   */
  private Arrivals recordedArrivals() {
    double updates = updatesOfFlush();
    List<Arrivals.Phase> phases = new ArrayList<>();
    double full = 0;
    for (Recording.Flush flush : recording.flushes()) {
      double takes =
          (double) flush.component().bytes() / recording.setting().budgetBytesPerSecond();
      double seconds = flush.seconds() - takes - full;
      // Memory that was full while another flush ran was flushed right after it.
      double apart = Math.max(seconds, updates / REPLAYED_RECORDS_PER_SECOND * 2);
      phases.add(new Arrivals.Phase(updates / apart, apart));
      full += apart;
    }
    phases.add(new Arrivals.Phase(0, Double.POSITIVE_INFINITY));
    return new Arrivals(phases);
  }

  /** Updates whose different keys are as many as the entries of the mean flush. */
  private double updatesOfFlush() {
    double low = 0;
    double high = recording.setting().keys() * 50.0;
    for (int i = 0; i < 100; i++) {
      double middle = (low + high) / 2;
      if (keys.entries(0, middle) < sizes.flushEntries()) {
        low = middle;
      } else {
        high = middle;
      }
    }
    return high;
  }

  private List<CalibrationResult.Pair> course(SimulationResult simulated) {
    List<Double> engine = recording.components();
    List<CalibrationResult.Pair> course = new ArrayList<>();
    for (int window = 0; window < engine.size(); window++) {
      course.add(
          new CalibrationResult.Pair(
              engine.get(window), simulated.windows().get(window).components()));
    }
    return course;
  }

  /** The part of some merges that others hold as well. */
  private static double same(List<List<ComponentId>> some, List<List<ComponentId>> others) {
    Set<List<ComponentId>> known = new HashSet<>(others);
    return some.isEmpty()
        ? 1
        : (double) some.stream().filter(known::contains).count() / some.size();
  }

  private static double mean(double[] values) {
    double sum = 0;
    for (double value : values) {
      sum += value;
    }
    return sum / values.length;
  }

  private static String text(String format, Object... values) {
    return String.format(Locale.ROOT, format, values);
  }

  /** Only the order of what is asked counts. */
  private record NoTime() implements Clock {
    @Override
    public long nanoTime() {
      return 0;
    }

    @Override
    public long currentTimeMillis() {
      return 0;
    }
  }
}
