package dev.varve.common.merge;

import dev.varve.common.component.ComponentId;
import dev.varve.common.component.ComponentStats;
import java.util.List;

/**
 * The disk components of an index at one moment, as a merge policy sees them.
 *
 * @param components oldest first
 * @param merging those that a running or waiting merge reads already
 */
public record IndexShape(List<ComponentStats> components, List<ComponentId> merging) {
  /** Copies the lists. */
  public IndexShape {
    components = List.copyOf(components);
    merging = List.copyOf(merging);
  }
}
