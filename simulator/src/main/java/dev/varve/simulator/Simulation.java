package dev.varve.simulator;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.maintenance.MergeAllocation;
import dev.varve.common.maintenance.MergeProgress;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.scheduler.admission.StallCause;
import dev.varve.scheduler.admission.StallRecorder;
import dev.varve.scheduler.admission.StallReport;
import dev.varve.scheduler.admission.WriteConditions;
import dev.varve.scheduler.admission.WriteConditions.Usage;
import dev.varve.scheduler.admission.WriteGate.Decision;
import dev.varve.scheduler.scheduling.IndexArbiter;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One run of a node in virtual time. Between two events every rate is constant, so the simulation
 * jumps from event to event: a memory component is full, a flush or merge has ended, a queue is
 * empty, arrivals change, a window ends. Confined to the caller.
 *
 * <p>What it leaves out: reading costs nothing (the paper's budget throttles writes), a single
 * flush or merge can use the whole budget, and which keys are hit is taken at its expectation,
 * which for components of a hundred thousand entries is off by less than a percent.
 */
public final class Simulation {
  /** How much of a memory component is written before a gate that paces is asked again. */
  private static final double PACED_PART = 1 / 128.0;

  private static final double NEXT_TO_NO_WRITES = 1e-2;

  /** And the longest time until it is. */
  private static final double PACED_SECONDS = 1;

  /** How much of a memory component there is at least when its merge begins. */
  private static final double LEAST_MERGED_PART = 0.5;

  /**
   * How often a scheduler is asked at least, as the engine asks after every batch: some weigh how
   * long a merge has waited.
   */
  private static final double ALLOCATION_SECONDS = 1;

  private final SimulationOptions options;
  private final VirtualClock clock = new VirtualClock();
  private final StallRecorder stalls = new StallRecorder(clock);
  private final LatencyRecorder writeLatencies = new LatencyRecorder();
  private final LatencyRecorder processingLatencies = new LatencyRecorder();
  private final Course course;
  private final WriteFlow flow;
  private final List<TreeState> trees = new ArrayList<>();
  private final List<MergeRun> merges = new ArrayList<>();
  private final Map<Integer, Long> mergesByInputs = new TreeMap<>();
  private final MemoryState memory;
  private double now;
  private boolean paced;
  private double paceSeconds;
  private int phase;
  private double phaseEnd;
  private long mergeCount;
  private double longestMergeSeconds;
  private double flushedBytes;
  private double mergedBytes;
  private final double[] mergedBytesOf;
  private StallRecorder.@Nullable Wait stall;
  private double stallBegan;
  private double longestStallSeconds;

  private Simulation(SimulationOptions options) {
    this.options = options;
    this.course = new Course(options.time());
    this.flow =
        new WriteFlow(
            options.arrivals().isClosed() ? new LatencyRecorder() : writeLatencies,
            options.node().serviceSeconds());
    options.trees().forEach(tree -> trees.add(emptyTree(tree)));
    this.mergedBytesOf = new double[trees.size()];
    this.memory = new MemoryState(options.node(), options.trees());
    this.phaseEnd =
        options.arrivals().isClosed()
            ? Double.POSITIVE_INFINITY
            : options.arrivals().phases().get(0).seconds();
  }

  /** Runs a node from its load to the end of the time. */
  public static SimulationResult run(SimulationOptions options) {
    double entryBytes = options.trees().stream().mapToInt(SimulatedTree::entryBytes).sum();
    double entriesPerFlush = options.node().memoryBytes() / entryBytes;
    return run(options, trees -> trees.forEach(tree -> tree.load(entriesPerFlush)));
  }

  /**
   * Runs a node of one tree that begins with components that are there, all of loaded keys.
   *
   * @param there oldest first, no key in two of them
   */
  public static SimulationResult run(SimulationOptions options, List<ComponentStats> there) {
    return run(options, (Consumer<List<TreeState>>) trees -> trees.get(0).beginWith(there));
  }

  /**
   * Runs a node of one tree that begins with levels that are there, all of loaded keys.
   *
   * @param there with keys below {@link SimulatedTree#KEY_SPACE}
   */
  public static SimulationResult run(SimulationOptions options, PartitionedShape there) {
    return run(options, (Consumer<List<TreeState>>) trees -> trees.get(0).beginWith(there));
  }

  /** Runs a node whose trees begin as the caller makes them, for tests of single situations. */
  static SimulationResult run(SimulationOptions options, Consumer<List<TreeState>> beginning) {
    Simulation simulation = new Simulation(options);
    beginning.accept(simulation.trees);
    simulation.runToEnd();
    return simulation.result();
  }

  // ---- Time ------------------------------------------------------------------------------------

  private void runToEnd() {
    double end = options.time().seconds();
    trees.forEach(this::beginMerges);
    while (now < end) {
      double most = decideGate();
      double arriving = arrivalRate();
      double leaving = Math.min(most, leavingRate(arriving));
      allocate();
      flow.serveIn(serviceSeconds());
      paceSeconds = paced ? options.node().writers() / most : 0;
      advance(secondsToNextEvent(arriving, leaving), arriving, leaving);
      complete();
    }
    endStall();
  }

  /** Writes per second that come; in a closed system as many as are taken. */
  private double arrivalRate() {
    return options.arrivals().isClosed()
        ? 0
        : options.arrivals().phases().get(phase).recordsPerSecond();
  }

  private double leavingRate(double arriving) {
    double fastest = options.node().writers() / serviceSeconds();
    return options.arrivals().isClosed() || flow.queued() > 0
        ? fastest
        : Math.min(fastest, arriving);
  }

  /** What one write takes now when nobody holds it back: memory, and the lookup before. */
  private double serviceSeconds() {
    double seconds = options.node().serviceSeconds();
    Optional<WriterRules.Lookup> lookup = options.node().rules().lookup();
    if (lookup.isPresent()) {
      int components = trees.get(0).size();
      boolean busy = memory.isFlushing() || !merges.isEmpty();
      seconds +=
          busy ? lookup.get().secondsWhileBusy(components) : lookup.get().seconds(components);
    }
    return seconds;
  }

  private double secondsToNextEvent(double arriving, double leaving) {
    double seconds = Math.min(course.windowEnd(), phaseEnd) - now;
    if (now < options.time().warmUpSeconds()) {
      seconds = Math.min(seconds, options.time().warmUpSeconds() - now);
    }
    if (leaving > 0) {
      seconds = Math.min(seconds, memory.room() / leaving);
    }
    if (paced || mergedFromMemory()) {
      seconds = Math.min(seconds, secondsToNextQuestion(leaving));
    }
    if (flow.queued() > 0 && leaving > arriving) {
      seconds = Math.min(seconds, flow.queued() / (leaving - arriving));
    }
    if (memory.isFlushing()) {
      return Math.min(seconds, memory.flushLeft() / options.node().budgetBytesPerSecond());
    }
    if (merges.size() > 1) {
      seconds = Math.min(seconds, ALLOCATION_SECONDS);
    }
    for (MergeRun merge : merges) {
      seconds = Math.min(seconds, merge.done() ? 0 : merge.secondsLeft());
    }
    return seconds;
  }

  /** When the gate has to be asked again, because memory has changed a little. */
  private double secondsToNextQuestion(double leaving) {
    double written = memory.capacity() * PACED_PART / Math.max(1, leaving);
    double merged =
        mergedFromMemory()
            ? options.node().memoryBytes() * PACED_PART / options.node().budgetBytesPerSecond()
            : PACED_SECONDS;
    return Math.min(PACED_SECONDS, Math.min(written, merged));
  }

  private void advance(double seconds, double arriving, double leaving) {
    assert seconds >= 0 : "time goes back by " + seconds;
    double taken =
        options.arrivals().isClosed()
            ? flow.advance(now, seconds, leaving, leaving)
            : flow.advance(now, seconds, arriving, leaving);
    // A pace of next to nothing rises before it has let a write through.
    double processing =
        taken < NEXT_TO_NO_WRITES ? serviceSeconds() : Math.max(serviceSeconds(), paceSeconds);
    processingLatencies.add(processing, processing, taken);
    memory.take(taken);
    double before = mergedBytes;
    if (!memory.isFlushing()) {
      for (MergeRun merge : merges) {
        double written = merge.writtenBytes();
        merge.advance(seconds);
        mergedBytes += merge.writtenBytes() - written;
        mergedBytesOf[merge.arrival().tree()] += merge.writtenBytes() - written;
      }
    } else {
      double written = options.node().budgetBytesPerSecond() * seconds;
      memory.flush(written);
      flushedBytes += written;
    }
    assert mergedBytes >= before : "a merge went back";
    course.add(
        now,
        new Course.Step(
            seconds,
            taken,
            componentCount(),
            stall != null,
            trees.get(0).levelBytes(),
            trees.stream().mapToLong(TreeState::bytes).sum(),
            merges.stream().mapToDouble(MergeRun::writtenBytes).sum()));
    now += seconds;
    clock.advanceTo(now);
    course.closeWindow(now, flow.queued());
  }

  private int componentCount() {
    return trees.stream().mapToInt(TreeState::size).sum();
  }

  // ---- What writers meet -----------------------------------------------------------------------

  /** How many writes a second may go on; a stall begins, goes on or ends with it. */
  private double decideGate() {
    if (mergedFromMemory()) {
      sealForMerge();
    } else if (!memory.hasRoom()
        && memory.canSeal()
        && (limitAlwaysCounts() || !components().full())) {
      memory.seal();
    }
    paced = false;
    Decision decision = options.gate().decide(conditions());
    if (decision instanceof Decision.Open && !memory.hasRoom()) {
      decision = new Decision.Closed(StallCause.MEMORY_FULL, "the memory component is full");
    }
    if (decision instanceof Decision.Closed closed) {
      stall(closed);
      return 0;
    }
    endStall();
    if (decision instanceof Decision.Paced pace) {
      paced = true;
      return pace.bytesPerSecond() / recordBytes();
    }
    return Double.POSITIVE_INFINITY;
  }

  private double recordBytes() {
    return options.trees().stream().mapToInt(SimulatedTree::entryBytes).sum();
  }

  private void stall(Decision.Closed closed) {
    boolean somebodyWaits = options.arrivals().isClosed() || flow.queued() > 0 || arrivalRate() > 0;
    if (!somebodyWaits) {
      endStall();
    } else if (stall == null) {
      stall = stalls.begin(closed.cause(), holder(closed));
      stallBegan = now;
    } else {
      stall.becomes(closed.cause(), holder(closed));
    }
  }

  private boolean mergedFromMemory() {
    return trees.get(0) instanceof MemoryTreeState;
  }

  /** What is in memory is merged as soon as what was there before has been. */
  private void sealForMerge() {
    if (((MemoryTreeState) trees.get(0)).merged() && memory.part() >= LEAST_MERGED_PART) {
      trees.get(0).flushed(0, memory.sealForMerge());
      beginMerges(trees.get(0));
    }
  }

  private Usage memoryUsage() {
    return trees.get(0) instanceof MemoryTreeState tree
        ? new Usage(
            Math.round(memory.bytes() + tree.memoryBytes(merges)), options.node().memoryBytes())
        : new Usage(memory.bytes(), memory.limit());
  }

  private boolean limitAlwaysCounts() {
    return options.node().rules().limitCounts() == WriterRules.LimitCounts.ALWAYS;
  }

  private WriteConditions conditions() {
    boolean room = memory.hasRoom();
    Usage components = components();
    return new WriteConditions(
        room || memory.canSeal() ? 1 : 0,
        room && !limitAlwaysCounts() ? components.belowLimit() : components,
        memoryUsage(),
        Usage.UNBOUNDED,
        Usage.UNBOUNDED,
        Optional.empty());
  }

  /** Components against the limit in the tree that is nearest to it. */
  private Usage components() {
    Usage worst = Usage.UNBOUNDED;
    for (TreeState tree : trees) {
      Usage usage = tree.usage();
      worst = usage.fraction() > worst.fraction() ? usage : worst;
    }
    return worst;
  }

  private String holder(Decision.Closed closed) {
    return merges.stream()
        .filter(merge -> merge.rate() > 0)
        .findFirst()
        .map(merge -> closed.holder() + "; " + merge.describe())
        .orElse(closed.holder());
  }

  private void endStall() {
    if (stall == null) {
      return;
    }
    stall.close();
    stall = null;
    double lasted = now - stallBegan;
    longestStallSeconds = Math.max(longestStallSeconds, lasted);
    double latency = lasted + serviceSeconds();
    // So many writes were at the gate and had nobody before them in the queue.
    processingLatencies.add(latency, latency, options.node().writers());
  }

  // ---- What the budget is spent on -------------------------------------------------------------

  /** Flushes come first, one after the other; what they leave is shared out among the merges. */
  private void allocate() {
    merges.forEach(merge -> merge.runAt(0));
    if (merges.isEmpty() || memory.isFlushing()) {
      return;
    }
    SortedMap<Integer, List<MergeProgress>> byTree = new TreeMap<>();
    for (MergeRun merge : merges) {
      byTree
          .computeIfAbsent(merge.arrival().tree(), tree -> new ArrayList<>())
          .add(merge.progress(writtenInScope(merge.arrival().tree())));
    }
    MergeAllocation allocation = IndexArbiter.allocate(options.scheduler(), byTree.values());
    double unit = (double) options.node().budgetBytesPerSecond() / allocation.totalWeight();
    for (MergeAllocation.Share share : allocation.shares()) {
      merge(share.number()).runAt(unit * share.weight());
    }
  }

  private double writtenInScope(int tree) {
    return switch (options.scheduler().scope()) {
      case NODE -> mergedBytes;
      case INDEX -> mergedBytesOf[tree];
    };
  }

  private MergeRun merge(long number) {
    for (MergeRun merge : merges) {
      if (merge.number() == number) {
        return merge;
      }
    }
    throw new IllegalStateException(
        options.scheduler().describe() + " allocated " + number + ", which is no merge");
  }

  // ---- What has come to its end ----------------------------------------------------------------

  private void complete() {
    if (now >= phaseEnd) {
      phase = (phase + 1) % options.arrivals().phases().size();
      phaseEnd += options.arrivals().phases().get(phase).seconds();
    }
    if (memory.endFlush()) {
      trees.forEach(tree -> tree.flushed(0, memory.capacity()));
      trees.forEach(this::beginMerges);
    } else if (!memory.isFlushing()) {
      completeMerge();
    }
  }

  /**
   * One merge has ended at most: of those that are to end in the same moment, the others have their
   * last bytes still to write. What the end of the first one lets happen comes before: merges that
   * the policy begins beside the others, and a flush that the component limit kept back.
   */
  private void completeMerge() {
    Optional<MergeRun> ended = merges.stream().filter(MergeRun::done).findFirst();
    if (ended.isEmpty()) {
      return;
    }
    MergeRun merge = ended.get();
    merges.remove(merge);
    merge.publish();
    mergesByInputs.merge(merge.fanIn(), 1L, Long::sum);
    longestMergeSeconds = Math.max(longestMergeSeconds, now - merge.arrival().seconds());
    beginMerges(trees.get(merge.arrival().tree()));
  }

  /** Asks the policy until it wants nothing more, as the engine does after each flush and merge. */
  private void beginMerges(TreeState tree) {
    int number = trees.indexOf(tree);
    MergeRun.Arrival arrival = new MergeRun.Arrival(number, now, writtenInScope(number));
    Optional<MergeWork> work = tree.beginMerge();
    while (work.isPresent()) {
      merges.add(new MergeRun(++mergeCount, work.get(), arrival));
      work = tree.beginMerge();
    }
  }

  // ---- What came out ---------------------------------------------------------------------------

  private SimulationResult result() {
    long live = trees.stream().mapToLong(TreeState::liveBytes).sum();
    long disk = trees.stream().mapToLong(TreeState::bytes).sum();
    long ended = mergesByInputs.values().stream().mapToLong(Long::longValue).sum();
    return new SimulationResult(
        new SimulationResult.Setting(
            options.trees().stream().map(tree -> tree.structure().describe()).toList(),
            options.scheduler().describe(),
            options.gate().describe(),
            options.arrivals().describe(),
            options.trees().stream().map(tree -> tree.keys().describe()).toList(),
            options.time().seconds()),
        course.recordsPerSecond(),
        flow.taken(),
        flow.queued(),
        options.arrivals().isClosed() ? processingLatencies.summary() : writeLatencies.summary(),
        processingLatencies.summary(),
        stallFigures(),
        course.components(trees.stream().mapToLong(TreeState::limit).reduce(0, Simulation::sum)),
        new SimulationResult.Io(
            flushedBytes,
            mergedBytes,
            flow.taken() > 0 ? (flushedBytes + mergedBytes) / (flow.taken() * recordBytes()) : 0,
            (flushedBytes + mergedBytes)
                / options.node().budgetBytesPerSecond()
                / options.time().seconds()),
        course.space((double) live, (double) disk),
        new SimulationResult.Merges(ended, mergesByInputs, longestMergeSeconds),
        course.windows());
  }

  private static TreeState emptyTree(SimulatedTree tree) {
    if (tree.structure() instanceof TreeStructure.Full full) {
      return new FullTreeState(tree, full.policy());
    }
    if (tree.structure() instanceof TreeStructure.FromMemory memory) {
      return new MemoryTreeState(tree, memory.policy());
    }
    return new PartitionedTreeState(tree, ((TreeStructure.Partitioned) tree.structure()).policy());
  }

  private static long sum(long one, long other) {
    return one == Long.MAX_VALUE || other == Long.MAX_VALUE ? Long.MAX_VALUE : one + other;
  }

  private SimulationResult.Stalls stallFigures() {
    StallReport report = stalls.report();
    Map<StallCause, Double> causes = new EnumMap<>(StallCause.class);
    report.totals().forEach((cause, total) -> causes.put(cause, total.nanos() / 1e9));
    return new SimulationResult.Stalls(
        report.waits(), course.stalledSeconds(), longestStallSeconds, causes, report.recent());
  }
}
