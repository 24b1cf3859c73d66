package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.store.StoreException;
import dev.varve.benchmarks.store.StoreFigures;
import dev.varve.common.bytes.Bytes;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.am.rtree.impls.SearchPredicate;
import org.apache.hyracks.storage.am.rtree.util.RTreeUtils;
import org.apache.hyracks.storage.common.IIndexAccessor;
import org.apache.hyracks.storage.common.IIndexCursor;

/** An R-tree of Hyracks: an accessor for changes, and one with a cursor for queries. */
final class HyracksSpatialStore implements SpatialStore {
  private final HyracksTree tree;
  private final IIndexAccessor changes;
  private final IIndexAccessor queries;
  private final IIndexCursor cursor;
  private final HyracksPoint point = HyracksPoint.record();
  private final HyracksPoint corners = HyracksPoint.corners();
  private final SearchPredicate within;

  private HyracksSpatialStore(HyracksTree tree) throws HyracksDataException {
    this.tree = tree;
    this.changes = tree.newAccessor();
    this.queries = tree.newAccessor();
    this.cursor = queries.createSearchCursor(false);
    this.within =
        new SearchPredicate(
            corners, RTreeUtils.getSearchMultiComparator(HyracksTree.CORNERS, corners));
  }

  /** A store of a tree that it closes. */
  static HyracksSpatialStore of(HyracksTree tree) throws StoreException {
    try {
      return new HyracksSpatialStore(tree);
    } catch (HyracksDataException e) {
      tree.close();
      throw new StoreException("open", e);
    }
  }

  @Override
  public void insert(double x, double y, long id) throws StoreException {
    try {
      changes.insert(point.set(x, y, id));
    } catch (HyracksDataException e) {
      throw new StoreException("insert", e);
    }
  }

  @Override
  public void delete(double x, double y, long id) throws StoreException {
    try {
      changes.delete(point.set(x, y, id));
    } catch (HyracksDataException e) {
      throw new StoreException("delete", e);
    }
  }

  @Override
  public void query(Box box, IdSink found) throws StoreException {
    corners.set(box);
    try {
      queries.search(cursor, within);
      try {
        while (cursor.hasNext()) {
          cursor.next();
          ITupleReference tuple = cursor.getTuple();
          found.accept(
              Bytes.getLongBigEndian(
                  tuple.getFieldData(HyracksPoint.ID), tuple.getFieldStart(HyracksPoint.ID)));
        }
      } finally {
        cursor.close();
      }
    } catch (HyracksDataException e) {
      throw new StoreException("query", e);
    }
  }

  @Override
  public void nearest(double x, double y, int count, IdSink found) {
    throw new UnsupportedOperationException("its R-trees have no nearest search");
  }

  @Override
  public void compact() {
    throw new UnsupportedOperationException("nobody asks for this");
  }

  @Override
  public void settle() throws StoreException {
    tree.settle();
  }

  @Override
  public StoreFigures figures() {
    return tree.figures();
  }

  @Override
  public long cacheMisses() {
    return tree.cacheMisses();
  }

  @Override
  public void close() throws StoreException {
    try {
      cursor.destroy();
      queries.destroy();
      changes.destroy();
    } catch (HyracksDataException e) {
      throw new StoreException("close", e);
    }
    tree.close();
  }
}
