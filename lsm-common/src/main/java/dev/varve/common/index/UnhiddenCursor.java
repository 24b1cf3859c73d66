package dev.varve.common.index;

import dev.varve.common.component.DeletedRanges;
import dev.varve.common.error.StorageException;
import java.util.List;

/**
 * Leaves out of a reconciled stream what deleted ranges of newer components hide. The newest state
 * of a key decides: where it is hidden, all older ones are. Confined to one thread.
 */
final class UnhiddenCursor implements ForwardingCursor {
  private final MergingCursor states;
  private final List<DeletedRanges> newer;

  /**
   * Takes the cursor over.
   *
   * @param newer for each source of the stream, the ranges of all components that are newer
   */
  UnhiddenCursor(MergingCursor states, List<DeletedRanges> newer) {
    this.states = states;
    this.newer = newer;
  }

  @Override
  public MergingCursor states() {
    return states;
  }

  @Override
  public boolean next() throws StorageException {
    while (states.next()) {
      if (!newer.get(states.source()).contains(states.entry().key())) {
        return true;
      }
    }
    return false;
  }
}
