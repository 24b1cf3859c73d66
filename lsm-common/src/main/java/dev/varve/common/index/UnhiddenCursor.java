package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Validity;

/**
 * Leaves out of a reconciled stream what deleted ranges of newer components hide. The newest state
 * of a key decides: where it is hidden, all older ones are. Confined to one thread.
 */
final class UnhiddenCursor implements ForwardingCursor {
  private final MergingCursor states;
  private final NewerRanges newer;

  /** Takes the cursor over. One that hands out older states, too, has each looked at by itself. */
  UnhiddenCursor(MergingCursor states, NewerRanges newer) {
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
      if (!newer.hide(states.source(), states.entry().key())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Validity validity(int source, Slice key) {
    return newer.hide(source, key) ? Validity.DELETED_ON_DISK : Validity.VALID;
  }
}
