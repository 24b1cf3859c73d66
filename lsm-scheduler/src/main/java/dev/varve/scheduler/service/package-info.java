/**
 * The maintenance service of a node: it takes the flushes and merges of all indexes, runs flushes
 * first and in order, merges as a scheduler says, and charges both to the I/O budget.
 *
 * <p>May use: {@code error}, {@code env}, {@code maintenance} of lsm-common, {@code budget} and
 * {@code scheduling}. Threads: the service is thread-safe; it starts one flush worker and some
 * merge workers, and calls listeners from them. Owns and closes: its workers, and each task from
 * its submission to its end. Format: none.
 */
@NullMarked
package dev.varve.scheduler.service;

import org.jspecify.annotations.NullMarked;
