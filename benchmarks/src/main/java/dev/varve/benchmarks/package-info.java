/**
 * The {@code bench} command: comparisons with other stores, and a benchmark beside each hot
 * structure. Apart from {@code cli}, so that peers' jars never get onto the class path of the
 * product's command.
 *
 * <p>May use: everything. Threads: one command a process, on the main thread. Owns and closes: the
 * processes that it starts. Format: what {@code --json} prints is the records of {@code kv}.
 */
@NullMarked
package dev.varve.benchmarks;

import org.jspecify.annotations.NullMarked;
