package dev.varve.dataset.search;

/**
 * What a secondary index is asked. One that does not fit the index's kind is refused with a {@code
 * RequestException} for {@code UNSUPPORTED}.
 */
public sealed interface IndexSearch permits KeySearch, SpatialSearch, NearestSearch, TextSearch {}
