package dev.varve.benchmarks.measure;

import dev.varve.benchmarks.child.BenchmarkException;

/** What one thread of a phase does. Confined to it, but for the count of its timings. */
public interface ThreadWork {
  /** Does it all. */
  void run() throws BenchmarkException;

  /** What it measures meanwhile. */
  Timings timings();
}
