package dev.varve.hyracks.adapter;

import dev.varve.common.error.StorageException;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.apache.hyracks.api.dataflow.value.IBinaryComparatorFactory;
import org.apache.hyracks.api.exceptions.ErrorCode;
import org.apache.hyracks.api.exceptions.HyracksDataException;
import org.apache.hyracks.api.util.IoUtil;
import org.apache.hyracks.storage.am.common.api.IPageManager;
import org.apache.hyracks.storage.am.common.api.ITreeIndex;
import org.apache.hyracks.storage.am.common.api.ITreeIndexFrameFactory;
import org.apache.hyracks.storage.common.IIndexAccessParameters;
import org.apache.hyracks.storage.common.IIndexAccessor;
import org.apache.hyracks.storage.common.IIndexBulkLoader;
import org.apache.hyracks.storage.common.LocalResource;
import org.apache.hyracks.storage.common.buffercache.IBufferCache;
import org.apache.hyracks.storage.common.buffercache.IPageWriteCallback;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * An LSM index of the node's engine, of any shape, as Hyracks knows an index: created, activated,
 * used, deactivated, destroyed. It is an {@link ITreeIndex} because the stock search operator casts
 * to that; of the tree's inside it shows nothing. Thread-safe.
 */
final class StoreIndex implements ITreeIndex {
  private static final Logger LOGGER = LogManager.getLogger();

  private final EngineStores stores;
  private final IndexResources resources;
  private final StoreResource resource;
  private final Queue<StoreBulkLoader> loaders = new ConcurrentLinkedQueue<>();
  private final ActiveStore active;

  StoreIndex(EngineStores stores, IndexResources resources, StoreResource resource) {
    this.stores = stores;
    this.resources = resources;
    this.resource = resource;
    this.active = new ActiveStore(EngineStores.name(resource.getPath()), resource.tuples());
  }

  boolean exists() throws StorageException {
    return stores.number(resource.getPath()) != 0;
  }

  @Override
  public void create() throws HyracksDataException {
    if (active.isThere()) {
      throw HyracksDataException.create(ErrorCode.CANNOT_CREATE_ACTIVE_INDEX);
    }
    try {
      if (exists()) {
        if (!resources.isSuperfluous(resource.getPath())) {
          throw HyracksDataException.create(ErrorCode.CANNOT_CREATE_EXISTING_INDEX);
        }
        stores.drop(resource.getPath());
      }
      resources.announce(resource);
      stores.create(resource.getPath(), resource.tuples().shape());
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
  }

  @Override
  public void activate() throws HyracksDataException {
    if (active.isThere()) {
      throw HyracksDataException.create(ErrorCode.CANNOT_ACTIVATE_ACTIVE_INDEX);
    }
    try {
      active.set(stores.open(resource.getPath(), resource.tuples()));
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
  }

  @Override
  public void clear() throws HyracksDataException {
    if (!active.isThere()) {
      throw HyracksDataException.create(ErrorCode.CANNOT_CLEAR_INACTIVE_INDEX);
    }
    abortLoaders();
    LocalResource listed = resources.get(resource.getPath());
    try {
      drop();
      resources.announce(resource);
      stores.create(resource.getPath(), resource.tuples().shape());
      active.set(stores.open(resource.getPath(), resource.tuples()));
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
    if (listed != null) {
      resources.insert(listed);
    }
  }

  @Override
  public void deactivate() throws HyracksDataException {
    if (!active.isThere()) {
      throw HyracksDataException.create(ErrorCode.CANNOT_DEACTIVATE_INACTIVE_INDEX);
    }
    abortLoaders();
    active.clear();
  }

  @Override
  public void purge() throws HyracksDataException {
    // There is no cache of this index alone; its pages leave the node's cache by themselves.
    if (active.isThere()) {
      throw HyracksDataException.create(ErrorCode.CANNOT_PURGE_ACTIVE_INDEX);
    }
  }

  @Override
  public void destroy() throws HyracksDataException {
    if (active.isThere()) {
      throw HyracksDataException.create(ErrorCode.CANNOT_DESTROY_ACTIVE_INDEX);
    }
    try {
      if (exists()) {
        drop();
      } else {
        LOGGER.warn("{} {}", IoUtil.FILE_NOT_FOUND_MSG, name());
      }
      resources.forget(resource.getPath());
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
  }

  /** Drops the store; the list says so first, where Hyracks did not have it say so. */
  private void drop() throws StorageException, HyracksDataException {
    if (resources.get(resource.getPath()) != null) {
      resources.delete(resource.getPath());
    }
    stores.drop(resource.getPath());
  }

  @Override
  public void validate() throws HyracksDataException {
    try {
      List<String> problems = active.get().store().verify().problems();
      if (!problems.isEmpty()) {
        throw StorageFailures.refused(name() + ": " + String.join("; ", problems));
      }
    } catch (StorageException failure) {
      throw StorageFailures.toHyracks(failure);
    }
  }

  @Override
  public IIndexAccessor createAccessor(IIndexAccessParameters parameters) {
    return new StoreAccessor(active, parameters);
  }

  /**
   * Starts a bulk load. Fill factor, hint and callback mean nothing here, and the input's order and
   * the index's emptiness are always checked, because a wrong answer to either loses data.
   */
  @Override
  public IIndexBulkLoader createBulkLoader(
      float fillFactor,
      boolean verifyInput,
      long numElementsHint,
      boolean checkIfEmptyIndex,
      IPageWriteCallback callback)
      throws HyracksDataException {
    return StoreBulkLoader.start(active, loaders);
  }

  private void abortLoaders() {
    for (StoreBulkLoader loader : loaders) {
      loader.abort();
    }
  }

  private String name() {
    return EngineStores.name(resource.getPath());
  }

  @Override
  public int getFieldCount() {
    return resource.tuples().fieldCount();
  }

  @Override
  public IBinaryComparatorFactory[] getComparatorFactories() {
    return resource.tuples().keyFields().stream()
        .map(KeyField::comparator)
        .toArray(IBinaryComparatorFactory[]::new);
  }

  @Override
  public int getNumOfFilterFields() {
    return 0;
  }

  @Override
  public @Nullable IBufferCache getBufferCache() {
    return null;
  }

  @Override
  public ITreeIndexFrameFactory getLeafFrameFactory() {
    throw notShown();
  }

  @Override
  public ITreeIndexFrameFactory getInteriorFrameFactory() {
    throw notShown();
  }

  @Override
  public IPageManager getPageManager() {
    throw notShown();
  }

  @Override
  public int getRootPageId() {
    throw notShown();
  }

  @Override
  public int getFileId() {
    throw notShown();
  }

  private static UnsupportedOperationException notShown() {
    return new UnsupportedOperationException("an index of Varve shows no pages or frames");
  }

  @Override
  public String toString() {
    return active.toString();
  }
}
