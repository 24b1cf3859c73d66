package dev.varve.scheduler.tuner;

import java.util.Optional;

/**
 * ADOC as its authors' public code does it: thresholds are relative to the best that was seen. A
 * window in which writers put less than seven tenths of their best rate into memory is looked at:
 * it is an overflow of level 0 above seven tenths of the slow-down, of redundancy above half of the
 * slow-down, of memory when flushes have at most half of their best speed. Otherwise threads are
 * halved when fewer than one in two and a half of the merge threads had a merge, and memory is
 * halved when fewer flushes ended than three tenths of the most. Immutable.
 */
record AdocArtifactTuner() implements Tuner {
  private static final double INGEST_PART = 0.7;
  private static final double LEVEL0_PART = 0.7;
  private static final double PENDING_PART = 0.5;
  private static final double FLUSH_PART = 0.5;
  private static final double USED_PART = 1 / 2.5;
  private static final double FLUSHES_PART = 0.3;

  /** Windows over which use and flushes are averaged: a flush may take longer than one. */
  private static final int WINDOWS = 10;

  @Override
  public Course start(TunerSetting configured, TunerLimits limits) {
    return new Windows(configured, limits);
  }

  @Override
  public String describe() {
    return "adoc-artifact";
  }

  /** One node being tuned. */
  private static final class Windows implements Course {
    private final TunerSetting initial;
    private final TunerLimits limits;
    private final Aimd knobs;
    private double bestWritten;
    private double bestFlushSpeed;
    private double mostFlushedBytes;
    private int windows;
    private double usedPart;
    private double flushedBytes;

    Windows(TunerSetting initial, TunerLimits limits) {
      this.initial = initial;
      this.limits = limits;
      this.knobs = new Aimd(limits, Aimd.Knobs.BOTH);
    }

    @Override
    public TunerSetting initial() {
      return initial;
    }

    @Override
    public TunerDecision decide(FlowObservation window, TunerSetting inForce) {
      double written = window.rates().writtenBytes();
      double flushSpeed =
          window.memory().sealToFlushedSeconds() > 0
              ? inForce.memoryBytes() / window.memory().sealToFlushedSeconds()
              : 0;
      bestWritten = Math.max(bestWritten, written);
      bestFlushSpeed = Math.max(bestFlushSpeed, flushSpeed);
      windows++;
      usedPart += window.busy().mergeThreads() / inForce.mergeThreads() / WINDOWS;
      flushedBytes += window.memory().flushes() * (double) inForce.memoryBytes();
      if (written < INGEST_PART * bestWritten) {
        Optional<TunerDecision> answer = answer(window, inForce, flushSpeed);
        if (answer.isPresent()) {
          beginWindows();
          return answer.get();
        }
      }
      if (windows < WINDOWS) {
        return TunerDecision.stay(inForce);
      }
      mostFlushedBytes = Math.max(mostFlushedBytes, flushedBytes);
      TunerDecision decision = release(inForce);
      beginWindows();
      return decision;
    }

    private void beginWindows() {
      windows = 0;
      usedPart = 0;
      flushedBytes = 0;
    }

    private Optional<TunerDecision> answer(
        FlowObservation window, TunerSetting inForce, double flushSpeed) {
      for (IndexFlow index : window.indexes()) {
        double slow = LEVEL0_PART * AdocTuner.level0Slow(index, limits);
        if (index.level0Components() > slow) {
          return Optional.of(
              new TunerDecision(
                  knobs.answer(Overflow.LEVEL_ZERO, inForce),
                  "level 0 of %s overflows: %d components, more than %.0f"
                      .formatted(index.name(), index.level0Components(), slow)));
        }
      }
      double pendingSlow = PENDING_PART * limits.pendingSlowBytes();
      if (window.pendingBytes() > pendingSlow) {
        return Optional.of(
            new TunerDecision(
                knobs.answer(Overflow.REDUNDANCY, inForce),
                "redundancy overflows: %d bytes wait for merges, more than %.0f"
                    .formatted(window.pendingBytes(), pendingSlow)));
      }
      if (flushSpeed > 0 && flushSpeed <= FLUSH_PART * bestFlushSpeed) {
        return Optional.of(
            new TunerDecision(
                knobs.answer(Overflow.MEMORY, inForce),
                "memory overflows: flushes have %.0f %% of their best speed"
                    .formatted(100 * flushSpeed / bestFlushSpeed)));
      }
      return Optional.empty();
    }

    private TunerDecision release(TunerSetting inForce) {
      TunerSetting setting = inForce;
      String reason = "over %d windows".formatted(WINDOWS);
      if (usedPart < USED_PART) {
        setting = knobs.fewerThreads(setting);
        reason += ", %.0f %% of the merge threads used".formatted(100 * usedPart);
      }
      if (flushedBytes < FLUSHES_PART * mostFlushedBytes) {
        setting = knobs.lessMemory(setting);
        reason += ", %.0f bytes flushed, at most %.0f".formatted(flushedBytes, mostFlushedBytes);
      }
      return new TunerDecision(setting, reason);
    }
  }
}
