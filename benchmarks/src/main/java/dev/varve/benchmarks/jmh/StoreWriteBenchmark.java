package dev.varve.benchmarks.jmh;

import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.dataset.KeyValueSession;
import dev.varve.dataset.model.WriteOutcome;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * Writes to a key-value store, each acknowledged at {@code PROCESS_CRASH}: gate, lock, log, memory
 * component, commit, and whatever flushes and merges take from the writer. The bytes per operation
 * are of all threads, those of flushes and merges among them.
 */
@State(Scope.Thread)
public class StoreWriteBenchmark {
  /** Number of different keys. */
  @Param({"1000000"})
  private int entries;

  private final Entry entry = Keys.newEntry();
  private StoreFixture fixture;
  private KeyValueSession session;
  private long step;

  /** Opens an empty store. */
  @Setup
  @SuppressWarnings("MustBeClosedChecker") // closed by tearDown
  public void setUp() throws StorageException {
    fixture = new StoreFixture();
    session = fixture.store().openSession();
  }

  /** Removes the store. */
  @TearDown
  public void tearDown() throws StorageException {
    session.close();
    fixture.close();
  }

  /** Puts a random pair, without looking whether the key is there. */
  @Benchmark
  public long put() throws StorageException {
    Keys.random(entry.key().bytes(), Keys.scattered(step++, entries));
    session.put(entry.key(), entry.value());
    session.force();
    return step;
  }

  /** Inserts a random pair, or replaces it and says so. */
  @Benchmark
  public WriteOutcome upsert() throws StorageException {
    Keys.random(entry.key().bytes(), Keys.scattered(step++, entries));
    WriteOutcome outcome = session.upsert(entry.key(), entry.value());
    session.force();
    return outcome;
  }
}
