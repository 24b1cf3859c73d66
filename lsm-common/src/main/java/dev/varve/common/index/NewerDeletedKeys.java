package dev.varve.common.index;

import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.disk.DeletedKeySet;
import dev.varve.common.disk.DiskComponent;
import dev.varve.common.disk.DiskDeletedKeys;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.DeletedKeys;
import dev.varve.common.format.Entry;
import dev.varve.common.format.Validity;
import java.util.ArrayList;
import java.util.List;

/**
 * For each component of a snapshot, the deleted keys and ranges of those that are newer. Components
 * without any deleted keys are left out from the beginning: what is deleted in a memory component
 * after that is deleted after the search began, which need not see it. Confined to one search or
 * merge.
 */
final class NewerDeletedKeys {
  private final DeletedKeys kind;

  /** Newest first, so those of memory components before those of disk components. */
  private final List<DeletedKeySet> sets = new ArrayList<>();

  /** How many of the sets are newer than each component that has an index to search. */
  private final int[] newer;

  private final Slice primaryKey = new Slice();
  private final Entry scratch = new Entry();
  private final NewerRanges ranges;
  private int memorySets;
  private int sources;

  /**
   * Looks at the components of a snapshot, newest first.
   *
   * <p>Sources are counted as {@link ComponentList} opens cursors: a disk component that has
   * deleted keys but no entries is none.
   *
   * @param ranges of the same sources
   */
  <Q> NewerDeletedKeys(
      DeletedKeys kind,
      List<MemoryComponent<Q>> memory,
      List<DiskComponent<Q>> disk,
      NewerRanges ranges) {
    this.kind = kind;
    this.ranges = ranges;
    this.newer = new int[memory.size() + disk.size()];
    for (MemoryComponent<Q> component : memory) {
      newer[sources++] = sets.size();
      MemoryDeletedKeys keys = component.deletedKeys();
      if (keys != null && keys.count() > 0) {
        sets.add(keys);
      }
    }
    memorySets = sets.size();
    for (DiskComponent<Q> component : disk) {
      if (component.index() != null) {
        newer[sources++] = sets.size();
      }
      DiskDeletedKeys keys = component.deletedKeys();
      if (keys != null) {
        sets.add(keys);
      }
    }
  }

  /** Whether they can say nothing but that entries are valid. */
  boolean isEmpty() {
    return (sources == 0 || newer[sources - 1] == 0) && ranges.isEmpty();
  }

  /** What the components that are newer than a source say of one of its entries. */
  Validity validity(int source, Slice key) throws StorageException {
    if (ranges.hide(source, key)) {
      return Validity.DELETED_ON_DISK;
    }
    int asked = newer[source];
    if (asked == 0) {
      return Validity.VALID;
    }
    kind.viewPrimaryKey(key, primaryKey);
    long hash = asked > memorySets ? KeyHash.hash(primaryKey) : 0;
    // What is deleted on disk is deleted, whatever becomes of the transactions in memory.
    for (int i = memorySets; i < asked; i++) {
      if (sets.get(i).contains(primaryKey, hash, scratch)) {
        return Validity.DELETED_ON_DISK;
      }
    }
    for (int i = 0; i < Math.min(asked, memorySets); i++) {
      if (sets.get(i).contains(primaryKey, hash, scratch)) {
        return Validity.DELETED_IN_MEMORY;
      }
    }
    return Validity.VALID;
  }
}
