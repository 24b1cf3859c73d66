package dev.varve.hyracks.adapter;

import dev.varve.common.error.StorageException;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.dataflow.common.data.accessors.ITupleReference;
import org.apache.hyracks.storage.common.IIndexBulkLoader;
import org.apache.hyracks.storage.common.buffercache.ICachedPage;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * A bulk load that publishes everything at its end or nothing. After a failed add, end() removes
 * what was written instead of publishing it: the stock operator calls end() in any case. Confined.
 */
final class StoreBulkLoader implements IIndexBulkLoader {
  private static final Logger LOGGER = LogManager.getLogger();

  private final StoreIndex index;
  private final TupleLoad loader;
  private @Nullable Throwable failure;

  private StoreBulkLoader(StoreIndex index, TupleLoad loader) {
    this.index = index;
    this.loader = loader;
  }

  @SuppressWarnings("MustBeClosedChecker") // Hyracks' interface ends a load by end() or abort().
  static StoreBulkLoader start(StoreIndex index) throws HyracksDataException {
    try {
      return new StoreBulkLoader(index, index.store().load());
    } catch (StorageException notStarted) {
      throw StorageFailures.toHyracks(notStarted);
    }
  }

  @Override
  public void add(ITupleReference tuple) throws HyracksDataException {
    try {
      loader.add(tuple);
    } catch (HyracksDataException refused) {
      failure = refused;
      throw refused;
    } catch (StorageException refused) {
      failure = refused;
      throw StorageFailures.toHyracks(refused);
    }
  }

  @Override
  public void end() throws HyracksDataException {
    try {
      if (failure == null) {
        loader.finish();
      }
    } catch (HyracksDataException notPublished) {
      failure = notPublished;
      throw notPublished;
    } catch (StorageException notPublished) {
      failure = notPublished;
      throw StorageFailures.toHyracks(notPublished);
    } finally {
      abort();
    }
  }

  @Override
  public void abort() {
    try {
      loader.close();
    } catch (StorageException leftover) {
      LOGGER.warn("a bulk load of {} could not delete its temporary files", index, leftover);
    } finally {
      index.ended(this);
    }
  }

  @Override
  public void force() {
    // end() returns only when everything is durable.
  }

  @Override
  public void writeFailed(ICachedPage page, Throwable cause) {
    failure = cause;
  }

  @Override
  public boolean hasFailed() {
    return failure != null;
  }

  @Override
  public @Nullable Throwable getFailure() {
    return failure;
  }
}
