package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.store.StoreException;
import dev.varve.benchmarks.store.StoreSettings;
import dev.varve.ycsb.VarveClient;
import java.util.Properties;
import site.ycsb.DB;
import site.ycsb.DBException;

/** Varve through its binding; one client more keeps the engine open between passes. */
final class VarveClients implements YcsbClients {
  private final StoreSettings settings;
  private final DB keeper;

  private VarveClients(StoreSettings settings) throws StoreException {
    this.settings = settings;
    this.keeper = client(new Properties());
  }

  static VarveClients open(StoreSettings settings) throws StoreException {
    return new VarveClients(settings);
  }

  @Override
  public DB client(Properties workload) throws StoreException {
    Properties properties = new Properties();
    properties.putAll(workload);
    properties.setProperty("varve.dir", settings.directory().toString());
    properties.setProperty("varve.cacheBytes", Long.toString(settings.cacheBytes()));
    properties.setProperty("varve.memoryBytes", Long.toString(settings.memoryBytes()));
    properties.setProperty("varve.durability", "process-crash");
    VarveClient client = new VarveClient();
    client.setProperties(properties);
    try {
      client.init();
    } catch (DBException e) {
      throw new StoreException("open: " + e.getMessage(), e);
    }
    return client;
  }

  @Override
  public void close() throws StoreException {
    try {
      keeper.cleanup();
    } catch (DBException e) {
      throw new StoreException("close: " + e.getMessage(), e);
    }
  }
}
