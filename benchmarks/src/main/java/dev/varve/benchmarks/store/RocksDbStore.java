package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import org.rocksdb.FlushOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;

/** RocksDB with its one default column family. Thread-safe. */
final class RocksDbStore implements Store {
  private final StoreSettings settings;
  private final RocksDbDatabase database;
  private final RocksDB db;

  private RocksDbStore(StoreSettings settings, RocksDbDatabase database) {
    this.settings = settings;
    this.database = database;
    this.db = database.db();
  }

  static RocksDbStore open(StoreSettings settings, RocksDbTuning tuning) throws BenchmarkException {
    return new RocksDbStore(settings, RocksDbDatabase.open(settings, tuning));
  }

  @Override
  public StoreSession openSession() {
    return new RocksDbSession(db, database.newWriteOptions(), settings.valueBytes());
  }

  @Override
  public void settle() throws BenchmarkException {
    try (FlushOptions flush = new FlushOptions().setWaitForFlush(true)) {
      db.flush(flush);
    } catch (RocksDBException e) {
      throw new BenchmarkException("flush", e);
    }
    Quiet.await(this::busy);
  }

  private boolean busy() throws BenchmarkException {
    try {
      return anythingPending();
    } catch (RocksDBException e) {
      throw new BenchmarkException("settle", e);
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
  public StoreFigures figures() throws BenchmarkException {
    try {
      int components = 0;
      for (int level = 0; level < database.levels(); level++) {
        int files = Integer.parseInt(db.getProperty("rocksdb.num-files-at-level" + level));
        components += level == 0 ? files : Math.min(files, 1);
      }
      return new StoreFigures(components, DiskBytes.below(settings.directory()));
    } catch (RocksDBException e) {
      throw new BenchmarkException("figures", e);
    }
  }

  @Override
  public void close() throws BenchmarkException {
    database.close();
  }
}
