package dev.varve.transaction.recovery;

/**
 * What redo did.
 *
 * @param recordsRead updates, commits and aborts from the redo position to the end
 * @param bytesRead bytes of these records
 * @param redone updates applied
 * @param bytesRedone bytes of these records
 * @param skippedUncommitted updates of transactions that did not commit
 * @param skippedInIndex updates that were in a disk component already, or in a dropped index
 */
public record RecoveryReport(
    long recordsRead,
    long bytesRead,
    long redone,
    long bytesRedone,
    long skippedUncommitted,
    long skippedInIndex) {}
