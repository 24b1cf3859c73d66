package dev.varve.dataset.internal.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.LsmCursor;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.KeySearch;
import dev.varve.dataset.model.SpatialSearch;
import dev.varve.rtree.query.RegionQuery;

/** Looks at everything that an index of a partition holds, for tests of what is where. */
public final class IndexStates {
  private IndexStates() {}

  /** The newest states of all entries of the index at a position, antimatter included. */
  @MustBeClosed
  public static LsmCursor open(PartitionIndexes indexes, int position) throws StorageException {
    if (position == 0) {
      return indexes.primary().searchStates(KeyRange.all());
    }
    SecondaryIndex<?> index = indexes.secondary(position - 1);
    return index
        .search(
            index.kind().name().startsWith("rtree")
                ? new SpatialSearch(RegionQuery.everything())
                : new KeySearch(KeyRange.all()),
            FilterRange.NONE)
        .states();
  }
}
