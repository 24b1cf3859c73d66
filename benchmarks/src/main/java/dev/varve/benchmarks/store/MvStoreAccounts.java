package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.Iterator;
import java.util.Map;
import java.util.Objects;
import org.h2.engine.IsolationLevel;
import org.h2.mvstore.DataUtils;
import org.h2.mvstore.MVStore;
import org.h2.mvstore.MVStoreException;
import org.h2.mvstore.tx.Transaction;
import org.h2.mvstore.tx.TransactionMap;
import org.h2.mvstore.tx.TransactionStore;
import org.h2.mvstore.type.ByteArrayDataType;

/** Accounts in a map of H2's MVStore, under its own transactions. */
final class MvStoreAccounts implements AccountStore {
  private static final int LOCK_MILLIS = 10_000;

  private final MVStore store;
  private final TransactionStore transactions;

  /** Of each thread that reads, a map at READ COMMITTED. */
  private final ThreadLocal<TransactionMap<byte[], byte[]>> reads =
      ThreadLocal.withInitial(() -> accounts(begin()));

  MvStoreAccounts(StoreSettings settings) throws BenchmarkException {
    try {
      this.store =
          new MVStore.Builder()
              .fileName(settings.directory().resolve("accounts.mv").toString())
              .cacheSize(Math.toIntExact(settings.memory().cacheBytes() >> 20))
              .open();
      this.transactions = new TransactionStore(store);
      transactions.init();
    } catch (MVStoreException e) {
      throw new BenchmarkException("open", e);
    }
  }

  private Transaction begin() {
    return transactions.begin();
  }

  private static TransactionMap<byte[], byte[]> accounts(Transaction transaction) {
    return transaction.openMap("accounts", ByteArrayDataType.INSTANCE, ByteArrayDataType.INSTANCE);
  }

  @Override
  public void load(long accounts, long balance) throws BenchmarkException {
    try {
      byte[] value = AccountStore.bytes(balance);
      Transaction transaction = transactions.begin();
      TransactionMap<byte[], byte[]> map = accounts(transaction);
      for (long account = 0; account < accounts; account++) {
        map.putCommitted(AccountStore.bytes(account), value);
      }
      transaction.commit();
      store.commit();
    } catch (MVStoreException e) {
      throw new BenchmarkException("load", e);
    }
  }

  @Override
  public boolean transfer(long[] accounts) throws BenchmarkException {
    Transaction transaction =
        transactions.begin(null, LOCK_MILLIS, 0, IsolationLevel.READ_COMMITTED);
    try {
      change(transaction, accounts, accounts.length / 2);
      transaction.commit();
      return true;
    } catch (MVStoreException e) {
      transaction.rollback();
      if (e.getErrorCode() == DataUtils.ERROR_TRANSACTION_LOCKED
          || e.getErrorCode() == DataUtils.ERROR_TRANSACTIONS_DEADLOCK) {
        return false;
      }
      throw new BenchmarkException("transfer", e);
    }
  }

  private static void change(Transaction transaction, long[] accounts, int giving) {
    TransactionMap<byte[], byte[]> map = accounts(transaction);
    for (int i = 0; i < accounts.length; i++) {
      byte[] key = AccountStore.bytes(accounts[i]);
      map.put(key, AccountStore.changed(map.lock(key), i, giving));
    }
  }

  @Override
  public Held hold(long[] accounts) throws BenchmarkException {
    try {
      Transaction transaction = transactions.begin();
      change(transaction, accounts, 0);
      return transaction::rollback;
    } catch (MVStoreException e) {
      throw new BenchmarkException("hold", e);
    }
  }

  @Override
  public long balance(long account) throws BenchmarkException {
    try {
      return AccountStore.number(
          Objects.requireNonNull(reads.get().get(AccountStore.bytes(account))));
    } catch (MVStoreException e) {
      throw new BenchmarkException("balance", e);
    }
  }

  @Override
  public long sum() throws BenchmarkException {
    Transaction transaction = transactions.begin(null, LOCK_MILLIS, 0, IsolationLevel.SNAPSHOT);
    try {
      transaction.markStatementStart(null);
      long sum = 0;
      Iterator<Map.Entry<byte[], byte[]>> all = accounts(transaction).entryIterator(null, null);
      while (all.hasNext()) {
        sum += AccountStore.number(all.next().getValue());
      }
      transaction.markStatementEnd();
      return sum;
    } catch (MVStoreException e) {
      throw new BenchmarkException("sum", e);
    } finally {
      transaction.rollback();
    }
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      transactions.close();
      store.close();
    } catch (MVStoreException e) {
      throw new BenchmarkException("close", e);
    }
  }
}
