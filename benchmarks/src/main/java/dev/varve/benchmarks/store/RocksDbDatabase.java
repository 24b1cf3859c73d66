package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.HyperClockCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/**
 * An open RocksDB with the native objects that belong to it, set up alike in all comparisons.
 * Thread-safe; closed by whoever opened it, after everything that uses it.
 */
public final class RocksDbDatabase implements AutoCloseable {
  private static final int BLOOM_BITS = 10;
  private static final int JOBS = 2;

  private final StoreSettings settings;

  /** Native objects, closed in the reverse order of their making. */
  private final Deque<AbstractNativeReference> natives = new ArrayDeque<>();

  private final RocksDB db;
  private final int levels;

  private RocksDbDatabase(StoreSettings settings, RocksDbTuning tuning) throws RocksDBException {
    this.settings = settings;
    RocksDB.loadLibrary();
    try {
      Options options = keep(new Options()).setCreateIfMissing(true);
      if (tuning == RocksDbTuning.TUNED) {
        tune(options);
      }
      this.levels = options.numLevels();
      this.db = keep(RocksDB.open(options, settings.directory().toString()));
    } catch (RocksDBException | RuntimeException e) {
      closeNatives();
      throw e;
    }
  }

  /** Opens the database of a directory, creating it when there is none. */
  public static RocksDbDatabase open(StoreSettings settings, RocksDbTuning tuning)
      throws BenchmarkException {
    try {
      return new RocksDbDatabase(settings, tuning);
    } catch (RocksDBException e) {
      throw new BenchmarkException("open", e);
    }
  }

  private void tune(Options options) {
    options
        .setMaxBackgroundJobs(JOBS)
        .setWriteBufferSize(settings.memory().writeBytes() / 2)
        .setMaxWriteBufferNumber(2)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(
                    keep(new HyperClockCache(settings.memory().cacheBytes(), 0, -1, false)))
                .setFilterPolicy(keep(new BloomFilter(BLOOM_BITS))));
  }

  private <T extends AbstractNativeReference> T keep(T object) {
    natives.push(object);
    return object;
  }

  /** The database, which stays this one's to close. */
  public RocksDB db() {
    return db;
  }

  /** How many levels it may have. */
  int levels() {
    return levels;
  }

  /** How its settings want writes to survive; the caller closes it. */
  public WriteOptions newWriteOptions() {
    WriteOptions writes = new WriteOptions();
    switch (settings.durability()) {
      case NONE -> writes.setDisableWAL(true);
      case PROCESS_CRASH -> writes.setSync(false);
      case POWER_LOSS -> writes.setSync(true);
    }
    return writes;
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      db.closeE();
    } catch (RocksDBException e) {
      throw new BenchmarkException("close", e);
    } finally {
      closeNatives();
    }
  }

  private void closeNatives() {
    while (!natives.isEmpty()) {
      natives.pop().close();
    }
  }
}
