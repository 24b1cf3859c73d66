package dev.varve.scheduler.tuner;

import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * Changes nothing: what is configured holds, or what is said here. Immutable.
 *
 * @param threads merge and flush threads together; empty for as configured
 * @param memoryBytes what a memory component holds; empty for as configured
 */
record StaticTuner(OptionalInt threads, OptionalLong memoryBytes) implements Tuner {
  /** Changes nothing at all. */
  static final StaticTuner FIXED = new StaticTuner(OptionalInt.empty(), OptionalLong.empty());

  static StaticTuner of(int threads, long memoryBytes) {
    if (threads < 1 || memoryBytes < 1) {
      throw new IllegalArgumentException(
          "static: " + threads + " threads, memory components of " + memoryBytes + " bytes");
    }
    return new StaticTuner(OptionalInt.of(threads), OptionalLong.of(memoryBytes));
  }

  @Override
  public Course start(TunerSetting configured, TunerLimits limits) {
    TunerSetting setting =
        threads.isPresent() ? configured.withThreads(threads.getAsInt()) : configured;
    return new Steady(
        memoryBytes.isPresent() ? setting.withMemoryBytes(memoryBytes.getAsLong()) : setting);
  }

  @Override
  public String describe() {
    return threads.isPresent()
        ? "static(" + threads.getAsInt() + ", " + memoryBytes.orElseThrow() + ")"
        : "fixed";
  }

  /** Decides nothing. */
  private record Steady(TunerSetting initial) implements Course {
    @Override
    public TunerDecision decide(FlowObservation window, TunerSetting inForce) {
      return TunerDecision.stay(inForce);
    }
  }
}
