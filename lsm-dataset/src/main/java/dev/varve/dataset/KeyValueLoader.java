package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.partition.BulkLoader;

/**
 * Loads an empty key-value store from pairs in ascending order of their keys, past log and memory
 * components. All or nothing: before {@link #finish} returned, or after a crash before it did, the
 * store is empty. Writers of the store wait while a loader is open; readers see nothing of the load
 * until its end. An engine that is closed waits for a loader, and then ends it without its pairs:
 * every later call but {@link #close} throws a {@link ConflictException} with {@code ABORTED}.
 * Confined to one thread.
 */
public final class KeyValueLoader implements AutoCloseable {
  private final BulkLoader loader;

  KeyValueLoader(BulkLoader loader) {
    this.loader = loader;
  }

  /**
   * Adds a pair.
   *
   * @throws dev.varve.common.error.RequestException with {@code UNSORTED_INPUT}; the load cannot go
   *     on and is to be closed
   */
  public void add(Slice key, Slice value) throws StorageException {
    loader.addPair(key, value);
  }

  /** Adds a pair; see {@link #add(Slice, Slice)}. */
  public void add(byte[] key, byte[] value) throws StorageException {
    add(new Slice(key), new Slice(value));
  }

  /** Publishes everything durably and returns the number of pairs. */
  public long finish() throws StorageException {
    return loader.finish();
  }

  /**
   * Without {@link #finish}: removes what was written. What cannot be removed now is deleted when
   * the engine is opened again, and until then the store refuses every call. Idempotent.
   */
  @Override
  public void close() {
    loader.close();
  }
}
