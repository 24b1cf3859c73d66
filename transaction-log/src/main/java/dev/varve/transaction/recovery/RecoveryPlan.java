package dev.varve.transaction.recovery;

import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.log.LogEnd;

/**
 * What analysis found out, as a value: doing it is another step.
 *
 * @param checkpoint what analysis started from; {@link Checkpoint#creating} at a very first start
 * @param committed the transactions whose updates are to be redone
 * @param redoFrom LSN of the first update of a committed transaction; {@code end.lsn()} when there
 *     is none
 * @param end where the log ends
 * @param nextTransaction an id above every transaction that was ever seen
 * @param counts how much was read
 */
public record RecoveryPlan(
    Checkpoint checkpoint,
    TransactionSet committed,
    long redoFrom,
    LogEnd end,
    long nextTransaction,
    Counts counts) {
  /**
   * How much analysis read at or above the low-water mark.
   *
   * @param records updates, commits and aborts
   * @param bytes bytes of these records
   * @param committed transactions with a commit record
   * @param aborted transactions with an abort record
   * @param open transactions with neither; they never happened
   */
  public record Counts(long records, long bytes, long committed, long aborted, long open) {}

  /** Whether the engine was closed in order and nothing has to be redone. */
  public boolean clean() {
    return checkpoint.kind() != Checkpoint.Kind.RUNNING && counts.records() == 0;
  }
}
