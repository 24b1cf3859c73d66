package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;

/** One open store. Thread-safe; closed by whoever opened it, after its sessions. */
public interface Store extends AutoCloseable {
  /** Opens a session for one thread. */
  StoreSession openSession() throws BenchmarkException;

  /** Writes out what is in memory, and waits until background work is quiet. */
  void settle() throws BenchmarkException;

  /** What it can say about itself; cheap enough for once a second. */
  StoreFigures figures() throws BenchmarkException;

  @Override
  void close() throws BenchmarkException;
}
