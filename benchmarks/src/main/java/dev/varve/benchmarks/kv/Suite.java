package dev.varve.benchmarks.kv;

import dev.varve.benchmarks.measure.Labelled;
import java.util.Locale;

/** Phases that belong together. */
public enum Suite implements Labelled {
  /** Random keys, values of the size that was asked for. */
  MAIN,
  /** The data of {@link #MAIN} with a cache of a quarter of it. */
  BEYOND_CACHE,
  /** A tenth of the records, with values ten times as large. */
  LARGE_VALUES,
  /** Keys in increasing order. */
  INCREASING,
  /** Forced writes, beside what the device itself does. */
  DURABLE,
  /** Opening a store that was killed. */
  RECOVERY,
  /** Loads of growing size, by the first store alone; runs only when asked for. */
  SCALE;

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}
