package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.concurrent.locks.LockSupport;

/** Waits for a store that can only be asked whether it is busy. */
final class Quiet {
  private static final long LOOK_NANOS = 5_000_000;

  /** Looks in a row that must find nothing: one task hands over to the next in between. */
  private static final int LOOKS = 4;

  private Quiet() {}

  /** The question. */
  @FunctionalInterface
  interface Question {
    boolean busy() throws BenchmarkException;
  }

  static void await(Question question) throws BenchmarkException {
    int quiet = 0;
    while (quiet < LOOKS) {
      quiet = question.busy() ? 0 : quiet + 1;
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
