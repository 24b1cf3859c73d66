/**
 * Clusters that hold generated tweets under indexes of every kind.
 *
 * <p>May use: everything. Threads: the test's own. Owns and closes: temporary directories and the
 * clusters in them. Format: none.
 */
package dev.varve.it.cluster;
