package dev.varve.dataset.model;

import dev.varve.btree.KeyRange;

/**
 * The records whose values in a B+-tree lie in a range. A bound stands for every entry whose values
 * begin with it. Records come in no order of their values, so a range that asks for one is refused.
 *
 * @param range range of the index's encoded values; see {@link ValueRange}
 */
public record KeySearch(KeyRange range) implements IndexSearch {
  /**
   * Checks the order.
   *
   * @throws IllegalArgumentException when the range is descending
   */
  public KeySearch {
    if (range.direction() == KeyRange.Direction.DESCENDING) {
      throw new IllegalArgumentException(
          "a secondary index returns records in the order of their primary keys, batch after batch;"
              + " 'descending' cannot be honoured: leave it out, or ask a RecordQuery or an"
              + " OrderedSearch, which have an order");
    }
    range = ValueRange.ofValues(range);
  }
}
