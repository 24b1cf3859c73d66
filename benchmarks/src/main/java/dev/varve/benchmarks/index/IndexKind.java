package dev.varve.benchmarks.index;

import dev.varve.benchmarks.measure.Labelled;

/** A kind of index that can take part in a comparison. Immutable. */
public interface IndexKind extends Labelled {
  /** What takes part, with what every store is given. */
  IndexContender contender(IndexSettings settings);
}
