package dev.varve.dataset.engine;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.catalog.DatasetOptions;
import dev.varve.dataset.catalog.KeyValueOptions;
import java.nio.file.Path;
import java.util.List;

/**
 * One process's storage: datasets under one directory, one log, one buffer cache, one budget for
 * flushes and merges. Opening recovers. After a failed write or force of the log every later write
 * throws the first cause until the engine is closed and opened again. Thread-safe; every call after
 * {@link #close} throws {@link IllegalStateException}.
 */
@SuppressWarnings("DoNotCallSuggester")
public final class StorageEngine implements AutoCloseable {
  private StorageEngine() {}

  /** Opens the engine in a directory with default options, creating it when absent. */
  @MustBeClosed
  public static StorageEngine open(Path directory) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /**
   * Opens the engine on the real file system, clock and threads.
   *
   * @throws dev.varve.common.error.ConflictException with {@code DIRECTORY_IN_USE}, or {@code
   *     OPTIONS_MISMATCH} when the files were written with other options
   */
  @MustBeClosed
  public static StorageEngine open(EngineOptions options) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Opens the engine over other seams. */
  @MustBeClosed
  public static StorageEngine open(EngineOptions options, EngineSeams seams)
      throws StorageException {
    throw new UnsupportedOperationException();
  }

  /**
   * Creates a dataset, durably.
   *
   * @throws dev.varve.common.error.ConflictException with {@code NAME_EXISTS}
   */
  public Dataset createDataset(DatasetOptions options) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /**
   * The dataset with the options' name; creates it when there is none. Performance options of an
   * existing dataset stay as they are in the catalog.
   *
   * @throws dev.varve.common.error.ConflictException with {@code OPTIONS_MISMATCH} when it has
   *     another primary key, other indexes or another number of partitions
   */
  public Dataset openDataset(DatasetOptions options) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /**
   * A dataset that exists.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_DATASET}
   */
  public Dataset dataset(String name) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Names of all datasets and key-value stores, sorted. */
  public List<String> names() {
    throw new UnsupportedOperationException();
  }

  /**
   * Drops a dataset or key-value store, durably, once nobody uses it any more.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_DATASET}
   */
  public void drop(String name) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /**
   * Creates a key-value store, durably.
   *
   * @throws dev.varve.common.error.ConflictException with {@code NAME_EXISTS}
   */
  public KeyValueStore createKeyValueStore(String name, KeyValueOptions options)
      throws StorageException {
    throw new UnsupportedOperationException();
  }

  /**
   * A key-value store that exists.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNKNOWN_DATASET}
   */
  public KeyValueStore keyValueStore(String name) throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** What the engine holds and has done. */
  public EngineStats stats() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Verifies every dataset, and that no file is there that belongs to none. */
  public VerifyReport verify() throws StorageException {
    throw new UnsupportedOperationException();
  }

  /** Flushes, writes a checkpoint and closes everything; idempotent. */
  @Override
  public void close() throws StorageException {}
}
