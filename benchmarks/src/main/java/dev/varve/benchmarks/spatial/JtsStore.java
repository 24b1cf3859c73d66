package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.store.StoreFigures;
import org.locationtech.jts.geom.Coordinate;
import org.locationtech.jts.geom.Envelope;
import org.locationtech.jts.index.strtree.ItemBoundable;
import org.locationtech.jts.index.strtree.STRtree;

/** JTS' packed R-tree: in memory, and static once it is asked. Confined to one thread. */
final class JtsStore implements SpatialStore {
  static final int NODE_CAPACITY = 10;

  private final STRtree tree = new STRtree(NODE_CAPACITY);

  @Override
  public void insert(double x, double y, long id) {
    tree.insert(new Envelope(x, x, y, y), (Long) id);
  }

  @Override
  public void delete(double x, double y, long id) {
    throw new UnsupportedOperationException("the tree is static");
  }

  @Override
  public void query(Box box, IdSink found) {
    tree.query(
        new Envelope(box.minX(), box.maxX(), box.minY(), box.maxY()),
        item -> found.accept((Long) item));
  }

  @Override
  public void nearest(double x, double y, int count, IdSink found) {
    Object[] nearest =
        tree.nearestNeighbour(new Envelope(new Coordinate(x, y)), -1L, JtsStore::distance, count);
    for (Object item : nearest) {
      found.accept((Long) item);
    }
  }

  private static double distance(ItemBoundable left, ItemBoundable right) {
    return ((Envelope) left.getBounds()).distance((Envelope) right.getBounds());
  }

  @Override
  public void settle() {
    tree.build();
  }

  @Override
  public void compact() {
    tree.build();
  }

  @Override
  public StoreFigures figures() {
    return new StoreFigures(1, 0);
  }

  @Override
  public void close() {
    // Everything is on the heap.
  }
}
