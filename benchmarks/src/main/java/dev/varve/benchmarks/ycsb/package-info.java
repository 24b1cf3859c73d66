/**
 * {@code bench ycsb}: YCSB's core workloads over its bindings of stores, each store in a process of
 * its own: first over a store that was just opened and whose files are in no cache, then once more.
 *
 * <p>May use: {@code benchmarks.child}, {@code measure}, {@code report}, {@code store}, YCSB and
 * its binding of Varve. Threads: the runner is confined to the main thread; in a child each of
 * YCSB's threads has a client of its own. Owns and closes: the children, and the directories of
 * their stores. Format: none of its own.
 */
@NullMarked
package dev.varve.benchmarks.ycsb;

import org.jspecify.annotations.NullMarked;
