package dev.varve.dataset.model;

import dev.varve.rtree.query.RegionQuery;

/**
 * The records whose point or rectangle lies in a region, for R-trees.
 *
 * @param region which ones: those that intersect it, or lie in it, or are near a point
 */
public record SpatialSearch(RegionQuery region) implements IndexSearch {}
