package dev.varve.scheduler.simulator;

import dev.varve.common.merge.MergePolicy;

/**
 * One LSM-tree of the node. Each write of a record puts one entry into every tree.
 *
 * @param name for reports
 * @param loaded entries that are loaded, in random order and with all merges done, before time
 *     begins
 * @param entryBytes what an entry takes in a component, in memory and on disk
 * @param keys which keys are updated
 * @param policy which components merge, and at how many of them writes wait
 */
public record SimulatedTree(
    String name, long loaded, int entryBytes, KeyModel keys, MergePolicy policy) {
  /** Checks the numbers. */
  public SimulatedTree {
    if (loaded < 0 || entryBytes < 1) {
      throw new IllegalArgumentException(
          "tree " + name + ": " + loaded + " entries of " + entryBytes + " bytes");
    }
  }

  /** The same tree under another policy. */
  public SimulatedTree withPolicy(MergePolicy other) {
    return new SimulatedTree(name, loaded, entryBytes, keys, other);
  }
}
