package dev.varve.simulator;

import dev.varve.common.merge.MergePolicy;

/**
 * One LSM-tree of the node. Each write of a record puts one entry into every tree.
 *
 * @param name for reports
 * @param loaded entries that are loaded, in random order and with all merges done, before time
 *     begins
 * @param entryBytes what an entry takes in a component, in memory and on disk
 * @param keys which keys are updated
 * @param structure how it keeps its components, and which of them merge
 */
public record SimulatedTree(
    String name, long loaded, int entryBytes, KeyModel keys, TreeStructure structure) {
  /**
   * Where keys end, in a tree whose components are cut by them: they are numbers below this, eight
   * bytes each, the first byte the highest.
   */
  public static final long KEY_SPACE = RangeMerger.END;

  /** Checks the numbers. */
  public SimulatedTree {
    if (loaded < 0 || entryBytes < 1) {
      throw new IllegalArgumentException(
          "tree " + name + ": " + loaded + " entries of " + entryBytes + " bytes");
    }
  }

  /** A tree of components that hold any key. */
  public SimulatedTree(
      String name, long loaded, int entryBytes, KeyModel keys, MergePolicy policy) {
    this(name, loaded, entryBytes, keys, new TreeStructure.Full(policy));
  }

  /** The same tree under another policy. */
  public SimulatedTree withPolicy(MergePolicy other) {
    return new SimulatedTree(name, loaded, entryBytes, keys, other);
  }
}
