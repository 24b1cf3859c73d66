package dev.varve.benchmarks.spatial;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexStore;

/** A spatial index under comparison. Confined to one thread. */
public interface SpatialStore extends IndexStore {
  /** Puts a point in. */
  void insert(double x, double y, long id) throws BenchmarkException;

  /** Deletes a point that is there. */
  void delete(double x, double y, long id) throws BenchmarkException;

  /** Hands on the points of a rectangle, borders included. */
  void query(Box box, IdSink found) throws BenchmarkException;

  /** Hands on the points nearest to a place, in the plane of degrees. */
  void nearest(double x, double y, int count, IdSink found) throws BenchmarkException;
}
