package dev.varve.rtree.query;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;
import org.jspecify.annotations.Nullable;

/** A component as a query sees it: a tree of boxes. */
public interface SpatialSource {
  /** The entries in a region, in key order, antimatter included. */
  @MustBeClosed
  EntryCursor search(RegionQuery query) throws StorageException;

  /**
   * Offers what lies directly below a branch to a frontier.
   *
   * @param branch what this source offered as a branch before; null for the whole tree
   */
  void expand(@Nullable Object branch, Frontier frontier) throws StorageException;
}
