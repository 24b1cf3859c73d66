package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import java.util.Objects;
import jetbrains.exodus.ArrayByteIterable;
import jetbrains.exodus.ByteIterable;
import jetbrains.exodus.ExodusException;
import jetbrains.exodus.env.Cursor;
import jetbrains.exodus.env.Environment;
import jetbrains.exodus.env.EnvironmentConfig;
import jetbrains.exodus.env.Environments;
import jetbrains.exodus.env.Store;
import jetbrains.exodus.env.StoreConfig;
import jetbrains.exodus.env.Transaction;

/**
 * Accounts in a store of Xodus, whose writers take turns: of two transactions that write at once
 * one would be refused at its commit, whatever they change.
 */
final class XodusAccounts implements AccountStore {
  private static final int LOADED_AT_ONCE = 10_000;

  private final Environment environment;
  private final Store store;

  XodusAccounts(StoreSettings settings) throws BenchmarkException {
    try {
      this.environment =
          Environments.newInstance(
              settings.directory().toString(),
              new EnvironmentConfig()
                  .setMemoryUsage(settings.memory().cacheBytes())
                  .setManagementEnabled(false));
      this.store =
          environment.computeInTransaction(
              transaction ->
                  environment.openStore("accounts", StoreConfig.WITHOUT_DUPLICATES, transaction));
    } catch (ExodusException e) {
      throw new BenchmarkException("open", e);
    }
  }

  private static ByteIterable bytes(long number) {
    return new ArrayByteIterable(AccountStore.bytes(number));
  }

  @Override
  public void load(long accounts, long balance) throws BenchmarkException {
    Transaction transaction = environment.beginExclusiveTransaction();
    try {
      ByteIterable value = bytes(balance);
      for (long account = 0; account < accounts; account++) {
        store.putRight(transaction, bytes(account), value);
        if (account % LOADED_AT_ONCE == 0) {
          transaction.flush();
        }
      }
      transaction.commit();
    } catch (ExodusException e) {
      transaction.abort();
      throw new BenchmarkException("load", e);
    }
  }

  @Override
  public boolean transfer(long[] accounts) throws BenchmarkException {
    Transaction transaction = environment.beginExclusiveTransaction();
    try {
      change(transaction, accounts, accounts.length / 2);
      return transaction.commit();
    } catch (ExodusException e) {
      transaction.abort();
      throw new BenchmarkException("transfer", e);
    }
  }

  private void change(Transaction transaction, long[] accounts, int giving) {
    for (int i = 0; i < accounts.length; i++) {
      ByteIterable key = bytes(accounts[i]);
      byte[] balance = balance(transaction, key).getBytesUnsafe();
      byte[] changed = AccountStore.changed(balance, i, giving);
      store.put(transaction, key, new ArrayByteIterable(changed));
    }
  }

  private ByteIterable balance(Transaction transaction, ByteIterable key) {
    return Objects.requireNonNull(store.get(transaction, key));
  }

  @Override
  public Held hold(long[] accounts) throws BenchmarkException {
    try {
      Transaction transaction = environment.beginExclusiveTransaction();
      change(transaction, accounts, 0);
      return transaction::abort;
    } catch (ExodusException e) {
      throw new BenchmarkException("hold", e);
    }
  }

  @Override
  public long balance(long account) throws BenchmarkException {
    Transaction transaction = environment.beginReadonlyTransaction();
    try {
      return AccountStore.number(balance(transaction, bytes(account)).getBytesUnsafe());
    } catch (ExodusException e) {
      throw new BenchmarkException("balance", e);
    } finally {
      transaction.abort();
    }
  }

  @Override
  public long sum() throws BenchmarkException {
    Transaction transaction = environment.beginReadonlyTransaction();
    long sum = 0;
    try (Cursor cursor = store.openCursor(transaction)) {
      while (cursor.getNext()) {
        sum += AccountStore.number(cursor.getValue().getBytesUnsafe());
      }
      return sum;
    } catch (ExodusException e) {
      throw new BenchmarkException("sum", e);
    } finally {
      transaction.abort();
    }
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      environment.close();
    } catch (ExodusException e) {
      throw new BenchmarkException("close", e);
    }
  }
}
