package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;

/**
 * An engine with one key-value store. Thread-safe.
 *
 * @param open both
 */
record VarveStore(OpenEngine<KeyValueStore> open) implements Store {
  private static final String NAME = "kv";

  static VarveStore open(EngineOptions engineOptions, KeyValueOptions storeOptions)
      throws BenchmarkException {
    return new VarveStore(
        OpenEngine.open(
            engineOptions,
            engine ->
                engine.names().contains(NAME)
                    ? engine.keyValueStore(NAME)
                    : engine.createKeyValueStore(NAME, storeOptions)));
  }

  @Override
  public StoreSession openSession() throws BenchmarkException {
    try {
      return new VarveSession(open.store());
    } catch (StorageException e) {
      throw new BenchmarkException("open a session", e);
    }
  }

  @Override
  public void settle() throws BenchmarkException {
    open.settle();
  }

  @Override
  public StoreFigures figures() throws BenchmarkException {
    return open.figures();
  }

  @Override
  public void close() throws BenchmarkException {
    open.close();
  }
}
