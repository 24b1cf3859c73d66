package dev.varve.rtree.query;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.EntryCursor;

/** What a spatial index is searched with. */
public sealed interface SpatialQuery permits RegionQuery, NearestQuery {
  /** Searches one component. */
  @MustBeClosed
  EntryCursor openIn(SpatialSource source) throws StorageException;
}
