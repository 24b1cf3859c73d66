package dev.varve.benchmarks.store;

/** Which way a scan goes through the keys. */
public enum ScanDirection {
  FORWARD,
  BACKWARD
}
