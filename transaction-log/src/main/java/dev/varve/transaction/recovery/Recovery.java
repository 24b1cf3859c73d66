package dev.varve.transaction.recovery;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.checkpoint.CheckpointFile;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogCursor;
import dev.varve.transaction.log.LogEnd;
import dev.varve.transaction.log.LogLoss;
import dev.varve.transaction.log.LogOptions;
import dev.varve.transaction.log.LogPosition;
import dev.varve.transaction.log.LogRecord;
import dev.varve.transaction.log.RecordType;
import dev.varve.transaction.log.TransactionLog;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Opens a log after whatever happened. The caller goes through these steps:
 *
 * <ol>
 *   <li>{@link #analyse}: reads the checkpoint and the log, changes nothing;
 *   <li>{@link #openLog}: opens the log in a fresh segment, and lets its accepted end be made
 *       durable beside what follows;
 *   <li>the caller opens its indexes, and calls {@link TransactionLog#skipTo} with their highest
 *       index LSN;
 *   <li>{@link #redo}: replays what the indexes lack, and {@link TransactionLog#awaitOpen} says
 *       whether what was replayed is durable;
 *   <li>the caller flushes its memory components, writes a checkpoint and releases the log.
 * </ol>
 *
 * <p>A crash anywhere in between leaves a log from which the same steps recover the same state.
 * Thread-safe: no state.
 */
public final class Recovery {
  private Recovery() {}

  /**
   * Reads the checkpoint and the log.
   *
   * @throws CorruptionException when an acknowledged record, a segment or the checkpoint is damaged
   *     or missing
   */
  public static RecoveryPlan analyse(LogContext context) throws StorageException {
    return analyse(context, LogLoss.REFUSE, null);
  }

  /**
   * As {@link #analyse(LogContext)}, and says what happens when the log is damaged. An accepted
   * loss is in {@link LogEnd#dropped} of the plan's end.
   *
   * @param check asked of updates that may not have been forced; null where they refer to nothing
   */
  public static RecoveryPlan analyse(
      LogContext context, LogLoss loss, @Nullable ReferentCheck check) throws StorageException {
    CheckpointFile file = new CheckpointFile(context);
    Checkpoint checkpoint = file.read();
    if (checkpoint == null) {
      refuseLogWithoutCheckpoint(context, file);
    }
    if (checkpoint == null || checkpoint.kind() == Checkpoint.Kind.CREATING) {
      LogEnd absent = LogEnd.absent();
      return new RecoveryPlan(
          Checkpoint.creating(),
          new TransactionSet(),
          0,
          absent,
          1,
          new RecoveryPlan.Counts(0, 0, 0, 0, 0));
    }
    RecoveryPlan plan = new Analysis(checkpoint).run(context, loss);
    LogEnd end = check == null ? plan.end() : endOfReferents(context, plan, check);
    return end.lsn() == plan.end().lsn()
        ? plan
        : new Analysis(checkpoint).runTo(context, loss, end);
  }

  /** Where the log ends when it ends before the first record whose referent is not there. */
  private static LogEnd endOfReferents(LogContext context, RecoveryPlan plan, ReferentCheck check)
      throws StorageException {
    LogEnd end = plan.end();
    if (end.provenLsn() >= end.lsn()) {
      return end;
    }
    try (LogCursor cursor = LogCursor.open(context, plan.checkpoint().position())) {
      while (cursor.next() && cursor.record().lsn() < end.lsn()) {
        LogRecord record = cursor.record();
        if (record.lsn() >= end.provenLsn() && record.type().isUpdate() && !check.isThere(record)) {
          return end.before(record.lsn(), cursor.file(), cursor.filePosition());
        }
      }
    }
    return end;
  }

  private static void refuseLogWithoutCheckpoint(LogContext context, CheckpointFile file)
      throws StorageException {
    if (!context.files().exists(context.directory())) {
      return;
    }
    for (Path path : context.files().list(context.directory())) {
      if (path.getFileName().toString().endsWith(".log")) {
        throw new CorruptionException(
            file.path().toString(), -1, "checkpoint is missing, but " + path + " is there");
      }
    }
  }

  /**
   * Opens the log for appending, behind everything that was seen of it, as {@link
   * TransactionLog#open} does; at a very first start the checkpoint is written.
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the caller closes the log
  public static TransactionLog openLog(LogContext context, LogOptions options, RecoveryPlan plan)
      throws StorageException {
    if (plan.checkpoint().kind() != Checkpoint.Kind.CREATING) {
      return TransactionLog.open(context, options, plan.end());
    }
    CheckpointFile file = new CheckpointFile(context);
    context.createDirectory();
    // From here to the second checkpoint, segments without records may exist: this one says so.
    file.write(plan.checkpoint());
    TransactionLog log = TransactionLog.open(context, options, plan.end());
    try {
      log.awaitOpen();
      LogPosition start = log.position(0);
      file.write(new Checkpoint(Checkpoint.Kind.RUNNING, 0, plan.nextTransaction(), start));
      return log;
    } catch (StorageException | RuntimeException e) {
      try {
        log.close();
      } catch (StorageException second) {
        e.addSuppressed(second);
      }
      throw e;
    }
  }

  /**
   * Replays, in LSN order, every update of a committed transaction that its index lacks. Doing it
   * again changes nothing.
   */
  public static RecoveryReport redo(LogContext context, RecoveryPlan plan, RedoTarget target)
      throws StorageException {
    long records = 0;
    long bytes = 0;
    long redone = 0;
    long bytesRedone = 0;
    long uncommitted = 0;
    long inIndex = 0;
    if (plan.redoFrom() < plan.end().lsn()) {
      // Not a byte behind the end is looked at, where the log may be at work already.
      try (LogCursor cursor =
          LogCursor.openBounded(
              context, plan.checkpoint().position(), plan.redoFrom(), plan.end().lsn())) {
        while (cursor.next()) {
          LogRecord record = cursor.record();
          records++;
          bytes += record.length();
          if (!record.type().isUpdate()) {
            continue;
          }
          if (record.type() == RecordType.UPDATE
              && !plan.committed().contains(record.transaction())) {
            uncommitted++;
          } else if (record.lsn() <= target.indexLsn(record.index())) {
            inIndex++;
          } else {
            target.redo(record);
            redone++;
            bytesRedone += record.length();
          }
        }
      }
    }
    return new RecoveryReport(records, bytes, redone, bytesRedone, uncommitted, inIndex);
  }
}
