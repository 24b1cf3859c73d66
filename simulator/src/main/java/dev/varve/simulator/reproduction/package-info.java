/**
 * The figures of On Performance Stability in LSM-based Storage Systems, and of ADOC, as data: which
 * runs make one, and what the paper says of it. The simulator runs them at the paper's scale, and
 * each claim gets a verdict.
 *
 * <p>May use: {@code simulator}, {@code policy}, {@code scheduling} and {@code gate}. Threads:
 * confined to the caller; figures and verdicts are immutable. Owns and closes: nothing. Format:
 * none.
 */
@NullMarked
package dev.varve.simulator.reproduction;

import org.jspecify.annotations.NullMarked;
