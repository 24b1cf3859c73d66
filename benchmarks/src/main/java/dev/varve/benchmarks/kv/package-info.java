/**
 * The comparison of stores: phases as data, one runner that goes through them store by store, and
 * the child process in which a store runs alone, so that memory, CPU and compiled code of stores do
 * not mix.
 *
 * <p>May use: {@code benchmarks.child}, {@code benchmarks.measure}, {@code benchmarks.store},
 * {@code benchmarks.report}, the seams of lsm-common's {@code env}, Jackson. Threads: the runner is
 * confined to the main thread; in a child each worker of a phase has a thread of its own. Owns and
 * closes: the child processes and the directories of their stores. Format: what {@code child} says.
 */
@NullMarked
package dev.varve.benchmarks.kv;

import org.jspecify.annotations.NullMarked;
