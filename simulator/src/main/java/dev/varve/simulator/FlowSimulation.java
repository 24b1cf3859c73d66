package dev.varve.simulator;

import dev.varve.scheduler.tuner.TunerChange;
import dev.varve.scheduler.tuner.TunerRun;
import dev.varve.scheduler.tuner.TunerSetting;
import dev.varve.scheduler.tuner.TunerSetting.MergeOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A node of RocksDB's shape under a tuner, in virtual time: two memory components, a level 0,
 * levels cut by key range, RocksDB's write controller, a bounded number of threads, and a device
 * whose bandwidth clients, flushes and merges share. The tuner is the engine's own, asked each
 * second. Between two events every rate is constant. Confined to the caller.
 *
 * <p>What it leaves out: processors are never short, a log costs what is written to it, and a level
 * is a sum of bytes; see {@link FlowTree}.
 */
public final class FlowSimulation {
  private static final double TUNER_SECONDS = 1;
  private static final double NO_WRITES = 1e-6;

  /** How much longer a read is for each component of level 0 after the first. */
  private static final double LEVEL0_READ_PART = 0.02;

  private final FlowOptions options;
  private final TunerRun tuner;
  private final FlowTree tree;
  private final FlowFigures figures;
  private final List<FlowJob> flushes = new ArrayList<>();
  private final List<FlowJob> merges = new ArrayList<>();
  private FlowWindow window = new FlowWindow();
  private WriteController controller;
  private double now;
  private double nextTuning = TUNER_SECONDS;
  private double memoryLeft;
  private double taken;
  private boolean full;

  private FlowSimulation(FlowOptions options) {
    this.options = options;
    this.tuner = TunerRun.start(options.tuner(), options.configured(), options.tunerLimits());
    this.controller = WriteController.of(options.tuner().writeLimits(options.limits()));
    this.tree =
        new FlowTree(
            options.load().keys() * options.load().recordBytes(), setting().componentBytes());
    this.figures = new FlowFigures(options);
    this.memoryLeft = setting().memoryBytes();
  }

  /** Runs an empty node to the end of the time. */
  public static FlowResult run(FlowOptions options) {
    FlowSimulation simulation = new FlowSimulation(options);
    while (simulation.now < options.time().seconds()) {
      simulation.step();
    }
    return simulation.figures.result(simulation.tree, simulation.tuner.log());
  }

  private TunerSetting setting() {
    return tuner.setting();
  }

  // ---- One step --------------------------------------------------------------------------------

  private void step() {
    seal();
    Optional<StallClass> stall = stall();
    double readSeconds = readSeconds();
    double wanted = wantedWrites(readSeconds);
    List<FlowJob> running = running();
    merges.forEach(merge -> merge.runAt(0));
    FlowBandwidth.Shares shares =
        FlowBandwidth.share(options.device(), setting().io(), bytesOf(wanted), running);
    double writes = wanted > 0 ? wanted * shares.clients() / bytesOf(wanted) : 0;
    double seconds = secondsToNextEvent(writes, running);
    pass(seconds, writes, shares, running);
    figures.step(
        new FlowFigures.Step(
            now,
            seconds,
            writes,
            stall,
            readSeconds,
            new FlowFigures.Node(setting(), tree, running, shares.used())));
    stall.ifPresent(by -> window.stalled(by, seconds));
    now += seconds;
    end();
    if (now >= nextTuning - 1e-9) {
      tune();
    }
    figures.closeWindow(now);
  }

  /** A full memory component waits for its flush as soon as there is another to take its place. */
  private void seal() {
    boolean isFull = memoryLeft <= NO_WRITES;
    if (isFull && !flushes.isEmpty() && !full) {
      window.overflowed();
    }
    full = isFull;
    if (isFull && flushes.isEmpty()) {
      flushes.add(FlowJob.flush(taken, now));
      taken = 0;
      memoryLeft = setting().memoryBytes();
      full = false;
    }
  }

  /** Why writers are held back, if they are. */
  private Optional<StallClass> stall() {
    if (controller.state() == WriteController.State.STOPPED) {
      return controller.cause();
    }
    return full ? Optional.of(StallClass.MEMORY) : controller.cause();
  }

  /** Seconds that a client reads for each record that it writes. */
  private double readSeconds() {
    FlowLoad.Reads reads = options.load().reads();
    double perWrite = reads.part() / (1 - reads.part());
    double inMemory =
        Math.min(
            1,
            (taken + flushes.stream().mapToDouble(FlowJob::size).sum())
                / (options.load().keys() * options.load().recordBytes()));
    double miss =
        (1 - inMemory)
            * reads.missSeconds()
            * (1 + LEVEL0_READ_PART * Math.max(0, tree.level0Components() - 1));
    return perWrite * (reads.seconds() + miss);
  }

  private double wantedWrites(double readSeconds) {
    if (full || controller.state() == WriteController.State.STOPPED) {
      return 0;
    }
    double most = 1 / (1 / options.load().writesPerSecond() + readSeconds);
    return controller.state() == WriteController.State.DELAYED
        ? Math.min(most, controller.bytesPerSecond() / options.load().recordBytes())
        : most;
  }

  /** Bytes for the log. */
  private double bytesOf(double writes) {
    return writes * options.load().recordBytes();
  }

  /** Jobs that have a thread. */
  private List<FlowJob> running() {
    boolean level0First = setting().io().order() == MergeOrder.LEVEL_ZERO_FIRST;
    while (merges.size() < setting().mergeThreads() || (level0First && mayPreempt())) {
      Optional<FlowJob> merge = tree.beginMerge(now);
      if (merge.isEmpty()) {
        break;
      }
      merges.add(merge.get());
    }
    List<FlowJob> running = new ArrayList<>(flushes);
    int threads = Math.max(setting().mergeThreads(), 1);
    if (level0First) {
      merges.stream().filter(FlowSimulation::isLevel0).forEach(running::add);
      merges.stream()
          .filter(merge -> !isLevel0(merge))
          .limit(
              Math.max(0, threads - (merges.stream().anyMatch(FlowSimulation::isLevel0) ? 1 : 0)))
          .forEach(running::add);
    } else {
      running.addAll(merges);
    }
    return running;
  }

  private static boolean isLevel0(FlowJob job) {
    return job.kind() == FlowJob.Kind.LEVEL_ZERO;
  }

  /** Whether all threads have deeper merges while level 0 could be merged. */
  private boolean mayPreempt() {
    return merges.size() == setting().mergeThreads()
        && merges.stream().noneMatch(FlowSimulation::isLevel0)
        && tree.level0MayMerge();
  }

  private double secondsToNextEvent(double writes, List<FlowJob> running) {
    double seconds = Math.min(nextTuning, figures.windowEnd()) - now;
    if (writes > 0) {
      seconds = Math.min(seconds, memoryLeft / bytesOf(writes));
    }
    for (FlowJob job : running) {
      seconds = Math.min(seconds, job.secondsLeft());
    }
    return Math.max(0, seconds);
  }

  private void pass(
      double seconds, double writes, FlowBandwidth.Shares shares, List<FlowJob> running) {
    double bytes = Math.min(memoryLeft, bytesOf(writes) * seconds);
    memoryLeft -= bytes;
    taken += bytes;
    FlowLoad.Reads reads = options.load().reads();
    window.add(
        seconds,
        new FlowWindow.Clients(
            writes * seconds, bytes, writes * seconds * reads.part() / (1 - reads.part())),
        shares,
        shares.used() / options.device().bytesPerSecond());
    for (FlowJob job : running) {
      window.ran(job, seconds);
      job.advance(seconds);
    }
  }

  // ---- What has come to its end ----------------------------------------------------------------

  private void end() {
    boolean flushed = endOf(flushes);
    boolean merged = endOf(merges);
    if (flushed || merged) {
      controller = controller.next(tree.level0Components(), tree.pendingBytes());
    }
  }

  private boolean endOf(List<FlowJob> jobs) {
    List<FlowJob> ended = jobs.stream().filter(FlowJob::done).toList();
    for (FlowJob job : ended) {
      jobs.remove(job);
      tree.end(job);
      figures.ended(job, now);
      if (job.kind() == FlowJob.Kind.FLUSH) {
        window.flushEnded(now - job.began());
      }
    }
    return !ended.isEmpty();
  }

  private void tune() {
    if (full) {
      window.overflowed();
    }
    figures.second(window, setting(), tree);
    Optional<TunerChange> change = tuner.observe(window.observation(tree));
    window = new FlowWindow();
    nextTuning += TUNER_SECONDS;
    if (change.isPresent()) {
      tree.resize(setting().componentBytes());
      memoryLeft = Math.max(0, setting().memoryBytes() - taken);
    }
  }
}
