package dev.varve.dataset;

import dev.varve.common.env.Worker;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.scheduler.service.MaintenanceStats;
import dev.varve.scheduler.service.MaintenanceStats.FlushTimes;
import dev.varve.scheduler.tuner.FlowObservation;
import dev.varve.scheduler.tuner.IndexFlow;
import dev.varve.scheduler.tuner.TunerChange;
import dev.varve.scheduler.tuner.TunerLog;
import dev.varve.scheduler.tuner.TunerRun;
import dev.varve.scheduler.tuner.TunerSetting;
import dev.varve.scheduler.tuner.TunerText;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;

/**
 * A tuner at work in a node: once a second it observes the data flow, asks the tuner, and puts in
 * force what it says (ADOC, section 5). Each change is an event of the log, with its reason.
 * Stepped by one thread; the log may be read by any.
 */
final class NodeTuner implements Worker {
  private static final Logger LOGGER = LogManager.getLogger(NodeTuner.class);
  private static final long WINDOW_NANOS = TimeUnit.SECONDS.toNanos(1);

  /** How many decisions are told to those who ask why something waits. */
  private static final int TOLD = 5;

  private final NodeContext node;
  private final FlowMeter meter;
  private final NodeKnobs knobs;
  private final TunerRun run;
  private FlowMeter.Look last;
  private volatile TunerSetting setting;
  private volatile TunerLog log;

  /** Whether the last setting could not be put in force, which is said once. */
  private boolean failing;

  NodeTuner(NodeContext node, FlowMeter meter, NodeKnobs knobs) {
    this.node = node;
    this.meter = meter;
    this.knobs = knobs;
    this.run = TunerRun.start(knobs.tuner(), knobs.configured(), knobs.limits());
    this.setting = run.setting();
    this.log = run.log();
    this.last = meter.look(0);
  }

  /** Whether it is not fixed what holds. */
  boolean mayChange() {
    return !knobs.tuner().equals(TunerText.FIXED);
  }

  /** What waits now, what is in force, and why. */
  EngineStats.FlowSummary flow() {
    FlowMeter.Look now = meter.look(budgetNow());
    MaintenanceStats service = now.service();
    long flushes = service.flushes().finished();
    return new EngineStats.FlowSummary(
        now.indexes(),
        now.indexes().stream().mapToLong(IndexFlow::pendingBytes).sum(),
        now.indexes().stream().mapToLong(IndexFlow::obsoleteBytes).sum(),
        flushes == 0 ? 0 : service.threads().sealToFlushedNanos() / 1e9 / flushes,
        flushTimes(now),
        FlowMeter.stallClasses(now.stalls()),
        setting,
        log);
  }

  private static List<EngineStats.FlushTime> flushTimes(FlowMeter.Look look) {
    List<EngineStats.FlushTime> all = new ArrayList<>();
    for (IndexFlow index : look.indexes()) {
      FlushTimes times = look.service().flushTimes().get(index.name());
      if (times != null) {
        all.add(new EngineStats.FlushTime(index.name(), times.flushes(), times.meanSeconds()));
      }
    }
    return all;
  }

  /** The last decisions, oldest first, with reasons, for people. */
  List<String> lastDecisions() {
    List<TunerChange> recent = log.recent();
    return recent.subList(Math.max(0, recent.size() - TOLD), recent.size()).stream()
        .map(
            change ->
                "%s, after %.0f s: %s; there were %s; %s"
                    .formatted(
                        log.tuner(),
                        change.seconds(),
                        change.after(),
                        change.before(),
                        change.reason()))
        .toList();
  }

  @Override
  public String name() {
    return "varve-tuner";
  }

  @Override
  public int doWork() {
    if (napNanos() > 0 || node.health().closed()) {
      return 0;
    }
    FlowMeter.Look now = meter.look(budgetNow());
    observe(FlowMeter.between(last, now));
    last = now;
    return 1;
  }

  private long budgetNow() {
    long rate = setting.io().bytesPerSecond();
    return rate == TunerSetting.Io.UNLIMITED ? 0 : rate;
  }

  private void observe(FlowObservation window) {
    Optional<TunerChange> change = run.observe(window);
    log = run.log();
    if (change.isPresent()) {
      setting = change.get().after();
      LOGGER.info(
          "{} sets {}; there were {}: {}",
          log.tuner(),
          change.get().after(),
          change.get().before(),
          change.get().reason());
    }
    try {
      knobs.apply(setting);
      failing = false;
    } catch (StorageException e) {
      if (!failing) {
        FailurePaths.warn(LOGGER, "{} is not in force everywhere, and is tried again", setting, e);
      }
      failing = true;
    } catch (IllegalStateException closing) {
      if (!node.health().closed()) {
        throw closing;
      }
    }
  }

  /** Until the window is over. */
  @Override
  public long napNanos() {
    return Math.max(0, WINDOW_NANOS - (node.clock().nanoTime() - last.nanos()));
  }

  /** The node goes on as it is set. */
  @Override
  public void failed(Throwable cause) {
    FailurePaths.warn(LOGGER, "{} has failed, and changes nothing any more", name(), cause);
  }
}
