package dev.varve.dataset.model;

import dev.varve.btree.KeyRange;

/**
 * The records whose values in a B+-tree lie in a range, in the order of these values and then of
 * primary keys, ascending or descending as the range is. A bound stands for every entry whose
 * values begin with it.
 *
 * <p>A record that gets another value while it is searched for may come at both of its places, or
 * at neither; in a {@linkplain dev.varve.dataset.EngineSnapshot snapshot} each comes once.
 *
 * @param range range of the index's encoded values, and its direction; see {@link ValueRange}
 */
public record OrderedSearch(KeyRange range) implements IndexSearch {
  /** The range's ends take in, or leave out, every entry whose values begin with them. */
  public OrderedSearch {
    range = ValueRange.ofValues(range);
  }

  /** Whether the highest comes first. */
  public boolean descending() {
    return range.direction() == KeyRange.Direction.DESCENDING;
  }
}
