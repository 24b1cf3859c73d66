package dev.varve.transaction.recovery;

import dev.varve.common.bytes.Slice;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.StorageFile;
import dev.varve.common.env.TaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.testkit.SteppedExecutor;
import dev.varve.transaction.Transaction;
import dev.varve.transaction.TransactionTable;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.checkpoint.CheckpointFile;
import dev.varve.transaction.log.Durability;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogOperation;
import dev.varve.transaction.log.LogOptions;
import dev.varve.transaction.log.LogRecord;
import dev.varve.transaction.log.TransactionLog;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The smallest engine over the log: a few indexes, each a map in memory and one file on disk that
 * is replaced at a flush. It follows every rule that a real engine has to, so that crash tests of
 * the log see whole life cycles. A transaction changes all indexes; a lone update changes one, so
 * that indexes differ in what they hold. Confined to the test.
 */
final class TinyEngine implements RedoTarget, AutoCloseable {
  static final int INDEXES = 3;
  private static final Path STORE = Path.of("/store");
  private static final LogOperation[] OPERATIONS = {LogOperation.UPSERT, LogOperation.DELETE};

  private final FileSystem files;
  private final TaskExecutor executor;
  private final LogContext context;
  private final TinyIndex[] indexes = new TinyIndex[INDEXES];
  private final TransactionTable table;
  private final Transaction transaction;
  final TransactionLog log;
  final RecoveryPlan plan;
  final RecoveryReport report;

  /** One index. */
  private static final class TinyIndex {
    final TreeMap<String, String> entries = new TreeMap<>();
    long indexLsn = -1;
    long lastPut = -1;
    boolean dirty;

    /** Something in here needs a commit record of its own. */
    boolean needsCommit;

    void apply(LogOperation operation, String key, String value, long lsn) {
      if (operation == LogOperation.DELETE) {
        entries.remove(key);
      } else {
        entries.put(key, value);
      }
      lastPut = Math.max(lastPut, lsn);
      dirty = true;
    }
  }

  static LogContext context(FileSystem files, TaskExecutor executor) {
    return new LogContext(files, executor, STORE.resolve("log"), 42);
  }

  /** Opens the engine, whatever happened before. */
  TinyEngine(FileSystem files, TaskExecutor executor, LogOptions options) throws StorageException {
    this.files = files;
    this.executor = executor;
    this.context = context(files, executor);
    if (!files.exists(STORE)) {
      files.createDirectories(STORE);
    }
    files.forceDirectory(Path.of("/"));
    plan = Recovery.analyse(context);
    log = Recovery.openLog(context, options, plan);
    for (int i = 0; i < INDEXES; i++) {
      indexes[i] = load(i);
      log.skipTo(indexes[i].indexLsn);
    }
    report = Recovery.redo(context, plan, this);
    for (int i = 0; i < INDEXES; i++) {
      flush(i);
    }
    log.awaitOpen();
    table = new TransactionTable(log, plan.nextTransaction());
    checkpoint(Checkpoint.Kind.RUNNING);
    transaction = table.open();
  }

  @Override
  public long indexLsn(int index) {
    return indexes[index].indexLsn;
  }

  @Override
  public void redo(LogRecord update) {
    // Anywhere in between, the end of the log becomes durable.
    if (executor instanceof SteppedExecutor stepped && update.value().length() % 3 == 0) {
      stepped.step();
    }
    indexes[update.index()].apply(
        update.operation(), text(update.key()), text(update.value()), update.lsn());
  }

  private static String text(Slice slice) {
    return new String(slice.toByteArray(), StandardCharsets.UTF_8);
  }

  private static Slice slice(String text) {
    return new Slice(text.getBytes(StandardCharsets.UTF_8));
  }

  /** Puts one record into every index, or deletes it from all; returns the commit LSN. */
  long write(String key, String value, Durability durability) throws StorageException {
    transaction.begin();
    apply(key, value);
    long commit = transaction.commit();
    log.await(commit, durability);
    return commit;
  }

  /** What happens between the log record of a lone update and its way into the memory. */
  @FunctionalInterface
  interface Between {
    void run() throws StorageException;
  }

  /**
   * Puts one record into one index, or deletes it from there, as a whole transaction; returns the
   * LSN of its record.
   */
  long writeAlone(int index, Entry entry, Durability durability, Between between)
      throws StorageException {
    LogOperation operation = OPERATIONS[entry.value().isEmpty() ? 1 : 0];
    long lsn = transaction.commitAlone(index, operation, slice(entry.key()), slice(entry.value()));
    between.run();
    indexes[index].apply(operation, entry.key(), entry.value(), lsn);
    transaction.applied();
    log.await(lsn, durability);
    return lsn;
  }

  /**
   * What is written.
   *
   * @param value empty for a deletion
   */
  record Entry(String key, String value) {
    /** Applies it to what {@link TinyEngine#state} would be. */
    void applyTo(Map<String, String> state, int index) {
      if (value.isEmpty()) {
        state.remove(name(index, key));
      } else {
        state.put(name(index, key), value);
      }
    }

    /** As if it was written into every index. */
    void applyTo(Map<String, String> state) {
      for (int i = 0; i < INDEXES; i++) {
        applyTo(state, i);
      }
    }
  }

  private static String name(int index, String key) {
    return index + "/" + key;
  }

  /** As {@link #write}, and takes it back. */
  void writeAndAbort(String key, String value) throws StorageException {
    transaction.begin();
    apply(key, value);
    transaction.abort(
        (index, operation, undoKey, undoValue) ->
            indexes[index].apply(operation, text(undoKey), text(undoValue), -1));
  }

  private void apply(String key, String value) throws StorageException {
    LogOperation operation = OPERATIONS[value.isEmpty() ? 1 : 0];
    for (int i = 0; i < INDEXES; i++) {
      indexes[i].needsCommit = true;
      String before = indexes[i].entries.get(key);
      transaction.willUndo(
          i,
          before == null ? LogOperation.DELETE : LogOperation.UPSERT,
          slice(key),
          slice(before == null ? "" : before));
      long lsn = transaction.update(i, operation, slice(key), slice(value));
      indexes[i].apply(operation, key, value, lsn);
    }
  }

  /** Replaces the file of one index by what is in memory. */
  void flush(int index) throws StorageException {
    TinyIndex flushed = indexes[index];
    if (!flushed.dirty) {
      return;
    }
    // Also after an abort, when the memory holds less than the log: the records are not needed.
    long lsn = Math.max(flushed.indexLsn, flushed.lastPut);
    if (flushed.needsCommit || othersDirty(index)) {
      // Not only to the last update: its transaction's commit lies behind it, and another's force
      // may have ended between the two.
      log.force(log.endLsn() - 1);
    }
    StringBuilder text = new StringBuilder().append(lsn).append('\n');
    flushed.entries.forEach(
        (key, value) -> text.append(key).append('=').append(value).append('\n'));
    byte[] bytes = text.toString().getBytes(StandardCharsets.UTF_8);
    Path path = path(index);
    Path unfinished = STORE.resolve("index-" + index + ".unfinished");
    if (files.exists(unfinished)) {
      files.delete(unfinished);
    }
    try (StorageFile file = files.open(unfinished, FileSystem.OpenMode.CREATE_NEW)) {
      file.write(0, bytes, 0, bytes.length);
      file.force();
    }
    files.rename(unfinished, path);
    files.forceDirectory(STORE);
    flushed.indexLsn = lsn;
    flushed.dirty = false;
    flushed.needsCommit = false;
  }

  /** Whether the log has what neither this index nor a file has. */
  private boolean othersDirty(int index) {
    boolean dirty = false;
    for (int i = 0; i < INDEXES; i++) {
      dirty |= i != index && indexes[i].dirty;
    }
    return dirty;
  }

  private static Path path(int index) {
    return STORE.resolve("index-" + index);
  }

  private TinyIndex load(int index) throws StorageException {
    TinyIndex loaded = new TinyIndex();
    if (!files.exists(path(index))) {
      return loaded;
    }
    try (StorageFile file = files.open(path(index), FileSystem.OpenMode.READ_ONLY)) {
      byte[] bytes = new byte[(int) file.size()];
      int length = file.read(0, bytes, 0, bytes.length);
      String[] lines = new String(bytes, 0, length, StandardCharsets.UTF_8).split("\n");
      loaded.indexLsn = Long.parseLong(lines[0]);
      for (int i = 1; i < lines.length; i++) {
        String[] entry = lines[i].split("=", 2);
        loaded.entries.put(entry[0], entry[1]);
      }
    }
    return loaded;
  }

  /** Writes a checkpoint and gives back what the log no longer needs. */
  void checkpoint(Checkpoint.Kind kind) throws StorageException {
    long lowWaterMark = log.endLsn();
    for (TinyIndex index : indexes) {
      if (index.dirty) {
        lowWaterMark = Math.min(lowWaterMark, index.indexLsn + 1);
      }
    }
    lowWaterMark = Math.min(lowWaterMark, table.oldestFirstLsn());
    new CheckpointFile(context)
        .advance(kind, log, lowWaterMark, table.nextTransaction(), Collections.emptySortedMap());
  }

  /** What every index holds, in one map, under names made of index and key. */
  Map<String, String> state() {
    Map<String, String> state = new TreeMap<>();
    for (int i = 0; i < INDEXES; i++) {
      int index = i;
      indexes[i].entries.forEach((key, value) -> state.put(name(index, key), value));
    }
    return state;
  }

  /** Flushes everything and closes in order. */
  void closeInOrder() throws StorageException {
    for (int i = 0; i < INDEXES; i++) {
      flush(i);
    }
    checkpoint(Checkpoint.Kind.CLOSED);
    close();
  }

  /** Closes without a flush or a checkpoint. */
  @Override
  public void close() throws StorageException {
    transaction.close();
    log.close();
  }

  /** Names of what lies in the log's directory. */
  List<String> logFiles() throws StorageException {
    List<String> names = new ArrayList<>();
    for (Path path : files.list(context.directory())) {
      names.add(path.getFileName().toString());
    }
    return names;
  }
}
