/**
 * Crashes of the whole: processes that are killed while they ingest, and what is there afterwards.
 *
 * <p>May use: everything. Threads: the test's own. Owns and closes: temporary directories and child
 * processes. Format: none.
 */
package dev.varve.it.crash;
