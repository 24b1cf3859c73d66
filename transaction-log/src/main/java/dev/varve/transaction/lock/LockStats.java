package dev.varve.transaction.lock;

/**
 * What a lock table has seen.
 *
 * @param waits requests that had to wait
 * @param deadlocks requests that were refused because they closed a circle
 * @param timeouts requests that gave up waiting
 * @param locked resources that are locked now
 */
public record LockStats(long waits, long deadlocks, long timeouts, int locked) {}
