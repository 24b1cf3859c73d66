package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.List;

/** LMDB: its cache is the kernel's, so that neither cache nor memory of the comparison apply. */
final class LmdbSetup implements StoreSetup {
  @Override
  public Store open(StoreSettings settings) throws BenchmarkException {
    return new LmdbStore(settings);
  }

  @Override
  public String options(StoreSettings settings) {
    String sync =
        switch (settings.durability()) {
          case NONE, PROCESS_CRASH ->
              "MDB_NOSYNC, MDB_WRITEMAP (it has nothing weaker: what is mapped stays), forced each "
                  + LmdbStore.forcingBytes(settings)
                  + " bytes put, as the LSM stores force the components that they flush";
          case POWER_LOSS -> "synchronous commits";
        };
    return "map "
        + LmdbStore.MAP_BYTES
        + " bytes, MDB_NOTLS, "
        + sync
        + "; a transaction for each operation, read transactions and cursors renewed,"
        + " lmdbjava's checks of arguments off; cache is the kernel's";
  }

  @Override
  public List<String> jvmArguments(StoreSettings settings) {
    return ChildHeap.arguments(
        0,
        "--add-opens=java.base/java.nio=ALL-UNNAMED",
        "--add-opens=java.base/sun.nio.ch=ALL-UNNAMED",
        "-Dlmdbjava.disable.checks=true");
  }
}
