package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.HyracksIndex;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexStore;
import org.apache.hyracks.storage.am.rtree.impls.SearchPredicate;
import org.apache.hyracks.storage.am.rtree.util.RTreeUtils;

/** An R-tree of Hyracks. Confined to one thread. */
final class HyracksSpatialStore implements SpatialStore, IndexStore.Delegating {
  private final HyracksIndex index;
  private final HyracksPoint point = HyracksPoint.record();
  private final HyracksPoint corners = HyracksPoint.corners();
  private final SearchPredicate within =
      new SearchPredicate(
          corners, RTreeUtils.getSearchMultiComparator(HyracksTrees.CORNERS, corners));

  /** A store of a tree that it closes. */
  HyracksSpatialStore(HyracksIndex index) {
    this.index = index;
  }

  @Override
  public void insert(double x, double y, long id) throws BenchmarkException {
    index.insert(point.set(x, y, id));
  }

  @Override
  public void delete(double x, double y, long id) throws BenchmarkException {
    index.delete(point.set(x, y, id));
  }

  @Override
  public void query(Box box, IdSink found) throws BenchmarkException {
    corners.set(box);
    index.search(within, found);
  }

  @Override
  public void nearest(double x, double y, int count, IdSink found) {
    throw new UnsupportedOperationException("its R-trees have no nearest search");
  }

  @Override
  public IndexStore index() {
    return index;
  }
}
