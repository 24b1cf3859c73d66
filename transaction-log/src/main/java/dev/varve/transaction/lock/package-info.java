/**
 * Locks on records: shared and exclusive, with queues, time-outs and deadlock detection. A resource
 * is a 64-bit hash of dataset and primary key; two keys with one hash share a lock, which is safe
 * and rare.
 *
 * <p>May use: {@code error}, {@code env} of lsm-common. Threads: {@link
 * dev.varve.transaction.lock.LockTable} is thread-safe; a {@link
 * dev.varve.transaction.lock.LockOwner} is used by one thread at a time. Owns and closes: nothing
 * needs closing; an owner releases what it holds. Format: none.
 */
@NullMarked
package dev.varve.transaction.lock;

import org.jspecify.annotations.NullMarked;
