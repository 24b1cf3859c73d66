package dev.varve.benchmarks.kv;

/** How keys follow each other as records are numbered. */
public enum KeyOrder {
  /** Scattered over all keys. */
  RANDOM,
  /** Each above the one before. */
  INCREASING
}
