package dev.varve.common.merge;

import dev.varve.common.component.ComponentId;
import java.util.List;

/** What a merge policy wants done now. */
public sealed interface MergeDecision {
  /** Nothing to merge until the shape changes. */
  record Wait() implements MergeDecision {}

  /**
   * Merge a run of adjacent components into one.
   *
   * @param inputs at least two (one, to drop antimatter), oldest first
   */
  record Merge(List<ComponentId> inputs) implements MergeDecision {
    /** Copies the list. */
    public Merge {
      inputs = List.copyOf(inputs);
      if (inputs.isEmpty()) {
        throw new IllegalArgumentException("a merge without inputs");
      }
    }
  }
}
