package dev.varve.scheduler.tuner;

import java.util.Optional;

/**
 * ADOC as the paper prints it (section 5): each second it looks for an overflow, deals with the
 * first one in the order level 0, redundancy, memory, and turns the knobs by {@link Aimd}.
 *
 * <p>The paper does not say when knobs go back while nothing overflows. Here, after ten windows
 * without an overflow, threads are halved if on average less than four tenths of the merge threads
 * had a merge, and memory is halved if no flush ended. Immutable.
 *
 * @param knobs which knobs are turned
 */
record AdocTuner(Aimd.Knobs knobs) implements Tuner {
  /** Windows without an overflow after which what is not used is given back. */
  static final int QUIET_WINDOWS = 10;

  /** Merge threads are too many when a smaller part than this had a merge. */
  static final double USED_PART = 0.4;

  /**
   * Without thresholds of its own level 0 overflows here: the part of the limit at which RocksDB
   * slows down, 20 of 36. A limit of whole components is twice what the policy expects, so this is
   * a ninth more than expected.
   */
  private static final double SLOW_PART = 20.0 / 36;

  @Override
  public Course start(TunerSetting configured, TunerLimits limits) {
    return new Windows(configured, limits, new Aimd(limits, knobs));
  }

  @Override
  public String describe() {
    return switch (knobs) {
      case BOTH -> "adoc-paper";
      case THREADS -> "adoc-t";
      case MEMORY -> "adoc-b";
    };
  }

  /** With more components than this an index's level 0 overflows. */
  static double level0Slow(IndexFlow index, TunerLimits limits) {
    return Math.min(limits.level0Slow(), SLOW_PART * index.level0Limit());
  }

  /** An overflow and its numbers. */
  record Found(Overflow overflow, String text) {}

  /** The first overflow in the paper's order. */
  static Optional<Found> overflow(FlowObservation window, TunerLimits limits) {
    for (IndexFlow index : window.indexes()) {
      if (index.level0Components() > level0Slow(index, limits)) {
        return Optional.of(
            new Found(
                Overflow.LEVEL_ZERO,
                "level 0 of %s overflows: %d components, more than %.0f"
                    .formatted(index.name(), index.level0Components(), level0Slow(index, limits))));
      }
    }
    if (window.pendingBytes() > limits.pendingSlowBytes()) {
      return Optional.of(
          new Found(
              Overflow.REDUNDANCY,
              "redundancy overflows: %d bytes wait for merges, more than %d"
                  .formatted(window.pendingBytes(), limits.pendingSlowBytes())));
    }
    if (window.memory().overflows() > 0) {
      return Optional.of(
          new Found(
              Overflow.MEMORY,
              "memory overflows: full %d times before the last flush had ended"
                  .formatted(window.memory().overflows())));
    }
    return Optional.empty();
  }

  /** One node being tuned. */
  private static final class Windows implements Course {
    private final TunerSetting initial;
    private final TunerLimits limits;
    private final Aimd knobs;
    private int quiet;
    private double usedPart;
    private int flushes;

    Windows(TunerSetting initial, TunerLimits limits, Aimd knobs) {
      this.initial = initial;
      this.limits = limits;
      this.knobs = knobs;
    }

    @Override
    public TunerSetting initial() {
      return initial;
    }

    @Override
    public TunerDecision decide(FlowObservation window, TunerSetting inForce) {
      Optional<Found> found = overflow(window, limits);
      if (found.isPresent()) {
        beginQuiet();
        return new TunerDecision(knobs.answer(found.get().overflow(), inForce), found.get().text());
      }
      quiet++;
      usedPart += window.busy().mergeThreads() / inForce.mergeThreads() / QUIET_WINDOWS;
      flushes += window.memory().flushes();
      if (quiet < QUIET_WINDOWS) {
        return TunerDecision.stay(inForce);
      }
      TunerDecision decision = release(inForce);
      beginQuiet();
      return decision;
    }

    private void beginQuiet() {
      quiet = 0;
      usedPart = 0;
      flushes = 0;
    }

    private TunerDecision release(TunerSetting inForce) {
      TunerSetting setting = inForce;
      String reason = "no overflow for %d windows".formatted(QUIET_WINDOWS);
      if (usedPart < USED_PART) {
        setting = knobs.fewerThreads(setting);
        reason += ", %.0f %% of the merge threads used".formatted(100 * usedPart);
      }
      if (flushes == 0) {
        setting = knobs.lessMemory(setting);
        reason += ", no flush";
      }
      return new TunerDecision(setting, reason);
    }
  }
}
