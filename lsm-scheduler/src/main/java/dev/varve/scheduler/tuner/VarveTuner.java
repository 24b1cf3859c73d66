package dev.varve.scheduler.tuner;

import dev.varve.scheduler.tuner.TunerSetting.Io;
import dev.varve.scheduler.tuner.TunerSetting.MergeOrder;

/**
 * Throughput and tail at once, with nothing to be told. ADOC moves threads and memory against each
 * other each time something overflows; this one asks two questions that do not depend on what
 * overflows.
 *
 * <ul>
 *   <li>How many merge threads does the device feed? While it has room and some second needed all
 *       of them there are more, twice as many at a time until it was busy once, then two more. Once
 *       it is busy there is one fewer, for merges beyond that take from flushes what they gain, and
 *       that is when writers are stopped.
 *   <li>How fast may writers be? A slow-down begins earlier than RocksDB's, at eight tenths of its
 *       components, and at a rate that hardly slows anybody; RocksDB's controller lowers that as
 *       long as what waits grows. So writers are paced by a little for a long time, not by a lot
 *       for a short one.
 * </ul>
 *
 * <p>Memory components have all that they may have, and merges of level 0 go first. Flush threads
 * stay as configured. Immutable.
 */
record VarveTuner() implements Tuner {
  /** The device is busy above this part of its bandwidth. */
  static final double BUSY = 0.75;

  /** It has room below this. */
  static final double ROOM = 0.7;

  /** Windows over which that is a mean: several merges. */
  static final int WINDOWS = 20;

  /** The same until the device was busy once. */
  static final int FIRST_WINDOWS = 5;

  /** All threads were needed if so many of them, in the mean of a window, had a merge. */
  private static final double IDLE_THREADS = 0.6;

  private static final int MORE_THREADS = 2;
  private static final double LEVEL0_SLOW_PART = 0.8;
  private static final int DELAYED_TIMES = 4;

  @Override
  public Course start(TunerSetting configured, TunerLimits limits) {
    return new Windows(
        configured
            .withMemoryBytes(limits.mostMemoryBytes())
            .withIo(new Io(Io.UNLIMITED, Io.UNLIMITED, MergeOrder.LEVEL_ZERO_FIRST)),
        limits);
  }

  @Override
  public WriteLimits writeLimits(WriteLimits configured) {
    return new WriteLimits(
        Math.max(1, (int) (LEVEL0_SLOW_PART * configured.level0Slow())),
        configured.level0Stop(),
        configured.pendingSlowBytes(),
        configured.pendingStopBytes(),
        DELAYED_TIMES * configured.delayedBytesPerSecond());
  }

  @Override
  public boolean pacesWriters() {
    return true;
  }

  @Override
  public String describe() {
    return "varve";
  }

  /** One node being tuned. */
  private static final class Windows implements Course {
    private final TunerSetting initial;
    private final int mostThreads;
    private boolean wasBusy;
    private int windows;
    private double busy;
    private double most;

    Windows(TunerSetting initial, TunerLimits limits) {
      this.initial = initial;
      this.mostThreads = limits.mostThreads();
    }

    @Override
    public TunerSetting initial() {
      return initial;
    }

    @Override
    public TunerDecision decide(FlowObservation window, TunerSetting inForce) {
      windows++;
      busy += window.busy().device();
      most = Math.max(most, window.busy().mergeThreads());
      if (windows < (wasBusy ? WINDOWS : FIRST_WINDOWS)) {
        return TunerDecision.stay(inForce);
      }
      TunerDecision decision = decide(busy / windows, inForce);
      windows = 0;
      busy = 0;
      most = 0;
      return decision;
    }

    private TunerDecision decide(double part, TunerSetting inForce) {
      int threads = inForce.mergeThreads();
      if (part > BUSY) {
        wasBusy = true;
        return merging(
            Math.max(1, threads - 1), inForce, "the device is busy: %.0f %%".formatted(100 * part));
      }
      if (part < ROOM && most > threads - IDLE_THREADS) {
        int more = wasBusy ? threads + MORE_THREADS : 2 * threads + 1;
        return merging(
            Math.max(1, Math.min(mostThreads - inForce.flushThreads(), more)),
            inForce,
            "%d merge threads do not fill the device: %.0f %%".formatted(threads, 100 * part));
      }
      return TunerDecision.stay(inForce);
    }

    private static TunerDecision merging(int threads, TunerSetting inForce, String reason) {
      return new TunerDecision(
          new TunerSetting(threads, inForce.flushThreads(), inForce.memoryBytes(), inForce.io()),
          reason);
    }
  }
}
