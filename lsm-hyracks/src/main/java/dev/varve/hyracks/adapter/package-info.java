/**
 * Varve's B+-trees behind Hyracks' own storage interfaces, so that Hyracks' stock operators drive
 * them: tuples become order-preserving key bytes and back, exceptions become those that the
 * operators expect.
 *
 * <p>May use: lsm-dataset and what it exposes, Hyracks' storage and data interfaces. Threads:
 * indexes, the repository and the registry are thread-safe; accessors, cursors and loaders are
 * confined to one thread. Owns and closes: a node's storage owns its engine; the opener of a cursor
 * or loader closes it. Format: {@code resources.json} lists a node's indexes with their keys.
 */
@NullMarked
package dev.varve.hyracks.adapter;

import org.jspecify.annotations.NullMarked;
