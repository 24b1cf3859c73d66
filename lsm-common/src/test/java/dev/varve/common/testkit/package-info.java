/**
 * The simulated world that tests of every module run in: disks that lose what was not forced, disks
 * that fail on demand, component files on the heap, a clock and threads that move only when told
 * to, cases kept as text, and seeds that can be replayed.
 *
 * <p>May use: every package of this module. Threads: the file systems are thread-safe, the stepped
 * executor belongs to one thread. Owns and closes: nothing outlives the test. Format: fault plans
 * and text cases are described by {@code FaultPlan} and {@code TextCases}.
 */
@NullMarked
package dev.varve.common.testkit;

import org.jspecify.annotations.NullMarked;
