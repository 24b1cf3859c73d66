package dev.varve.benchmarks.secondary;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.index.IdSink;
import dev.varve.benchmarks.index.IndexSettings;
import dev.varve.benchmarks.index.IndexStore;
import dev.varve.benchmarks.store.OpenEngine;
import dev.varve.benchmarks.store.StoreFigures;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.RecordSession;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.transaction.log.Durability;

/** A dataset of the product in an engine of its own. Confined to one thread. */
final class MaintainedStore implements IndexStore {
  private final OpenEngine<Dataset> open;
  private final RecordSession session;
  private int unforced;

  /** Something that is done with the dataset. */
  @FunctionalInterface
  interface Call<T> {
    T on(Dataset dataset) throws StorageException;
  }

  /** Opens one in a directory that is empty; the caller closes it. */
  @SuppressWarnings("MustBeClosedChecker") // closed with the store
  MaintainedStore(IndexSettings settings, DatasetOptions options) throws BenchmarkException {
    IndexSettings.Budget budget = settings.budget();
    open =
        OpenEngine.open(
            EngineOptions.builder(settings.directory())
                .cacheBytes(budget.memory().cacheBytes())
                .activeDatasetBytes(2 * budget.memory().writeBytes())
                .durability(Durability.PROCESS_CRASH)
                .build(),
            engine -> engine.createDataset(options));
    session = ask(Dataset::openSession);
  }

  /** Does something. */
  <T> T ask(Call<T> call) throws BenchmarkException {
    try {
      return call.on(open.store());
    } catch (StorageException e) {
      throw new BenchmarkException("the dataset", e);
    }
  }

  void upsert(byte[] json) throws BenchmarkException {
    write(dataset -> session.upsert(new Slice(json)));
  }

  /** Inserts a record unless its key is there. */
  void insert(byte[] json) throws BenchmarkException {
    write(
        dataset -> {
          try {
            session.insert(new Slice(json));
          } catch (ConflictException there) {
            assert there.reason() == ConflictException.Reason.DUPLICATE_KEY : there;
          }
          return json;
        });
  }

  private void write(Call<?> call) throws BenchmarkException {
    ask(call);
    if (++unforced >= SecondaryBench.OPERATIONS_A_FORCE) {
      force();
    }
  }

  private void force() throws BenchmarkException {
    unforced = 0;
    ask(
        dataset -> {
          session.force();
          return dataset;
        });
  }

  /** Hands on the keys that a cursor finds, and closes it. */
  void all(Call<? extends KeyCursor> opening, IdSink found) throws BenchmarkException {
    try (KeyCursor cursor = ask(opening)) {
      while (cursor.next()) {
        found.accept(KeyHash.hash(cursor.key()));
      }
    } catch (StorageException e) {
      throw new BenchmarkException("search", e);
    }
  }

  @Override
  public void settle() throws BenchmarkException {
    force();
    open.settle();
  }

  @Override
  public void compact() throws BenchmarkException {
    ask(
        dataset -> {
          dataset.compact();
          return dataset;
        });
  }

  @Override
  public StoreFigures figures() throws BenchmarkException {
    return open.figures();
  }

  @Override
  public void close() throws BenchmarkException {
    ask(
        dataset -> {
          session.close();
          return dataset;
        });
    open.close();
  }
}
