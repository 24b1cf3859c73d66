package dev.varve.benchmarks.sustainable;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.child.ChildLink;
import java.util.List;

/** Where phases run: in a process each, or in this one. */
public interface PhaseRunner {
  /** Starts processes that run phases. */
  @FunctionalInterface
  interface Starter {
    /** Starts one with a JVM of these arguments; the caller closes it. */
    ChildLink start(List<String> jvmArguments) throws BenchmarkException;
  }

  /** Loads a node, runs the phase, and removes the files. */
  PhaseOutcome run(PhaseRequest request) throws BenchmarkException;

  /**
   * Ends the phase that is under way, with an exception; may be called from any thread. Does
   * nothing where the phase ends with its process.
   */
  default void stop() {}
}
