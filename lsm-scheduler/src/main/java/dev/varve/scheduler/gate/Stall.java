package dev.varve.scheduler.gate;

import dev.varve.common.maintenance.StallCause;

/**
 * A stretch of time in which a writer waited for one cause.
 *
 * @param cause what it waited for
 * @param holder who or what was in the way when the stretch began
 * @param beginMillis when it began, in milliseconds since 1970
 * @param nanos how long it lasted, or has lasted when it is not over
 */
public record Stall(StallCause cause, String holder, long beginMillis, long nanos) {}
