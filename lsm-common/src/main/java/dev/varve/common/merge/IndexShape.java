package dev.varve.common.merge;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import java.util.List;
import java.util.OptionalInt;

/**
 * The disk components of an index at one moment, as a merge policy sees them.
 *
 * @param components oldest first
 * @param merging those that a running or waiting merge reads already
 * @param flushed in an index that has levels partitioned by key range, how many of the components,
 *     the newest ones, are at level 0; each level below counts as one component
 * @param observation what is seen besides the components
 */
public record IndexShape(
    List<ComponentStats> components,
    List<ComponentId> merging,
    OptionalInt flushed,
    Observation observation) {
  /** An index without such levels, of which nothing else has been seen. */
  public IndexShape(List<ComponentStats> components, List<ComponentId> merging) {
    this(components, merging, OptionalInt.empty());
  }

  /** An index of which nothing else has been seen. */
  public IndexShape(
      List<ComponentStats> components, List<ComponentId> merging, OptionalInt flushed) {
    this(components, merging, flushed, Observation.NONE);
  }

  /** Copies the lists. */
  public IndexShape {
    components = List.copyOf(components);
    merging = List.copyOf(merging);
  }

  /** The same as something else is seen. */
  public IndexShape seen(Observation other) {
    return new IndexShape(components, merging, flushed, other);
  }
}
