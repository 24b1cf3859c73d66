package dev.varve.simulator;

import dev.varve.scheduler.tuner.FlowObservation;
import dev.varve.scheduler.tuner.IndexFlow;
import dev.varve.scheduler.tuner.StallClass;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a tuner is shown: collects a second as it passes. Confined to the simulation. */
final class FlowWindow {
  private double seconds;
  private double written;
  private double writes;
  private double reads;
  private double flushed;
  private double merged;
  private double mergeRead;
  private double device;
  private double busy;
  private double drained;
  private double mergeThreads;
  private double flushThreads;
  private int flushes;
  private int overflows;
  private double sealToFlushed;
  private final Map<StallClass, Double> stalls = new EnumMap<>(StallClass.class);

  /** Clients of a step. */
  record Clients(double writes, double writtenBytes, double reads) {}

  /** A step has passed. */
  void add(double lasted, Clients clients, FlowBandwidth.Shares shares, double devicePart) {
    seconds += lasted;
    writes += clients.writes;
    written += clients.writtenBytes;
    reads += clients.reads;
    device += lasted * devicePart;
    busy += lasted * shares.busy();
    drained += shares.drained() ? lasted : 0;
  }

  /** A job ran for the step. */
  void ran(FlowJob job, double lasted) {
    double moved = job.rate() * lasted;
    if (job.kind() == FlowJob.Kind.FLUSH) {
      flushThreads += lasted;
      flushed += moved;
    } else {
      mergeThreads += job.rate() > 0 ? lasted : 0;
      merged += moved * job.writtenPart();
      mergeRead += moved * (1 - job.writtenPart());
    }
  }

  void stalled(StallClass by, double lasted) {
    stalls.merge(by, lasted, Double::sum);
  }

  /** Memory was full before what was sealed had been flushed, or writers wait for that. */
  void overflowed() {
    overflows++;
  }

  void flushEnded(double secondsSinceSeal) {
    flushes++;
    sealToFlushed += secondsSinceSeal;
  }

  double stalledSeconds() {
    return stalls.values().stream().mapToDouble(Double::doubleValue).sum();
  }

  double writesPerSecond() {
    return seconds > 0 ? writes / seconds : 0;
  }

  double devicePart() {
    return seconds > 0 ? device / seconds : 0;
  }

  private double stall(StallClass by) {
    return Optional.ofNullable(stalls.get(by)).orElse(0.0);
  }

  /** The second as a tuner sees it; the processors are never short here. */
  FlowObservation observation(FlowTree tree) {
    double live = tree.liveBytes();
    return new FlowObservation(
        seconds,
        List.of(
            new IndexFlow(
                "default",
                tree.level0Components(),
                Integer.MAX_VALUE,
                tree.pendingBytes(),
                Math.max(0, Math.round(tree.bytes() - live)),
                Math.round(tree.bytes()))),
        new FlowObservation.Memory(flushes, overflows, flushes > 0 ? sealToFlushed / flushes : 0),
        new FlowObservation.Rates(
            written / seconds,
            flushed / seconds,
            mergeRead / seconds,
            merged / seconds,
            writes / seconds,
            reads / seconds),
        new FlowObservation.Busy(
            Math.min(1, busy / seconds),
            drained / seconds,
            0,
            mergeThreads / seconds,
            flushThreads / seconds),
        new FlowObservation.Stalls(
            stall(StallClass.MEMORY),
            stall(StallClass.LEVEL_ZERO),
            stall(StallClass.PENDING_BYTES)));
  }
}
