package dev.varve.benchmarks.index;

import com.google.errorprone.annotations.Immutable;
import dev.varve.benchmarks.measure.Labelled;

/** A kind of index that can take part in a comparison. Immutable. */
public interface IndexKind extends Labelled {
  /** The options of a kind in words. */
  @Immutable
  @FunctionalInterface
  interface Description {
    /** All that matter, in one line. */
    String of(IndexSettings.Budget budget);
  }

  /** What takes part, with what every store is given. */
  IndexContender contender(IndexSettings settings);
}
