/**
 * The stores under comparison behind one small interface: each is set up as its users would set it
 * up, given the same bytes, memory and durability. Nothing here measures.
 *
 * <p>May use: the engine, and the peers' libraries, which nothing else sees. Threads: a store is
 * shared, a session belongs to one thread. Owns and closes: whoever opens a store closes it, after
 * its sessions. Format: each store's own.
 */
@NullMarked
package dev.varve.benchmarks.store;

import org.jspecify.annotations.NullMarked;
