package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.store.RocksDbDatabase;
import dev.varve.benchmarks.store.RocksDbTuning;
import dev.varve.benchmarks.store.StoreSettings;
import java.util.Properties;
import site.ycsb.DB;

/** RocksDB through a binding of ours, set up as in {@code bench kv}. */
final class RocksDbClients implements YcsbClients {
  private final RocksDbDatabase database;

  private RocksDbClients(RocksDbDatabase database) {
    this.database = database;
  }

  static RocksDbClients open(StoreSettings settings, RocksDbTuning tuning)
      throws BenchmarkException {
    return new RocksDbClients(RocksDbDatabase.open(settings, tuning));
  }

  @Override
  public DB client(Properties workload) {
    return new RocksDbClient(database);
  }

  @Override
  public void close() throws BenchmarkException {
    database.close();
  }
}
