package dev.varve.transaction.log;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.ManualClock;
import dev.varve.common.testkit.SteppedExecutor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Logs over simulated disks, with defaults: what a test sets is what it is about. */
public final class LogFixtures {
  /** Where the logs of tests live. */
  public static final Path DIRECTORY = Path.of("/store/log");

  /** The store that the logs of tests belong to. */
  public static final long STORE = 0x5AFE_0001L;

  /** Small segments, so that a few records already need several. */
  public static final LogOptions SMALL =
      LogOptions.DEFAULTS.withSegmentBytes(1024).withMaxRecordBytes(512);

  private LogFixtures() {}

  /** A context whose workers run only when somebody waits. */
  public static LogContext context(FileSystem files) {
    return context(files, new SteppedExecutor(new ManualClock(), 1));
  }

  /** A context on a given executor. */
  public static LogContext context(FileSystem files, TaskExecutor executor) {
    return new LogContext(files, executor, DIRECTORY, STORE);
  }

  /** A new log in an empty directory, which takes records. */
  public static TransactionLog create(LogContext context, LogOptions options)
      throws StorageException {
    TransactionLog log = TransactionLog.open(context, options, LogEnd.absent());
    log.awaitOpen();
    return log;
  }

  /** Appends an insert of a text with its text; the transaction's only update so far. */
  public static long insert(TransactionLog log, long transaction, String text)
      throws StorageException {
    return log.appendUpdate(update(transaction, text));
  }

  /** Appends so many inserts, each of a transaction of its own, that does not end. */
  public static void insertMany(TransactionLog log, int transactions) throws StorageException {
    for (int i = 0; i < transactions; i++) {
      insert(log, i, "some text");
    }
  }

  /** An insert into index 1 of a key and a value made from a text. */
  public static LogUpdate update(long transaction, String text) {
    return new LogUpdate()
        .transaction(transaction)
        .previousLsn(-1)
        .change(1, LogOperation.INSERT)
        .entry(slice("key " + text), slice("value " + text));
  }

  /** Length of the record that {@link #update} becomes. */
  public static int updateBytes(String text) {
    return RecordLayout.UPDATE_BYTES + "key ".length() + "value ".length() + 2 * text.length();
  }

  /** A text as bytes. */
  public static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Where the first segment of a log begins. */
  public static LogPosition start() {
    return new LogPosition(1, 0, 0, 0);
  }

  /** Every record from a position to the end, as text. */
  public static List<String> read(LogContext context, LogPosition position)
      throws StorageException {
    try (LogCursor cursor = LogCursor.open(context, position)) {
      return drain(cursor);
    }
  }

  /** Every record that a cursor still has, as text. */
  public static List<String> drain(LogCursor cursor) throws StorageException {
    List<String> texts = new ArrayList<>();
    while (cursor.next()) {
      texts.add(text(cursor.record()));
    }
    return texts;
  }

  /** A record as text. */
  public static String text(LogRecord record) {
    String head = record.lsn() + " " + record.type();
    if (record.type() != RecordType.LONE_UPDATE) {
      head += " t" + record.transaction() + " <" + record.previousLsn();
    }
    if (!record.type().isUpdate()) {
      return head;
    }
    return head
        + " i"
        + record.index()
        + " "
        + record.operation()
        + " "
        + new String(record.key().toByteArray(), StandardCharsets.UTF_8)
        + " = "
        + new String(record.value().toByteArray(), StandardCharsets.UTF_8);
  }

  /** The end of a log that is not open. */
  public static LogEnd end(LogContext context, LogPosition position) throws StorageException {
    try (LogCursor cursor = LogCursor.open(context, position)) {
      while (cursor.next()) {
        // On to the end.
      }
      return cursor.end();
    }
  }
}
