package dev.varve.dataset.internal.partition;

import dev.varve.common.index.LsmCursor;
import dev.varve.common.index.MergeSieve;
import dev.varve.dataset.options.IndexUpkeep;
import java.util.function.Supplier;

/**
 * Has the merges of a secondary index leave out what the index of primary keys shows to be
 * obsolete. How far entries were checked is counted in flushes of the latter: those up to the count
 * hold nothing that makes one of them obsolete. An entry and that of its key come into memory
 * together, so that a flush that was on disk before holds no younger change of the key; but not
 * when both were brought back by recovery, which has to end before this is used. Thread-safe.
 *
 * @param index whose entries are stamped
 * @param changes of the index of primary keys of the same partition
 * @param upkeep whether there may be something obsolete
 */
record RepairSieve(SecondaryIndex<?> index, SharedChanges changes, Supplier<IndexUpkeep> upkeep)
    implements MergeSieve {
  @Override
  public Sifted over(LsmCursor states, long checkedTo) {
    if (!upkeep.get().mayHoldObsolete()) {
      return OPEN.over(states, checkedTo);
    }
    RepairedEntries repaired = new RepairedEntries(states, index, changes, checkedTo);
    return new Sifted(repaired, repaired::checkedTo);
  }

  @Override
  public boolean repairs() {
    return upkeep.get().mayHoldObsolete();
  }

  @Override
  public long position() {
    return changes.primaryKeys().state().newestFlush();
  }
}
