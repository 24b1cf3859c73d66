package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.kv.BenchmarkException;

/** Where phases run: in a process each, or in this one. */
public interface PhaseRunner {
  /** Loads a node, runs the phase, and removes the files. */
  PhaseOutcome run(PhaseRequest request) throws BenchmarkException;

  /**
   * Ends the phase that is under way, with an exception; may be called from any thread. Does
   * nothing where the phase ends with its process.
   */
  default void stop() {}
}
