/**
 * The process that a command runs in: its signals, CPU time and memory.
 *
 * <p>May use: the JDK and the seams of lsm-common's {@code env}. Threads: thread-safe. Owns and
 * closes: nothing. Format: /proc/self/status of Linux.
 */
@NullMarked
package dev.varve.cli.process;

import org.jspecify.annotations.NullMarked;
