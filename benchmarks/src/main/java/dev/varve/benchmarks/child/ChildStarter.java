package dev.varve.benchmarks.child;

import java.util.List;

/** Starts the children of a comparison. Confined to the main thread. */
@FunctionalInterface
public interface ChildStarter {
  /**
   * Starts one; the caller closes it.
   *
   * @param name of what it works on, and of the file for what it writes to stderr
   * @param jvmArguments of its JVM
   */
  ChildLink start(String name, List<String> jvmArguments) throws BenchmarkException;
}
