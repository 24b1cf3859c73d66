package dev.varve.simulator;

import dev.varve.common.component.ComponentStats;
import dev.varve.common.merge.PartitionedShape;
import dev.varve.scheduler.admission.WriteConditions.Usage;
import java.util.List;
import java.util.Optional;

/** The disk components of a tree in a simulation, and which of them merge. */
interface TreeState {
  /** What is simulated. */
  SimulatedTree tree();

  /** How many components a search of any key meets: a level that is partitioned counts as one. */
  int size();

  /** Bytes on disk. */
  long bytes();

  /** What would be left if everything were merged into one. */
  long liveBytes();

  /** Bytes of each partitioned level, the flushed components first; empty without such levels. */
  List<Long> levelBytes();

  /** Components against the limit at which writes wait, as the engine asks for it. */
  Usage usage();

  /** Where writes wait. */
  long limit();

  /**
   * The tree begins with these components, all of loaded keys.
   *
   * @throws IllegalArgumentException when its levels are partitioned
   */
  default void beginWith(List<ComponentStats> there) {
    throw new IllegalArgumentException(
        tree().name() + " has partitioned levels, and cannot begin with " + there);
  }

  /**
   * The tree begins with these levels, all of loaded keys.
   *
   * @throws IllegalArgumentException when its components are not cut
   */
  default void beginWith(PartitionedShape there) {
    throw new IllegalArgumentException(
        tree().name() + " has whole components, and cannot begin with " + there);
  }

  /** A memory component has become the newest disk component. */
  void flushed(double loaded, double updates);

  /** Asks the policy once; what it wants merged is marked. */
  Optional<MergeWork> beginMerge();

  /** Loads the tree, a memory component at a time, and lets every merge end at once. */
  default void load(double entriesPerFlush) {
    double left = tree().loaded();
    while (left > 0.5) {
      double loaded = Math.min(left, entriesPerFlush);
      left -= loaded;
      flushed(loaded, 0);
      Optional<MergeWork> merge = beginMerge();
      while (merge.isPresent()) {
        merge.get().publish();
        merge = beginMerge();
      }
    }
  }
}
