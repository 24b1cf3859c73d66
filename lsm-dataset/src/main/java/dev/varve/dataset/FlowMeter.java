package dev.varve.dataset;

import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.scheduler.admission.StallCause;
import dev.varve.scheduler.admission.StallReport;
import dev.varve.scheduler.service.MaintenanceService;
import dev.varve.scheduler.service.MaintenanceStats;
import dev.varve.scheduler.tuner.FlowObservation;
import dev.varve.scheduler.tuner.IndexFlow;
import dev.varve.scheduler.tuner.StallClass;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Observes the data flow of a node as a tuner is shown it: what waits now, and what moved between
 * two looks. Thread-safe; it keeps nothing.
 */
final class FlowMeter {
  private static final double NANOS = 1e9;

  /** The class of waits at a gate that the paper does not have. */
  private static final String OTHER = "OTHER";

  private final NodeContext node;
  private final MaintenanceService maintenance;
  private final ActiveDatasets active;

  /**
   * One look at a node. Sums are since it was opened.
   *
   * @param nanos when
   * @param logBytes what writers have put into the log, and so into memory
   * @param ioBytesPerSecond the budget of flushes and merges then, 0 for none
   * @param indexes what waits in each open index
   * @param service flushes and merges
   * @param stalls waits of writers
   */
  record Look(
      long nanos,
      long logBytes,
      long ioBytesPerSecond,
      List<IndexFlow> indexes,
      MaintenanceStats service,
      StallReport stalls) {}

  FlowMeter(NodeContext node, MaintenanceService maintenance, ActiveDatasets active) {
    this.node = node;
    this.maintenance = maintenance;
    this.active = active;
  }

  Look look(long ioBytesPerSecond) {
    List<IndexFlow> indexes = new ArrayList<>();
    active.list().forEach(dataset -> indexes.addAll(dataset.writeBuffer().flows()));
    return new Look(
        node.clock().nanoTime(),
        node.log().endLsn(),
        ioBytesPerSecond,
        indexes,
        maintenance.stats(),
        node.admission().stalls().report());
  }

  /**
   * What happened between two looks, of which the second is later. A node counts neither records
   * written and read nor the processor's time, so these are 0.
   */
  static FlowObservation between(Look before, Look now) {
    double seconds = (now.nanos - before.nanos) / NANOS;
    MaintenanceStats was = before.service;
    MaintenanceStats is = now.service;
    double flushed = is.flushes().writtenBytes() - was.flushes().writtenBytes();
    double merged = is.merges().writtenBytes() - was.merges().writtenBytes();
    double read = is.threads().mergeReadBytes() - was.threads().mergeReadBytes();
    double paused =
        is.flushes().budgetNanos()
            + is.merges().budgetNanos()
            - was.flushes().budgetNanos()
            - was.merges().budgetNanos();
    double allowed = now.ioBytesPerSecond * seconds;
    return new FlowObservation(
        seconds,
        now.indexes,
        memory(before, now),
        new FlowObservation.Rates(
            (now.logBytes - before.logBytes) / seconds,
            flushed / seconds,
            read / seconds,
            merged / seconds,
            0,
            0),
        new FlowObservation.Busy(
            allowed == 0 ? 0 : Math.min(1, (flushed + merged) / allowed),
            Math.min(1, paused / NANOS / seconds),
            0,
            (is.threads().mergeNanos() - was.threads().mergeNanos()) / NANOS / seconds,
            (is.threads().flushNanos() - was.threads().flushNanos()) / NANOS / seconds),
        new FlowObservation.Stalls(
            stalled(before, now, StallClass.MEMORY),
            stalled(before, now, StallClass.LEVEL_ZERO),
            stalled(before, now, StallClass.PENDING_BYTES)));
  }

  /** Memory overflows when writers begin to wait for a flush, or still do. */
  private static FlowObservation.Memory memory(Look before, Look now) {
    long flushes = now.service.flushes().finished() - before.service.flushes().finished();
    double nanos =
        now.service.threads().sealToFlushedNanos() - before.service.threads().sealToFlushedNanos();
    long begun =
        total(now.stalls, StallClass.MEMORY).stalls()
            - total(before.stalls, StallClass.MEMORY).stalls();
    long open =
        now.stalls.open().stream()
            .filter(stall -> stall.cause().stallClass().equals(Optional.of(StallClass.MEMORY)))
            .count();
    return new FlowObservation.Memory(
        (int) flushes, (int) Math.max(begun, open), flushes == 0 ? 0 : nanos / NANOS / flushes);
  }

  private static double stalled(Look before, Look now, StallClass by) {
    long nanos = total(now.stalls, by).nanos() - total(before.stalls, by).nanos();
    return Math.min(nanos, now.nanos - before.nanos) / NANOS;
  }

  private static StallReport.Total total(StallReport report, StallClass by) {
    return total(report, cause -> cause.stallClass().equals(Optional.of(by)));
  }

  /** Waits of the paper's classes, and of all others, as far as there were some. */
  static List<EngineStats.StallSummary> stallClasses(StallReport report) {
    List<EngineStats.StallSummary> all = new ArrayList<>();
    for (StallClass by : StallClass.values()) {
      all.add(summary(by.name(), report, cause -> cause.stallClass().equals(Optional.of(by))));
    }
    all.add(summary(OTHER, report, cause -> cause.stallClass().isEmpty()));
    return all.stream().filter(summary -> summary.count() > 0).toList();
  }

  private static StallReport.Total total(StallReport report, Predicate<StallCause> of) {
    long stalls = 0;
    long nanos = 0;
    for (Map.Entry<StallCause, StallReport.Total> each : report.totals().entrySet()) {
      if (of.test(each.getKey())) {
        stalls += each.getValue().stalls();
        nanos += each.getValue().nanos();
      }
    }
    return new StallReport.Total(stalls, nanos);
  }

  /** Waits for some causes together. */
  static EngineStats.StallSummary summary(
      String name, StallReport report, Predicate<StallCause> of) {
    StallReport.Total total = total(report, of);
    long longest =
        report.recent().stream()
            .filter(stall -> of.test(stall.cause()))
            .mapToLong(StallReport.Stall::nanos)
            .max()
            .orElse(0);
    return new EngineStats.StallSummary(name, total.stalls(), total.nanos(), longest);
  }
}
