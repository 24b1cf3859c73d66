package dev.varve.benchmarks.store;

/** What an acknowledged write survives. */
public enum StoreDurability {
  /** Nothing is promised; the store writes no log where it can do without. */
  NONE,
  /** The end of the process: the bytes are in the kernel. */
  PROCESS_CRASH,
  /** The end of the machine: the bytes are forced to the device. */
  POWER_LOSS
}
