package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.child.BenchmarkException;

/** Where phases run: in a process each, or in this one. */
public interface PhaseRunner {
  /** Loads a node, runs the phase, and removes the files. */
  PhaseOutcome run(PhaseRequest request) throws BenchmarkException;
}
