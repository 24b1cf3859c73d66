/**
 * Durability and isolation for record-level transactions: log, locks, checkpoint, recovery; it
 * knows no index.
 */
@org.jspecify.annotations.NullMarked
package dev.varve.transaction;
