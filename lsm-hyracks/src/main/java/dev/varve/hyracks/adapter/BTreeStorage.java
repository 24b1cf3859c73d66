package dev.varve.hyracks.adapter;

import org.apache.hyracks.api.application.INCServiceContext;
import org.apache.hyracks.storage.common.IIndex;
import org.apache.hyracks.storage.common.ILocalResourceRepository;
import org.apache.hyracks.storage.common.IResourceLifecycleManager;
import org.apache.hyracks.storage.common.IStorageManager;
import org.apache.hyracks.storage.common.buffercache.IBufferCache;
import org.apache.hyracks.storage.common.file.IResourceIdFactory;

/**
 * What stock operators ask for a node's storage. Has no state, because it travels inside every job:
 * the node's storage is looked up where the job runs. Immutable.
 */
public final class BTreeStorage implements IStorageManager {
  private static final long serialVersionUID = 1L;

  /** The storage of whichever node an operator runs on. */
  public BTreeStorage() {}

  @Override
  public IBufferCache getBufferCache(INCServiceContext context) {
    throw new UnsupportedOperationException("the engine's pages are not Hyracks' pages");
  }

  @Override
  public ILocalResourceRepository getLocalResourceRepository(INCServiceContext context) {
    return NodeStorage.of(context).resources();
  }

  @Override
  public IResourceIdFactory getResourceIdFactory(INCServiceContext context) {
    return NodeStorage.of(context).resources();
  }

  @Override
  public IResourceLifecycleManager<IIndex> getLifecycleManager(INCServiceContext context) {
    return NodeStorage.of(context).registry();
  }
}
