package dev.varve.benchmarks.index;

/** Takes the primary key of each result. */
@FunctionalInterface
public interface IdSink {
  /** Takes one. */
  void accept(long id);
}
