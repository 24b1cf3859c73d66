package dev.varve.hyracks.adapter;

import dev.varve.common.error.StorageException;
import java.util.Queue;
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

  private final ActiveStore index;
  private final Queue<StoreBulkLoader> running;
  private final TupleLoad loader;
  private @Nullable Throwable failure;

  private StoreBulkLoader(ActiveStore index, Queue<StoreBulkLoader> running, TupleLoad loader) {
    this.index = index;
    this.running = running;
    this.loader = loader;
  }

  /** Starts a load, which is among the running ones until it ends. */
  @SuppressWarnings("MustBeClosedChecker") // Hyracks' interface ends a load by end() or abort().
  static StoreBulkLoader start(ActiveStore index, Queue<StoreBulkLoader> running)
      throws HyracksDataException {
    try {
      StoreBulkLoader started = new StoreBulkLoader(index, running, index.get().load());
      running.add(started);
      return started;
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
      running.remove(this);
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
