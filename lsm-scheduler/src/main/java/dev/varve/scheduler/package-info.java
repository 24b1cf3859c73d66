/**
 * Who may write, flush and merge now, and which components merge: policies, schedulers, budget,
 * gate.
 */
@org.jspecify.annotations.NullMarked
package dev.varve.scheduler;
