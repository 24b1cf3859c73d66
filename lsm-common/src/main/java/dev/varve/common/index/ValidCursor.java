package dev.varve.common.index;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.format.Validity;

/**
 * Applies deleted keys to a reconciled stream: entries that are deleted on disk are left out, those
 * that are deleted in memory are handed out as antimatter from there, a candidate whose deletion
 * may not be committed. Confined to one thread.
 */
final class ValidCursor implements ForwardingCursor {
  private final MergingCursor states;
  private final NewerDeletedKeys newer;

  /** What is shown instead of an entry that is deleted in memory. */
  private final Entry deleted = new Entry().antimatter(true);

  private boolean showsDeleted;

  /** Takes the cursor over. */
  ValidCursor(MergingCursor states, NewerDeletedKeys newer) {
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
      Slice key = states.entry().key();
      Validity validity = newer.validity(states.source(), key);
      if (validity != Validity.DELETED_ON_DISK) {
        showsDeleted = validity == Validity.DELETED_IN_MEMORY;
        if (showsDeleted) {
          deleted.key().set(key.bytes(), key.offset(), key.length());
        }
        return true;
      }
    }
    return false;
  }

  @Override
  public Entry entry() {
    return showsDeleted ? deleted : states.entry();
  }

  @Override
  public Origin origin() {
    return showsDeleted ? Origin.MEMORY : states.origin();
  }

  @Override
  public Validity validity(int source, Slice key) throws StorageException {
    return newer.validity(source, key);
  }
}
