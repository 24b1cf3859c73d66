/**
 * A JMH benchmark beside each hot structure of the engine: how long one operation takes, and how
 * many bytes it allocates. Each class measures product classes as they are, through the narrowest
 * public way to them.
 *
 * <p>May use: everything of the engine, and JMH. Threads: those of JMH, one a benchmark. Owns and
 * closes: a directory for each benchmark that needs files, removed with it. Format: none.
 */
@NullMarked
package dev.varve.benchmarks.jmh;

import org.jspecify.annotations.NullMarked;
