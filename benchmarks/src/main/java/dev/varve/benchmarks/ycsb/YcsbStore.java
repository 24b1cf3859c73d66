package dev.varve.benchmarks.ycsb;

import com.google.errorprone.annotations.Immutable;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Labelled;
import dev.varve.benchmarks.store.RocksDbTuning;
import dev.varve.benchmarks.store.StoreKind;
import dev.varve.benchmarks.store.StoreSettings;

/** The stores that YCSB's workloads run over. */
public enum YcsbStore implements Labelled {
  /** Through the binding that {@code varve ycsb} has. */
  VARVE(StoreKind.VARVE, VarveClients::open),
  /** RocksDB as its guides would have it set up. */
  ROCKSDB(
      StoreKind.ROCKSDB,
      (settings, maintenance) -> RocksDbClients.open(settings, RocksDbTuning.TUNED)),
  /** RocksDB as it comes. */
  ROCKSDB_DEFAULT(
      StoreKind.ROCKSDB_DEFAULT,
      (settings, maintenance) -> RocksDbClients.open(settings, RocksDbTuning.DEFAULT));

  private final StoreKind kind;
  private final Opener opener;

  @Immutable
  @FunctionalInterface
  private interface Opener {
    YcsbClients open(StoreSettings settings, Maintenance maintenance) throws BenchmarkException;
  }

  YcsbStore(StoreKind kind, Opener opener) {
    this.kind = kind;
    this.opener = opener;
  }

  @Override
  public String label() {
    return kind.label();
  }

  /** All of its options that matter, in one line. */
  public String options(YcsbSettings settings) {
    return kind.options(settings.of(this));
  }

  /**
   * Opens it, creating it when there is none; the caller closes it.
   *
   * @param maintenance of Varve's engine
   */
  YcsbClients open(StoreSettings settings, Maintenance maintenance) throws BenchmarkException {
    return opener.open(settings, maintenance);
  }
}
