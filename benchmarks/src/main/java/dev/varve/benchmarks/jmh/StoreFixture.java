package dev.varve.benchmarks.jmh;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.KeyValueOptions;
import dev.varve.transaction.log.Durability;

/** An engine with one empty key-value store, at the durability that waits for no force. */
final class StoreFixture implements AutoCloseable {
  private static final long MEMORY = 128L << 20;

  private final Scratch scratch;
  private final StorageEngine engine;
  private final KeyValueStore store;

  /** Opens the engine. */
  @SuppressWarnings("MustBeClosedChecker") // closed with this
  StoreFixture() throws StorageException {
    this.scratch = new Scratch();
    this.engine =
        StorageEngine.open(
            EngineOptions.builder(scratch.directory())
                .cacheBytes(Math.min(1L << 30, Runtime.getRuntime().maxMemory() / 2))
                .durability(Durability.PROCESS_CRASH)
                .build());
    this.store =
        engine.createKeyValueStore("pairs", KeyValueOptions.DEFAULTS.withMemoryBytes(MEMORY));
  }

  KeyValueStore store() {
    return store;
  }

  @Override
  public void close() throws StorageException {
    engine.close();
    scratch.close();
  }
}
