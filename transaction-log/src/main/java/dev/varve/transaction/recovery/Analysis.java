package dev.varve.transaction.recovery;

import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogCursor;
import dev.varve.transaction.log.LogEnd;
import dev.varve.transaction.log.LogLoss;
import dev.varve.transaction.log.LogRecord;
import dev.varve.transaction.log.RecordType;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The first phase of recovery: reads the log forward from the low-water mark, collects committed
 * transactions, and checks that each transaction's records form an unbroken chain. Used once.
 */
final class Analysis {
  private final Checkpoint checkpoint;
  private final TransactionSet committed = new TransactionSet();
  private final Map<Long, Chain> open = new HashMap<>();
  private long redoFrom = Long.MAX_VALUE;
  private long nextTransaction;
  private long records;
  private long bytes;
  private long aborted;
  private long lone;
  private boolean opened;

  /** Records from here on do not count. */
  private long bound = Long.MAX_VALUE;

  Analysis(Checkpoint checkpoint) {
    this.checkpoint = checkpoint;
    this.nextTransaction = checkpoint.nextTransaction();
  }

  /** The records of a transaction that has not ended yet. */
  private record Chain(long firstLsn, long lastLsn) {}

  RecoveryPlan run(LogContext context, LogLoss loss) throws StorageException {
    return plan(read(context, loss));
  }

  private RecoveryPlan plan(LogEnd end) {
    var counts =
        new RecoveryPlan.Counts(records, bytes, committed.size() + lone, aborted, open.size());
    return new RecoveryPlan(
        checkpoint, committed, Math.min(redoFrom, end.lsn()), end, nextTransaction, counts);
  }

  /** The same of a log that ends earlier than its records do. */
  RecoveryPlan runTo(LogContext context, LogLoss loss, LogEnd end) throws StorageException {
    bound = end.lsn();
    read(context, loss);
    return plan(end);
  }

  private LogEnd read(LogContext context, LogLoss loss) throws StorageException {
    try (LogCursor cursor = LogCursor.open(context, checkpoint.position())) {
      opened = true;
      return cursor.end(loss, readRecords(cursor, loss));
    } catch (CorruptionException damage) {
      if (loss == LogLoss.REFUSE || opened) {
        throw damage;
      }
      return LogCursor.endOfLost(context, checkpoint.position(), damage);
    }
  }

  /** Reads to where the log ends; returns the damage that ended it, if it was accepted. */
  private @Nullable CorruptionException readRecords(LogCursor cursor, LogLoss loss)
      throws StorageException {
    try {
      while (cursor.next()) {
        LogRecord record = cursor.record();
        if (record.lsn() >= checkpoint.lowWaterMark() && record.lsn() < bound) {
          take(record, cursor);
          records++;
          bytes += record.length();
        }
      }
      return null;
    } catch (CorruptionException damage) {
      if (loss == LogLoss.REFUSE) {
        throw damage;
      }
      return damage;
    }
  }

  private void take(LogRecord record, LogCursor cursor) throws CorruptionException {
    if (record.type() == RecordType.LONE_UPDATE) {
      lone++;
      redoFrom = Math.min(redoFrom, record.lsn());
      return;
    }
    long transaction = record.transaction();
    nextTransaction = Math.max(nextTransaction, transaction + 1);
    Chain chain = open.get(transaction);
    checkChain(record, chain, cursor);
    long first = chain == null ? record.lsn() : chain.firstLsn();
    if (record.type() == RecordType.UPDATE) {
      open.put(transaction, new Chain(first, record.lsn()));
      return;
    }
    open.remove(transaction);
    if (record.type() == RecordType.ABORT) {
      aborted++;
    } else {
      if (!committed.add(transaction)) {
        throw broken(cursor, record, "a second commit of the transaction");
      }
      if (chain != null) {
        redoFrom = Math.min(redoFrom, first);
      }
    }
  }

  private void checkChain(LogRecord record, @Nullable Chain chain, LogCursor cursor)
      throws CorruptionException {
    long previous = record.previousLsn();
    if (chain != null) {
      if (previous != chain.lastLsn()) {
        throw broken(cursor, record, "previous LSN " + previous + ", not " + chain.lastLsn());
      }
      return;
    }
    // The transaction begins here, or in the part of the log that is no longer needed.
    if (previous < -1 || previous >= checkpoint.lowWaterMark()) {
      throw broken(cursor, record, "previous LSN " + previous + ", where no such record is");
    }
    if (committed.contains(record.transaction())) {
      throw broken(cursor, record, "a record after the commit of the transaction");
    }
  }

  private static CorruptionException broken(LogCursor cursor, LogRecord record, String problem) {
    return new CorruptionException(
        cursor.file(),
        cursor.filePosition(),
        "record at LSN "
            + record.lsn()
            + " of transaction "
            + record.transaction()
            + ": "
            + problem);
  }
}
