package dev.varve.benchmarks.index;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.benchmarks.child.BenchmarkException;
import dev.varve.benchmarks.store.OpenEngine;
import dev.varve.benchmarks.store.StoreFigures;
import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyHash;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.RecordSession;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.transaction.log.Durability;
import java.util.List;
import java.util.function.Consumer;

/**
 * A dataset of the product in an engine of its own, which is how its users reach an index. Confined
 * to one thread.
 */
public final class DatasetIndex implements IndexStore {
  private static final String ID = "id";

  /** How many writes are acknowledged together. */
  public static final int OPERATIONS_A_FORCE = 100;

  private final OpenEngine<Dataset> open;
  private final RecordSession session;
  private final KeyDecoder decoder = new KeyDecoder();
  private int unforced;

  /** What a search hands on. */
  public enum Answers {
    /** The primary keys of what it finds. */
    KEYS,
    /** The records. */
    RECORDS;

    /** Searches the only secondary index of a dataset; the caller closes the result. */
    @MustBeClosed
    KeyCursor search(Dataset dataset, IndexSearch search) throws StorageException {
      String index = dataset.options().indexes().get(0).name();
      return this == KEYS ? dataset.searchKeys(index, search) : dataset.search(index, search);
    }
  }

  /** Something that is done with the dataset. */
  @FunctionalInterface
  public interface Call<T> {
    /** Does it. */
    T on(Dataset dataset) throws StorageException;
  }

  /** Opens one in a directory that is empty; the caller closes it. */
  @SuppressWarnings("MustBeClosedChecker") // closed with the store
  public DatasetIndex(IndexSettings settings, DatasetOptions options) throws BenchmarkException {
    IndexSettings.Budget budget = settings.budget();
    EngineOptions.Builder engineOptions =
        EngineOptions.builder(settings.directory())
            .cacheBytes(budget.memory().cacheBytes())
            .activeDatasetBytes(2 * budget.memory().writeBytes())
            .durability(Durability.PROCESS_CRASH);
    if (budget.directReads()) {
      engineOptions.directReads();
    }
    open = OpenEngine.open(engineOptions.build(), engine -> engine.createDataset(options));
    session = ask(Dataset::openSession);
  }

  /** A dataset of records with one secondary index, in the default durability of Varve. */
  public static DatasetIndex of(IndexSettings settings, String index) throws BenchmarkException {
    IndexSettings.Budget budget = settings.budget();
    return new DatasetIndex(
        settings,
        DatasetOptions.of("bench", ID)
            .withIndexes(List.of(IndexDefinition.parse(index)))
            .withMemoryBytes(budget.memory().writeBytes())
            .withMergePolicy(new MergePolicyOptions(budget.mergePolicy())));
  }

  /** The options in words. */
  public static String describe(IndexSettings.Budget budget, Answers answers) {
    return ("dataset of JSON records with one secondary index, %s handed on, buffer cache %d bytes on"
            + " the heap, memory for writes %d bytes, %s, log on, %d operations a session forces"
            + " together, durability PROCESS_CRASH")
        .formatted(
            answers == Answers.KEYS ? "keys" : "records",
            budget.memory().cacheBytes(),
            budget.memory().writeBytes(),
            budget.mergePolicy(),
            OPERATIONS_A_FORCE);
  }

  /** Does something. */
  public <T> T ask(Call<T> call) throws BenchmarkException {
    try {
      return call.on(open.store());
    } catch (StorageException e) {
      throw new BenchmarkException("the dataset", e);
    }
  }

  /** Upserts a record. */
  public void upsert(byte[] json) throws BenchmarkException {
    write(dataset -> session.upsert(new Slice(json)));
  }

  /** Inserts a record unless its key is there. */
  public void insert(byte[] json) throws BenchmarkException {
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

  /** Deletes a record. */
  public void delete(long id) throws BenchmarkException {
    write(dataset -> session.delete(Key.of(id)));
  }

  private void write(Call<?> call) throws BenchmarkException {
    ask(call);
    if (++unforced >= OPERATIONS_A_FORCE) {
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

  /** Hands on hashes of the keys that a cursor finds, and closes it. */
  public void all(Call<? extends KeyCursor> opening, IdSink found) throws BenchmarkException {
    each(opening, Long.MAX_VALUE, key -> found.accept(KeyHash.hash(key)));
  }

  /** Hands on the first keys that a search finds, which are numbers. */
  @SuppressWarnings("MustBeClosedChecker") // closed by each
  public void ids(Answers answers, IndexSearch search, long most, IdSink found)
      throws BenchmarkException {
    each(
        dataset -> answers.search(dataset, search),
        most,
        key -> found.accept(decoder.reset(key).readLong()));
  }

  private void each(Call<? extends KeyCursor> opening, long most, Consumer<Slice> found)
      throws BenchmarkException {
    try (KeyCursor cursor = ask(opening)) {
      for (long i = 0; i < most && cursor.next(); i++) {
        found.accept(cursor.key());
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
