/**
 * {@code bench transfer}: transfers between accounts, in transactions, and reads without and beside
 * one that holds locks, beside sums over all accounts as of one moment, each store in a process of
 * its own: how fast a store is at all of it, and how many sums are torn.
 *
 * <p>May use: {@code benchmarks.child}, {@code measure}, {@code report}, {@code store}, and the
 * stores. Threads: the runner is confined to the main thread; in a child each thread that transfers
 * or sums calls the store, which is thread-safe. Owns and closes: the children, and the directories
 * of their stores. Format: none of its own.
 */
@NullMarked
package dev.varve.benchmarks.transfer;

import org.jspecify.annotations.NullMarked;
