package dev.varve.common.index;

import dev.varve.common.component.DeletedRanges;
import java.util.ArrayList;
import java.util.List;

/**
 * For each source of a search or merge, the deleted ranges of the components that are newer. Filled
 * from the newest component to the oldest; confined to one search or merge.
 */
final class NewerRanges {
  private final List<DeletedRanges> ofSources = new ArrayList<>();
  private DeletedRanges soFar = DeletedRanges.NONE;

  /** A component is searched, whose ranges come later; or several that have none. */
  void source() {
    ofSources.add(soFar);
  }

  /** The ranges of a component. */
  void add(DeletedRanges ranges) {
    soFar = soFar.with(ranges);
  }

  /** What is left of the reconciled states of the sources. */
  LsmCursor unhidden(MergingCursor states) {
    assert !soFar.isEmpty() || ofSources.stream().allMatch(DeletedRanges::isEmpty);
    return soFar.isEmpty() ? states : new UnhiddenCursor(states, ofSources);
  }
}
