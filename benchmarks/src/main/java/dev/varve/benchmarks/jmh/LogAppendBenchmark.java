package dev.varve.benchmarks.jmh;

import dev.varve.common.env.ThreadTaskExecutor;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.transaction.log.Durability;
import dev.varve.transaction.log.LogContext;
import dev.varve.transaction.log.LogEnd;
import dev.varve.transaction.log.LogOperation;
import dev.varve.transaction.log.LogOptions;
import dev.varve.transaction.log.LogUpdate;
import dev.varve.transaction.log.TransactionLog;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Appends to the log that survive a crash of the process and wait for no force. Segments are
 * released as checkpoints would, so that they are reused. An appender that outruns the disk waits
 * for segments: to see the cost of the append alone, let temporary files lie in memory, {@code
 * -jvmArgsAppend -Djava.io.tmpdir=/dev/shm}.
 */
@State(Scope.Thread)
public class LogAppendBenchmark {
  /** How far the log may grow between two releases. */
  private static final long RELEASE_EVERY = 64L << 20;

  private final LogUpdate update = new LogUpdate();
  private final Entry entry = Keys.newEntry();
  private Scratch scratch;
  private TransactionLog log;
  private long transaction;
  private long released;

  /** Opens an empty log. */
  @Setup
  @SuppressWarnings("MustBeClosedChecker") // closed by tearDown
  public void setUp() throws StorageException {
    scratch = new Scratch();
    LogContext context =
        new LogContext(scratch.files(), new ThreadTaskExecutor(), scratch.directory(), 1);
    log = TransactionLog.open(context, LogOptions.DEFAULTS, LogEnd.absent());
  }

  /** Removes the log. */
  @TearDown
  public void tearDown() throws StorageException {
    log.close();
    scratch.close();
  }

  /** A transaction that is one record. */
  @Benchmark
  public long loneUpdate() throws StorageException {
    Keys.random(entry.key().bytes(), ++transaction);
    long lsn = log.appendLoneUpdate(1, LogOperation.UPSERT, entry.key(), entry.value());
    acknowledge(lsn);
    return lsn;
  }

  /** A transaction of an update and its commit record. */
  @Benchmark
  public long updateAndCommit() throws StorageException {
    long commit = log.appendCommit(transaction, log.appendUpdate(nextUpdate()));
    acknowledge(commit);
    return commit;
  }

  private LogUpdate nextUpdate() {
    Keys.random(entry.key().bytes(), ++transaction);
    update.transaction(transaction).previousLsn(-1).change(1, LogOperation.UPSERT);
    return update.entry(entry.key(), entry.value());
  }

  private void acknowledge(long lsn) throws StorageException {
    log.await(lsn, Durability.PROCESS_CRASH);
    if (lsn - released > RELEASE_EVERY) {
      log.release(lsn);
      released = lsn;
    }
  }
}
