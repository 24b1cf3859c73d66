/**
 * Merge policies: which disk components of an index become one. Each is a pure function of the
 * index's shape, so that engine, planner and simulator share it unchanged.
 *
 * <p>May use: {@code component} and {@code merge} of lsm-common. Threads: everything is immutable.
 * Owns and closes: nothing. Format: none; {@link dev.varve.scheduler.policy.PolicyText} is how
 * options write a policy down.
 */
@NullMarked
package dev.varve.scheduler.policy;

import org.jspecify.annotations.NullMarked;
