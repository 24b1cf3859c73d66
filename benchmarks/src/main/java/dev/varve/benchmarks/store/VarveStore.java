package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import java.util.concurrent.TimeUnit;

/** An engine with one key-value store. Thread-safe. */
final class VarveStore implements Store {
  private static final String NAME = "kv";

  private final StoreSettings settings;
  private final StorageEngine engine;
  private final KeyValueStore store;

  private VarveStore(StoreSettings settings, StorageEngine engine, KeyValueStore store) {
    this.settings = settings;
    this.engine = engine;
    this.store = store;
  }

  @SuppressWarnings("MustBeClosedChecker") // closed with the store
  static VarveStore open(
      StoreSettings settings, EngineOptions engineOptions, KeyValueOptions storeOptions)
      throws BenchmarkException {
    try {
      StorageEngine engine = StorageEngine.open(engineOptions);
      try {
        KeyValueStore store =
            engine.names().contains(NAME)
                ? engine.keyValueStore(NAME)
                : engine.createKeyValueStore(NAME, storeOptions);
        return new VarveStore(settings, engine, store);
      } catch (StorageException | RuntimeException e) {
        engine.close();
        throw e;
      }
    } catch (StorageException e) {
      throw new BenchmarkException("open", e);
    }
  }

  @Override
  public StoreSession openSession() throws BenchmarkException {
    try {
      return new VarveSession(store);
    } catch (StorageException e) {
      throw new BenchmarkException("open a session", e);
    }
  }

  @Override
  public void settle() throws BenchmarkException {
    try {
      store.flush();
    } catch (StorageException e) {
      throw new BenchmarkException("flush", e);
    }
    if (!engine.awaitQuiet(TimeUnit.HOURS.toMillis(1))) {
      throw new BenchmarkException("merges did not come to an end");
    }
  }

  @Override
  public StoreFigures figures() throws BenchmarkException {
    try {
      int components = 0;
      for (PartitionStats partition : store.stats().partitions()) {
        for (IndexStats index : partition.indexes()) {
          components += index.components().size();
        }
      }
      return new StoreFigures(components, DiskBytes.below(settings.directory()));
    } catch (StorageException e) {
      throw new BenchmarkException("figures", e);
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
