/**
 * What spatial components are asked: which entries lie in a region, and which are nearest to a
 * point.
 *
 * <p>May use: {@code geometry}, and lsm-common. Threads: region queries are values; cursors, and
 * the frontier of a search for the nearest, are confined to one thread. Owns and closes: a cursor
 * owns its snapshot of the index until closed. Format: none, nothing here reaches a disk.
 */
@NullMarked
package dev.varve.rtree.query;

import org.jspecify.annotations.NullMarked;
