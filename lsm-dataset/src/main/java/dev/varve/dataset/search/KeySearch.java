package dev.varve.dataset.search;

import dev.varve.btree.KeyRange;

/**
 * The records whose values in a B+-tree lie in a range.
 *
 * @param range range of the index's encoded keys; see {@code ValueRange}
 */
public record KeySearch(KeyRange range) implements IndexSearch {}
