package dev.varve.scheduler.tuner;

import dev.varve.scheduler.tuner.TunerSetting.Io;
import dev.varve.scheduler.tuner.TunerSetting.MergeOrder;

/**
 * SILK (Balmau et al., ATC 2019) as ADOC sets it (section 6.1): while clients are busy, a quarter
 * of the device's bandwidth is for merges and the rest for flushes and level 0, which merges pause
 * for; writers are not slowed down for level 0. While clients rest, merges have all of it.
 * Immutable.
 *
 * @param name {@code silk-d}, {@code silk-p} or {@code silk-o}
 * @param threads merge and flush threads together
 * @param memorySteps what a memory component holds, in steps of {@link TunerLimits}
 */
record SilkTuner(String name, int threads, int memorySteps) implements Tuner {
  /** RocksDB's defaults. */
  static final SilkTuner DEFAULT = new SilkTuner("silk-d", 2, 1);

  /** As in SILK's own paper. */
  static final SilkTuner PAPER = new SilkTuner("silk-p", 4, 2);

  /** The best of a grid of ten by two, on ADOC's machine. */
  static final SilkTuner OPTIMAL = new SilkTuner("silk-o", 8, 8);

  private static final int MERGE_PART = 4;

  /** Clients that write a smaller part of what the device does than this count as at rest. */
  private static final double BUSY_PART = 0.001;

  @Override
  public Course start(TunerSetting configured, TunerLimits limits) {
    long device = limits.deviceBytesPerSecond();
    TunerSetting busy =
        TunerSetting.of(
            threads,
            memorySteps * limits.memoryStepBytes(),
            new Io(Io.UNLIMITED, Math.max(1, device / MERGE_PART), MergeOrder.LEVEL_ZERO_FIRST));
    return new Split(busy, device);
  }

  @Override
  public WriteLimits writeLimits(WriteLimits configured) {
    return configured.withoutLevel0();
  }

  @Override
  public boolean needsRate() {
    return true;
  }

  @Override
  public String describe() {
    return name;
  }

  /** One node being tuned. */
  private record Split(TunerSetting initial, long device) implements Course {
    @Override
    public TunerDecision decide(FlowObservation window, TunerSetting inForce) {
      boolean busy =
          window.rates().writtenBytes() > BUSY_PART * device || window.stalls().seconds() > 0;
      Io io = busy ? initial.io() : new Io(Io.UNLIMITED, Io.UNLIMITED, MergeOrder.LEVEL_ZERO_FIRST);
      return new TunerDecision(
          inForce.withIo(io), busy ? "clients are busy" : "clients are at rest");
    }
  }
}
