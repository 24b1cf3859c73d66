package dev.varve.simulator;

import java.util.Optional;

/**
 * What a write has to wait for besides memory. Immutable.
 *
 * @param limitCounts when the component limit keeps writes back
 * @param lookup what is looked up for each write; empty when writes look nothing up
 */
public record WriterRules(LimitCounts limitCounts, Optional<Lookup> lookup) {
  /** What the engine's writers do when they write blindly. */
  public static final WriterRules ENGINE =
      new WriterRules(LimitCounts.WHEN_MEMORY_IS_FULL, Optional.empty());

  /** When the component limit keeps writes back. */
  public enum LimitCounts {
    /** The engine's: once a memory component is full whose flush would not fit below the limit. */
    WHEN_MEMORY_IS_FULL,
    /** The paper's (section 5.1): at any time, whatever room there is in memory. */
    ALWAYS
  }

  /**
   * The point lookup of an eager writer, which looks for the old record first.
   *
   * @param readSeconds one read from an idle device
   * @param falsePositives how often a component that does not hold the key is read as well
   * @param busyPart the part of the device's time that a running flush or merge takes
   */
  public record Lookup(double readSeconds, double falsePositives, double busyPart) {
    /** Checks the numbers. */
    public Lookup {
      if (!(readSeconds > 0)
          || !(falsePositives >= 0 && falsePositives <= 1)
          || !(busyPart >= 0 && busyPart < 1)) {
        throw new IllegalArgumentException(
            "lookups: "
                + readSeconds
                + " s, false positives "
                + falsePositives
                + ", device busy "
                + busyPart);
      }
    }

    /**
     * How long one takes.
     *
     * @param components of the tree, at least one of which holds the key
     */
    double seconds(int components) {
      return readSeconds * (1 + falsePositives * Math.max(0, components - 1));
    }

    /** The same while a flush or merge runs. */
    double secondsWhileBusy(int components) {
      return seconds(components) / (1 - busyPart);
    }
  }
}
