package dev.varve.benchmarks.store;

import java.util.ArrayDeque;
import java.util.Deque;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.HyperClockCache;
import org.rocksdb.Options;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteOptions;

/** RocksDB with its one default column family. Thread-safe. */
final class RocksDbStore implements Store {
  private static final int BLOOM_BITS = 10;
  private static final int JOBS = 2;

  private final StoreSettings settings;

  /** Native objects, closed in the reverse order of their making. */
  private final Deque<AbstractNativeReference> natives = new ArrayDeque<>();

  private final RocksDB db;
  private final int levels;

  private RocksDbStore(StoreSettings settings, RocksDbTuning tuning) throws RocksDBException {
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

  static RocksDbStore open(StoreSettings settings, RocksDbTuning tuning) throws StoreException {
    try {
      return new RocksDbStore(settings, tuning);
    } catch (RocksDBException e) {
      throw new StoreException("open", e);
    }
  }

  private void tune(Options options) {
    options
        .setMaxBackgroundJobs(JOBS)
        .setWriteBufferSize(settings.memoryBytes() / 2)
        .setMaxWriteBufferNumber(2)
        .setCompressionType(CompressionType.NO_COMPRESSION)
        .setTableFormatConfig(
            new BlockBasedTableConfig()
                .setBlockCache(keep(new HyperClockCache(settings.cacheBytes(), 0, -1, false)))
                .setFilterPolicy(keep(new BloomFilter(BLOOM_BITS))));
  }

  private <T extends AbstractNativeReference> T keep(T object) {
    natives.push(object);
    return object;
  }

  @Override
  public StoreSession openSession() {
    WriteOptions writes = new WriteOptions();
    switch (settings.durability()) {
      case NONE -> writes.setDisableWAL(true);
      case PROCESS_CRASH -> writes.setSync(false);
      case POWER_LOSS -> writes.setSync(true);
    }
    return new RocksDbSession(db, writes, settings.valueBytes());
  }

  @Override
  public void settle() throws StoreException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush);
    } catch (RocksDBException e) {
      throw new StoreException("flush", e);
    }
    Quiet.await(this::busy);
  }

  private boolean busy() throws StoreException {
    try {
      return anythingPending();
    } catch (RocksDBException e) {
      throw new StoreException("settle", e);
    }
  }

  private boolean anythingPending() throws RocksDBException {
    return db.getLongProperty("rocksdb.mem-table-flush-pending") > 0
        || db.getLongProperty("rocksdb.num-running-flushes") > 0
        || db.getLongProperty("rocksdb.compaction-pending") > 0
        || db.getLongProperty("rocksdb.num-running-compactions") > 0;
  }

  /** Components are the files of level 0 and the levels below that hold files. */
  @Override
  public StoreFigures figures() throws StoreException {
    try {
      int components = 0;
      for (int level = 0; level < levels; level++) {
        int files = Integer.parseInt(db.getProperty("rocksdb.num-files-at-level" + level));
        components += level == 0 ? files : Math.min(files, 1);
      }
      return new StoreFigures(components, DiskBytes.below(settings.directory()));
    } catch (RocksDBException e) {
      throw new StoreException("figures", e);
    }
  }

  @Override
  public void close() throws StoreException {
    try {
      db.closeE();
    } catch (RocksDBException e) {
      throw new StoreException("close", e);
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
