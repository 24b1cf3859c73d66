package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.List;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.HyperClockCache;
import org.rocksdb.OptimisticTransactionDB;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Snapshot;
import org.rocksdb.Status;
import org.rocksdb.Transaction;
import org.rocksdb.TransactionDB;
import org.rocksdb.TransactionDBOptions;
import org.rocksdb.WriteOptions;

/** Accounts in RocksDB, whose transactions lock, or look for conflicts at their commit. */
final class RocksDbAccounts implements AccountStore {
  private static final List<Status.Code> CONFLICTS =
      List.of(Status.Code.Busy, Status.Code.TimedOut, Status.Code.TryAgain, Status.Code.Aborted);

  private static final int BLOOM_BITS = 10;

  private final Options options;
  private final RocksDB db;
  private final Beginning beginning;
  private final WriteOptions writes;
  private final ReadOptions reads;

  /** How transactions see each other. */
  enum Kind {
    LOCKING,
    OPTIMISTIC
  }

  @FunctionalInterface
  private interface Beginning {
    Transaction begin();
  }

  RocksDbAccounts(StoreSettings settings, Kind kind) throws BenchmarkException {
    RocksDB.loadLibrary();
    this.writes = new WriteOptions();
    this.reads = new ReadOptions();
    this.options =
        new Options()
            .setCreateIfMissing(true)
            .setMaxBackgroundJobs(2)
            .setWriteBufferSize(settings.memory().writeBytes() / 2)
            .setMaxWriteBufferNumber(2)
            .setCompressionType(CompressionType.NO_COMPRESSION)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(
                        new HyperClockCache(settings.memory().cacheBytes(), 0, -1, false))
                    .setFilterPolicy(new BloomFilter(BLOOM_BITS)));
    String directory = settings.directory().toString();
    try {
      if (kind == Kind.LOCKING) {
        TransactionDB opened = TransactionDB.open(options, new TransactionDBOptions(), directory);
        this.db = opened;
        this.beginning = () -> opened.beginTransaction(writes);
      } else {
        OptimisticTransactionDB opened = OptimisticTransactionDB.open(options, directory);
        this.db = opened;
        this.beginning = () -> opened.beginTransaction(writes);
      }
    } catch (RocksDBException e) {
      throw new BenchmarkException("open", e);
    }
  }

  @Override
  public void load(long accounts, long balance) throws BenchmarkException {
    try {
      byte[] value = AccountStore.bytes(balance);
      for (long account = 0; account < accounts; account++) {
        db.put(writes, AccountStore.bytes(account), value);
      }
    } catch (RocksDBException e) {
      throw new BenchmarkException("load", e);
    }
  }

  @Override
  public boolean transfer(long[] accounts) throws BenchmarkException {
    try (Transaction transaction = beginning.begin()) {
      change(transaction, accounts, accounts.length / 2);
      transaction.commit();
      return true;
    } catch (RocksDBException e) {
      if (e.getStatus() != null && CONFLICTS.contains(e.getStatus().getCode())) {
        return false;
      }
      throw new BenchmarkException("transfer", e);
    }
  }

  private void change(Transaction transaction, long[] accounts, int giving)
      throws RocksDBException {
    for (int i = 0; i < accounts.length; i++) {
      byte[] key = AccountStore.bytes(accounts[i]);
      byte[] balance = transaction.getForUpdate(reads, key, true);
      transaction.put(key, AccountStore.changed(balance, i, giving));
    }
  }

  @Override
  public Held hold(long[] accounts) throws BenchmarkException {
    try {
      Transaction transaction = beginning.begin();
      change(transaction, accounts, 0);
      return transaction::close;
    } catch (RocksDBException e) {
      throw new BenchmarkException("hold", e);
    }
  }

  @Override
  public long balance(long account) throws BenchmarkException {
    try {
      return AccountStore.number(db.get(reads, AccountStore.bytes(account)));
    } catch (RocksDBException e) {
      throw new BenchmarkException("balance", e);
    }
  }

  @Override
  public long sum() throws BenchmarkException {
    long sum = 0;
    Snapshot snapshot = db.getSnapshot();
    try (ReadOptions asOf = new ReadOptions().setSnapshot(snapshot);
        RocksIterator cursor = db.newIterator(asOf)) {
      for (cursor.seekToFirst(); cursor.isValid(); cursor.next()) {
        sum += AccountStore.number(cursor.value());
      }
      cursor.status();
      return sum;
    } catch (RocksDBException e) {
      throw new BenchmarkException("sum", e);
    } finally {
      db.releaseSnapshot(snapshot);
    }
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      db.closeE();
    } catch (RocksDBException e) {
      throw new BenchmarkException("close", e);
    } finally {
      writes.close();
      reads.close();
      options.close();
    }
  }
}
