package dev.varve.benchmarks.store;

import com.google.errorprone.annotations.Immutable;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.measure.Labelled;

/** The stores that transfer. */
public enum AccountStoreKind implements Labelled {
  /** A transaction of a key-value store; sums by a snapshot of the engine. */
  VARVE(
      "varve",
      "transactions that lock, sums by a snapshot, durability of a process crash",
      VarveAccounts::new),
  /** Transactions that lock. */
  ROCKSDB(
      "rocksdb",
      "TransactionDB as tuned elsewhere, getForUpdate, sums by a snapshot, WAL, sync=false",
      settings -> new RocksDbAccounts(settings, RocksDbAccounts.Kind.LOCKING)),
  /** Transactions that are refused at their commit. */
  ROCKSDB_OPTIMISTIC(
      "rocksdb-optimistic",
      "OptimisticTransactionDB as tuned elsewhere, getForUpdate, sums by a snapshot, WAL,"
          + " sync=false",
      settings -> new RocksDbAccounts(settings, RocksDbAccounts.Kind.OPTIMISTIC)),
  /** The transactions of H2. */
  MVSTORE(
      "mvstore",
      "TransactionStore, lock then put, sums at isolation SNAPSHOT, written in the background",
      MvStoreAccounts::new),
  /** Transactions that take turns. */
  XODUS(
      "xodus",
      "exclusive transactions, sums by a read-only one, written at the commit, forced by and by",
      XodusAccounts::new);

  private final String label;
  private final String options;
  private final Opener opener;

  @Immutable
  @FunctionalInterface
  private interface Opener {
    AccountStore open(StoreSettings settings) throws BenchmarkException;
  }

  AccountStoreKind(String label, String options, Opener opener) {
    this.label = label;
    this.options = options;
    this.opener = opener;
  }

  @Override
  public String label() {
    return label;
  }

  /** What matters of how it is used, in one line. */
  public String options() {
    return options;
  }

  /** Opens an empty one; the caller closes it. */
  public AccountStore open(StoreSettings settings) throws BenchmarkException {
    return opener.open(settings);
  }
}
