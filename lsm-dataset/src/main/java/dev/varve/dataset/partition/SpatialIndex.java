package dev.varve.dataset.partition;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.index.EntryCursor;
import dev.varve.common.index.LsmIndex;
import dev.varve.dataset.search.IndexSearch;
import dev.varve.dataset.search.SpatialSearch;
import dev.varve.rtree.geometry.SpatialKey;
import dev.varve.rtree.query.RegionQuery;
import dev.varve.rtree.query.SpatialQuery;

/**
 * An R-tree.
 *
 * @param lsm the index
 */
record SpatialIndex(LsmIndex<SpatialQuery> lsm) implements SecondaryIndex {
  @Override
  public EntryKeys newEntryKeys() {
    Slice view = new Slice();
    return key -> {
      if (!SpatialKey.isWellFormed(key)) {
        throw new CorruptionException(lsm.describe(), -1, "entry " + key + " is no spatial key");
      }
      return SpatialKey.viewPrimaryKey(key, view);
    };
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed by who takes the candidates
  public Candidates search(IndexSearch search) throws StorageException {
    if (!(search instanceof SpatialSearch spatial)) {
      throw refused(search);
    }
    RegionQuery region = spatial.region();
    return new Candidates(lsm.searchStates(region), (key, value) -> isIn(region, key));
  }

  private static boolean isIn(RegionQuery region, Slice key) {
    double minX = SpatialKey.minX(key);
    double minY = SpatialKey.minY(key);
    double maxX = SpatialKey.maxX(key);
    double maxY = SpatialKey.maxY(key);
    return minX <= region.maxX()
        && maxX >= region.minX()
        && minY <= region.maxY()
        && maxY >= region.minY()
        && region.accepts(minX, minY, maxX, maxY);
  }

  @Override
  @MustBeClosed
  public EntryCursor everything() throws StorageException {
    return lsm.search(RegionQuery.everything());
  }
}
