package dev.varve.dataset.options;

/**
 * How the secondary indexes of a dataset are kept at a time, and what that has left in them. Each
 * change makes another object, so that who finds the same one twice knows that nothing has changed
 * in between. Immutable.
 *
 * @param maintenance how they follow the changes of records
 * @param mayHoldObsolete whether they may hold entries whose record is gone or has others by now
 */
public record IndexUpkeep(IndexMaintenance maintenance, boolean mayHoldObsolete) {}
