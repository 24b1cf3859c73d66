package dev.varve.benchmarks.store;

import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.Store;
import dev.varve.dataset.model.IndexStats;
import dev.varve.dataset.model.PartitionStats;
import dev.varve.dataset.options.EngineOptions;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/**
 * An engine of the product with one store in it. Thread-safe.
 *
 * @param directory where it is
 * @param engine the engine, which {@link #close} closes
 * @param store its store
 */
public record OpenEngine<S extends Store>(Path directory, StorageEngine engine, S store) {
  /** Opens a store in an engine, which is closed when that fails. */
  @FunctionalInterface
  public interface Opening<S> {
    /** Opens it. */
    S in(StorageEngine engine) throws StorageException;
  }

  /** Opens both; the caller closes the result. */
  @SuppressWarnings("MustBeClosedChecker") // closed with the result
  public static <S extends Store> OpenEngine<S> open(EngineOptions options, Opening<S> opening)
      throws BenchmarkException {
    try {
      StorageEngine engine = StorageEngine.open(options);
      try {
        return new OpenEngine<>(options.directory(), engine, opening.in(engine));
      } catch (StorageException | RuntimeException e) {
        engine.close();
        throw e;
      }
    } catch (StorageException e) {
      throw new BenchmarkException("open", e);
    }
  }

  /** Flushes, and waits for the merges that follow. */
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

  /** Components of all indexes, and bytes of all files. */
  public StoreFigures figures() throws BenchmarkException {
    try {
      int components = 0;
      for (PartitionStats partition : store.stats().partitions()) {
        for (IndexStats index : partition.indexes()) {
          components += index.components().size();
        }
      }
      return new StoreFigures(components, DiskBytes.below(directory));
    } catch (StorageException e) {
      throw new BenchmarkException("figures", e);
    }
  }

  /** Closes the engine. */
  public void close() throws BenchmarkException {
    try {
      engine.close();
    } catch (StorageException e) {
      throw new BenchmarkException("close", e);
    }
  }
}
