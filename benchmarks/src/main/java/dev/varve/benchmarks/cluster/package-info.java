/**
 * Experiments of <i>Storage Management in AsterixDB</i>, section 6, on clusters whose nodes are
 * processes: what a user would type, typed by a program.
 *
 * <p>May use: {@code child} for its exception, {@code measure}, and the {@code varve} command as a
 * process. Threads: confined to the caller's. Owns and closes: the clusters that it starts. Format:
 * none.
 */
@NullMarked
package dev.varve.benchmarks.cluster;

import org.jspecify.annotations.NullMarked;
