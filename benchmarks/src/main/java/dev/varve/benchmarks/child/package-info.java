/**
 * The protocol between a comparison and the processes that its stores run in: one main loop of a
 * child, one handle of its parent, and the one interface that every workload implements.
 *
 * <p>May use: the seams of lsm-common's {@code env}, Jackson. Threads: a thread for each child
 * reads what it says; a child answers on its main thread. Owns and closes: the child processes.
 * Format: parent and child exchange JSON, a document a line.
 */
@NullMarked
package dev.varve.benchmarks.child;

import org.jspecify.annotations.NullMarked;
