package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.Properties;
import site.ycsb.DB;

/** An open store that hands out clients of YCSB. Thread-safe; closed after its clients. */
interface YcsbClients extends AutoCloseable {
  /**
   * A client for one thread, which cleans it up.
   *
   * @param workload the properties of the workload
   */
  DB client(Properties workload) throws BenchmarkException;

  @Override
  void close() throws BenchmarkException;
}
