package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexStore;
import dev.varve.benchmarks.store.StoreException;

/** A spatial index under comparison. Confined to one thread. */
public interface SpatialStore extends IndexStore {
  /** Puts a point in. */
  void insert(double x, double y, long id) throws StoreException;

  /** Deletes a point that is there. */
  void delete(double x, double y, long id) throws StoreException;

  /** Hands on the points of a rectangle, borders included. */
  void query(Box box, IdSink found) throws StoreException;

  /** Hands on the points nearest to a place, in the plane of degrees. */
  void nearest(double x, double y, int count, IdSink found) throws StoreException;
}
