package dev.varve.benchmarks.store;

/** How much of RocksDB is set. */
public enum RocksDbTuning {
  /** Memory, cache, filter, jobs and compression. */
  TUNED,
  /** Nothing but that a missing store is created. */
  DEFAULT
}
