package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSnapshot;
import dev.varve.dataset.KeyValue;
import dev.varve.dataset.KeyValueLoader;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.KeyValueTransaction;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.transaction.log.Durability;

/** Accounts in a key-value store of an engine; a sum is a scan of a snapshot. */
final class VarveAccounts implements AccountStore {
  private final StorageEngine engine;
  private final KeyValueStore store;

  @SuppressWarnings("MustBeClosedChecker") // closed with the store
  VarveAccounts(StoreSettings settings) throws BenchmarkException {
    try {
      this.engine =
          StorageEngine.open(
              EngineOptions.builder(settings.directory())
                  .cacheBytes(settings.memory().cacheBytes())
                  .activeDatasetBytes(settings.memory().writeBytes())
                  .durability(Durability.PROCESS_CRASH)
                  .build());
      this.store =
          engine.createKeyValueStore(
              "accounts", KeyValueOptions.DEFAULTS.withMemoryBytes(settings.memory().writeBytes()));
    } catch (StorageException e) {
      throw new BenchmarkException("open", e);
    }
  }

  @Override
  public void load(long accounts, long balance) throws BenchmarkException {
    try (KeyValueLoader loader = store.bulkLoad()) {
      Slice value = new Slice(AccountStore.bytes(balance));
      for (long account = 0; account < accounts; account++) {
        loader.add(new Slice(AccountStore.bytes(account)), value);
      }
      loader.finish();
    } catch (StorageException e) {
      throw new BenchmarkException("load", e);
    }
  }

  @Override
  public boolean transfer(long[] accounts) throws BenchmarkException {
    try (KeyValueTransaction transaction = store.beginTransaction()) {
      change(transaction, accounts, accounts.length / 2);
      transaction.commit();
      return true;
    } catch (ConflictException other) {
      return false;
    } catch (StorageException e) {
      throw new BenchmarkException("transfer", e);
    }
  }

  private static void change(KeyValueTransaction transaction, long[] accounts, int giving)
      throws StorageException {
    KeyValue found = new KeyValue();
    for (int i = 0; i < accounts.length; i++) {
      byte[] key = AccountStore.bytes(accounts[i]);
      transaction.getForUpdate(new Slice(key), found);
      transaction.upsert(key, AccountStore.changed(found.value().toByteArray(), i, giving));
    }
  }

  @Override
  @SuppressWarnings("MustBeClosedChecker") // closed by the caller
  public Held hold(long[] accounts) throws BenchmarkException {
    try {
      KeyValueTransaction transaction = store.beginTransaction();
      change(transaction, accounts, 0);
      return () -> {
        try {
          transaction.close();
        } catch (StorageException e) {
          throw new BenchmarkException("take back", e);
        }
      };
    } catch (StorageException e) {
      throw new BenchmarkException("hold", e);
    }
  }

  @Override
  public long balance(long account) throws BenchmarkException {
    KeyValue found = new KeyValue();
    try {
      store.get(new Slice(AccountStore.bytes(account)), found);
      return AccountStore.number(found.value().toByteArray());
    } catch (StorageException e) {
      throw new BenchmarkException("balance", e);
    }
  }

  @Override
  public long sum() throws BenchmarkException {
    long sum = 0;
    try (EngineSnapshot snapshot = engine.snapshot();
        RecordCursor cursor = snapshot.scan(store, KeyRange.all())) {
      while (cursor.next()) {
        sum += AccountStore.number(cursor.value().toByteArray());
      }
      return sum;
    } catch (StorageException e) {
      throw new BenchmarkException("sum", e);
    }
  }

  @Override
  public void close() throws BenchmarkException {
    try {
      engine.close();
    } catch (StorageException e) {
      throw new BenchmarkException("close", e);
    }
  }
}
