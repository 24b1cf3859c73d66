package dev.varve.scheduler.tuner;

/**
 * Additive increase, multiplicative decrease of both knobs (ADOC, section 5): two threads and a
 * step of memory up, half of either down. Pure; no state.
 *
 * @param limits between what they move
 * @param knobs which of them are turned at all
 */
record Aimd(TunerLimits limits, Knobs knobs) {
  private static final int THREAD_STEP = 2;

  /** Which knobs a tuner turns. */
  enum Knobs {
    /** Both. */
    BOTH,
    /** ADOC-T. */
    THREADS,
    /** ADOC-B. */
    MEMORY
  }

  TunerSetting moreThreads(TunerSetting from) {
    return knobs == Knobs.MEMORY
        ? from
        : from.withThreads(Math.min(limits.mostThreads(), from.threads() + THREAD_STEP));
  }

  TunerSetting fewerThreads(TunerSetting from) {
    return knobs == Knobs.MEMORY ? from : from.withThreads(Math.max(2, from.threads() / 2));
  }

  TunerSetting moreMemory(TunerSetting from) {
    return knobs == Knobs.THREADS
        ? from
        : from.withMemoryBytes(
            Math.min(limits.mostMemoryBytes(), from.memoryBytes() + limits.memoryStepBytes()));
  }

  TunerSetting lessMemory(TunerSetting from) {
    return knobs == Knobs.THREADS
        ? from
        : from.withMemoryBytes(Math.max(limits.memoryStepBytes(), from.memoryBytes() / 2));
  }

  /** What an overflow calls for. */
  TunerSetting answer(Overflow overflow, TunerSetting from) {
    return switch (overflow) {
      case LEVEL_ZERO -> moreThreads(from);
      case REDUNDANCY -> lessMemory(moreThreads(from));
      case MEMORY -> moreMemory(fewerThreads(from));
    };
  }
}
