package dev.varve.dataset.model;

/**
 * A place in a transaction to which it can go back; the transaction hands it out. It is good until
 * the transaction ends, or goes back to an earlier one.
 *
 * @param transaction number of the transaction
 * @param number place among the savepoints of that transaction, from 0 on
 */
public record Savepoint(long transaction, long number) {}
