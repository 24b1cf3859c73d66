package dev.varve.benchmarks.ycsb;

import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.store.RocksDbTuning;
import dev.varve.benchmarks.store.StoreException;
import dev.varve.benchmarks.store.StoreKind;
import dev.varve.benchmarks.store.StoreSettings;

/** The stores that YCSB's workloads run over. */
public enum YcsbStore implements Labelled {
  /** Through the binding that {@code varve ycsb} has. */
  VARVE(StoreKind.VARVE) {
    @Override
    YcsbClients open(StoreSettings settings) throws StoreException {
      return VarveClients.open(settings);
    }
  },
  /** RocksDB as its guides would have it set up. */
  ROCKSDB(StoreKind.ROCKSDB) {
    @Override
    YcsbClients open(StoreSettings settings) throws StoreException {
      return RocksDbClients.open(settings, RocksDbTuning.TUNED);
    }
  },
  /** RocksDB as it comes. */
  ROCKSDB_DEFAULT(StoreKind.ROCKSDB_DEFAULT) {
    @Override
    YcsbClients open(StoreSettings settings) throws StoreException {
      return RocksDbClients.open(settings, RocksDbTuning.DEFAULT);
    }
  };

  private final StoreKind kind;

  YcsbStore(StoreKind kind) {
    this.kind = kind;
  }

  @Override
  public String label() {
    return kind.label();
  }

  /** All of its options that matter, in one line. */
  public String options(YcsbSettings settings) {
    return kind.options(settings.of(this));
  }

  /** Opens it, creating it when there is none; the caller closes it. */
  abstract YcsbClients open(StoreSettings settings) throws StoreException;
}
