package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.store.StoreSettings;
import dev.varve.ycsb.VarveClient;
import java.util.Properties;
import site.ycsb.DB;
import site.ycsb.DBException;

/** Varve through its binding; one client more keeps the engine open between passes. */
final class VarveClients implements YcsbClients {
  private final StoreSettings settings;
  private final Maintenance maintenance;
  private final DB keeper;

  private VarveClients(StoreSettings settings, Maintenance maintenance) throws BenchmarkException {
    this.settings = settings;
    this.maintenance = maintenance;
    this.keeper = client(new Properties());
  }

  static VarveClients open(StoreSettings settings, Maintenance maintenance)
      throws BenchmarkException {
    return new VarveClients(settings, maintenance);
  }

  @Override
  public DB client(Properties workload) throws BenchmarkException {
    Properties properties = new Properties();
    properties.putAll(workload);
    properties.setProperty("varve.dir", settings.directory().toString());
    properties.setProperty("varve.cacheBytes", Long.toString(settings.memory().cacheBytes()));
    properties.setProperty("varve.memoryBytes", Long.toString(settings.memory().writeBytes()));
    properties.setProperty("varve.durability", "process-crash");
    properties.setProperty("varve.tuner", maintenance.tuner());
    properties.setProperty("varve.ioBytesPerSecond", Long.toString(maintenance.ioBytesPerSecond()));
    VarveClient client = new VarveClient();
    client.setProperties(properties);
    try {
      client.init();
    } catch (DBException e) {
      throw new BenchmarkException("open: " + e.getMessage(), e);
    }
    return client;
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      keeper.cleanup();
    } catch (DBException e) {
      throw new BenchmarkException("close: " + e.getMessage(), e);
    }
  }
}
