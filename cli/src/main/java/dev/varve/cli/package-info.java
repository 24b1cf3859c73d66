/**
 * The varve command: it parses, calls and prints, and decides nothing.
 *
 * <p>May use: everything. Threads: one command a process, on the main thread. Owns and closes: a
 * command closes the cluster that it starts. Format: what is printed with {@code --json} is the
 * records of {@code command}, one document.
 */
@NullMarked
package dev.varve.cli;

import org.jspecify.annotations.NullMarked;
