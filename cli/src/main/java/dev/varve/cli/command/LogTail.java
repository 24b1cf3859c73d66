package dev.varve.cli.command;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.catalog.Catalog;
import dev.varve.report.command.CommandContext;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.checkpoint.CheckpointFile;
import dev.varve.transaction.log.DroppedTail;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogCursor;
import dev.varve.transaction.log.LogLoss;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The log of one engine, read from its checkpoint on; nothing on disk changes. Of an engine at rest
 * the end is judged; of one that runs it is where its writers are. Confined to the main thread.
 */
final class LogTail {
  /** How a log ends. */
  enum State {
    /** Behind the last record is nothing. */
    WHOLE,
    /** Writes that were never forced were cut short, and opening drops them. */
    TORN,
    /** Records that were forced are damaged or missing, and opening is refused. */
    DAMAGED,
    /** The engine runs. */
    RUNNING
  }

  /**
   * Where a log ends.
   *
   * @param node number of the engine
   * @param lsn behind the last whole record
   * @param state how it ends
   * @param file where that is; empty where nothing is wrong
   * @param offset byte in the file; -1 where it is not known
   * @param message what is wrong, for people
   */
  record End(int node, long lsn, State state, String file, long offset, String message) {}

  /** A writer may release segments between a look at the checkpoint and one at them. */
  private static final int MOST_FAILURES = 5;

  private final int node;
  private final Path directory;
  private final CommandContext context;
  private long nextLsn;
  private long checkpointLsn;
  private int failures;

  LogTail(int node, Path directory, CommandContext context) {
    this.node = node;
    this.directory = directory;
    this.context = context;
  }

  /**
   * Hands over the records that were not handed over before.
   *
   * @throws CorruptionException when the log cannot even be begun to be read
   */
  End read(Consumer<LogEntry> taker) throws StorageException {
    FileSystem files = context.files();
    try (FileSystem.DirectoryLock lock = files.lock(directory)) {
      assert lock != null;
      return read(taker, true);
    } catch (ConflictException running) {
      if (running.reason() != ConflictException.Reason.DIRECTORY_IN_USE) {
        throw running;
      }
      return readWhatMoves(taker);
    }
  }

  /**
   * A writer that releases or reuses what is being read has moved its checkpoint before, and
   * reading goes on there.
   */
  private End readWhatMoves(Consumer<LogEntry> taker) throws StorageException {
    End end = follow(taker);
    while (failures > 0 || checkpointLsn > nextLsn) {
      end = follow(taker);
    }
    return end;
  }

  /**
   * The same beside whoever writes, whose directory is not locked for it; what cannot be read now
   * is tried again in the next call, a few times.
   */
  End follow(Consumer<LogEntry> taker) throws StorageException {
    long before = nextLsn;
    try {
      End end = read(taker, false);
      failures = 0;
      return end;
    } catch (CorruptionException moved) {
      failures = nextLsn > before ? 1 : failures + 1;
      if (failures > MOST_FAILURES) {
        throw moved;
      }
      return new End(node, nextLsn, State.RUNNING, "", -1, "");
    }
  }

  private End read(Consumer<LogEntry> taker, boolean resting) throws StorageException {
    FileSystem files = context.files();
    Path store = directory.resolve("store");
    Catalog catalog = Catalog.open(files, store);
    LogContext log =
        new LogContext(files, context.executor(), store.resolve("log"), catalog.storeId());
    CheckpointFile file = new CheckpointFile(log);
    Checkpoint checkpoint = file.read();
    if (checkpoint == null) {
      throw new CorruptionException(
          file.path().toString(),
          -1,
          "the log's checkpoint is missing, which says where it begins");
    }
    if (checkpoint.kind() == Checkpoint.Kind.CREATING) {
      return new End(node, 0, State.WHOLE, "", -1, "");
    }
    nextLsn = Math.max(nextLsn, checkpoint.position().boundaryLsn());
    IndexNames names = IndexNames.of(catalog);
    try (LogCursor cursor = LogCursor.open(log, checkpoint.position())) {
      CorruptionException damage = read(cursor, names, taker);
      if (!resting) {
        if (damage != null) {
          throw damage;
        }
        Checkpoint now = file.read();
        checkpointLsn = now == null ? 0 : now.position().boundaryLsn();
        return new End(node, nextLsn, State.RUNNING, "", -1, "");
      }
      return end(cursor.end(LogLoss.ACCEPT, damage).dropped());
    }
  }

  /** Reads to the end; returns what is wrong there, if that is known already. */
  private @Nullable CorruptionException read(
      LogCursor cursor, IndexNames names, Consumer<LogEntry> taker) throws StorageException {
    try {
      while (cursor.next()) {
        long lsn = cursor.record().lsn();
        if (lsn >= nextLsn) {
          taker.accept(LogEntry.of(node, cursor.record(), names));
          nextLsn = lsn + cursor.record().length();
        }
      }
      return null;
    } catch (CorruptionException damage) {
      return damage;
    }
  }

  private End end(@Nullable DroppedTail dropped) {
    if (dropped == null) {
      return new End(node, nextLsn, State.WHOLE, "", -1, "");
    }
    return new End(
        node,
        dropped.fromLsn(),
        dropped.loss() ? State.DAMAGED : State.TORN,
        dropped.file(),
        dropped.offset(),
        dropped.toString());
  }
}
