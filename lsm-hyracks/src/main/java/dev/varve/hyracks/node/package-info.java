/**
 * Starting and stopping nodes, and the one door to a cluster: cluster controller and node
 * controllers in one JVM, the client that sends jobs to them, and {@link
 * dev.varve.hyracks.node.Cluster}, which hides both.
 *
 * <p>May use: {@code operator}, {@code feed}, {@code adapter} and what is below them. Threads: a
 * cluster is thread-safe; a query result is confined to one thread. Owns and closes: a cluster owns
 * its controllers, nodes and client; callers close query results and ingestions. Format: {@code
 * cluster.json} in the cluster's directory and {@code node.json} in each node's say what belongs
 * where.
 */
@NullMarked
package dev.varve.hyracks.node;

import org.jspecify.annotations.NullMarked;
