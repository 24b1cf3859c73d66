package dev.varve.rtree.query;

import org.jspecify.annotations.Nullable;

/** The branches directly below one, made as they are wanted: most never are. */
@FunctionalInterface
public interface Branches {
  /** The one in a slot, for {@link SpatialSource#expand}; null for the whole tree. */
  @Nullable Object branch(int slot);
}
