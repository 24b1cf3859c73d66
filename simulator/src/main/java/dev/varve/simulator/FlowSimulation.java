package dev.varve.simulator;

import dev.varve.scheduler.tuner.StallClass;
import dev.varve.scheduler.tuner.TunerChange;
import dev.varve.scheduler.tuner.TunerRun;
import dev.varve.scheduler.tuner.TunerSetting;
import dev.varve.scheduler.tuner.TunerSetting.MergeOrder;
import dev.varve.scheduler.tuner.WriteController;
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

  /** What a request reads. */
  private static final double PAGE_BYTES = 4096;

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
    tree.load(options.load().loaded() * options.load().recordBytes());
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
    double oneRead = oneReadSeconds();
    double readSeconds = perWrite() * oneRead;
    double wanted = wantedWrites(readSeconds);
    double readers = options.load().reads().readers();
    double reads = readers > 0 ? readers / oneRead : 0;
    double asked = bytesOf(wanted) + reads * missBytes();
    List<FlowJob> running = running();
    merges.forEach(merge -> merge.runAt(0));
    FlowBandwidth.Shares shares =
        FlowBandwidth.share(
            options.device(),
            setting().io(),
            new FlowBandwidth.Clients(
                asked, options.load().reads().readers() + (wanted > 0 ? 1 : 0)),
            running);
    double given = asked > 0 ? shares.clients() / asked : 1;
    double writes = wanted * given;
    double seconds = secondsToNextEvent(writes, running);
    reads = reads * given + writes * perWrite();
    pass(seconds, new Rates(writes, reads), shares, running);
    figures.step(
        new FlowFigures.Step(
            now,
            seconds,
            new Rates(writes, reads),
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

  /** Operations of clients per second. */
  record Rates(double writes, double reads) {}

  /** How many records a client reads for each one that it writes. */
  private double perWrite() {
    double part = options.load().reads().part();
    return part / (1 - part);
  }

  /** Requests of one read in the mean. */
  private double requests() {
    double inMemory =
        Math.min(
            1,
            (taken + flushes.stream().mapToDouble(FlowJob::size).sum())
                / (options.load().keys() * options.load().recordBytes()));
    return (1 - inMemory)
        * options.load().reads().requests()
        * (1 + LEVEL0_READ_PART * Math.max(0, tree.level0Components() - 1));
  }

  private double missBytes() {
    return requests() * PAGE_BYTES;
  }

  private double oneReadSeconds() {
    return options.load().reads().seconds() + requests() * options.device().requestSeconds();
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
      double seconds, Rates rates, FlowBandwidth.Shares shares, List<FlowJob> running) {
    double bytes = Math.min(memoryLeft, bytesOf(rates.writes) * seconds);
    memoryLeft -= bytes;
    taken += bytes;
    window.add(
        seconds,
        new FlowWindow.Clients(rates.writes * seconds, bytes, rates.reads * seconds),
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
