package dev.varve.common.index;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.EntryCursor;

/** Leaves the antimatter of a reconciled stream out. Confined to one thread. */
final class MatterCursor implements EntryCursor {
  private final EntryCursor states;

  MatterCursor(EntryCursor states) {
    this.states = states;
  }

  @Override
  public boolean next() throws StorageException {
    while (states.next()) {
      if (!states.entry().antimatter()) {
        return true;
      }
    }
    return false;
  }

  @Override
  public Entry entry() {
    return states.entry();
  }

  @Override
  public void close() {
    states.close();
  }
}
