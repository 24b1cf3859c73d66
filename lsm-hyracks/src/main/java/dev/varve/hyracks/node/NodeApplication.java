package dev.varve.hyracks.node;

import dev.varve.common.error.StorageException;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.options.EngineOptions;
import dev.varve.hyracks.adapter.NodeStorage;
import org.apache.hyracks.control.nc.BaseNCApplication;
import org.jspecify.annotations.Nullable;

/**
 * The application inside a node controller: the node's storage, opened and recovered before the
 * node registers with the cluster, closed with a checkpoint when it stops. One instance per node:
 * the stock application is a singleton whose nodes overwrite each other. Confined to the thread
 * that starts and stops the node.
 */
final class NodeApplication extends BaseNCApplication {
  private final EngineOptions options;
  private final EngineSeams seams;
  private volatile @Nullable NodeStorage storage;

  NodeApplication(EngineOptions options, EngineSeams seams) {
    this.options = options;
    this.seams = seams;
  }

  /**
   * Opens and recovers the storage, unless that was done. Callers do it before they construct the
   * controller, so that a store that can't be opened leaves no half-started node behind.
   */
  @SuppressWarnings("MustBeClosedChecker") // Kept in a field and closed by close().
  NodeStorage open() throws StorageException {
    NodeStorage open = storage;
    if (open == null) {
      open = NodeStorage.open(options, seams);
      storage = open;
    }
    return open;
  }

  /** Closes the storage if it is open; idempotent. */
  void close() throws StorageException {
    NodeStorage open = storage;
    storage = null;
    if (open != null) {
      open.close();
    }
  }

  @Override
  public void start(String[] arguments) throws StorageException {
    open();
  }

  @Override
  public void stop() throws StorageException {
    close();
  }

  @Override
  public @Nullable Object getApplicationContext() {
    return storage;
  }

  /** The embedding program decides when the cluster stops, not a hook of the JVM. */
  @Override
  protected void installShutdownHook() {}
}
