package dev.varve.dataset;

import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.PartitionLifecycle;
import dev.varve.dataset.kind.PrimaryKeyKind;
import dev.varve.dataset.options.IndexDefinition;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.Logger;
import org.jspecify.annotations.Nullable;

/**
 * Adds secondary indexes to a dataset that is in use, and drops them. Thread-safe.
 *
 * <p>Implementation note. The catalog decides at each moment. It says that an index is being built
 * before the first writer maintains it, and that it answers once it was built in all partitions; it
 * does not name a dropped one any more before the first writer leaves that out. What a crash leaves
 * of an index that is not named among those that answer is void: it is built anew, or deleted.
 */
final class DatasetIndexes {
  private static final Logger LOGGER = LogManager.getLogger(DatasetIndexes.class);

  private final ManagedDataset dataset;
  private final ActiveDatasets active;
  private final NodeContext node;

  /** By name, those that are being built. */
  private final Map<String, IndexConstruction> running = new ConcurrentHashMap<>();

  DatasetIndexes(ManagedDataset dataset, ActiveDatasets active) {
    this.dataset = dataset;
    this.active = active;
    this.node = dataset.node();
  }

  /** See {@link Dataset#addIndex}. */
  void add(IndexDefinition index) throws StorageException {
    await(begin(index));
  }

  /** Begins to build an index, which is to be {@linkplain #await awaited}. */
  IndexConstruction begin(IndexDefinition index) throws StorageException {
    node.health().requireWritable();
    requireChangeable(index);
    active.inTurn(
        () -> {
          node.catalog().beginIndex(number(), index, this::createDirectories);
          dataset.refreshDescriptor();
        });
    IndexConstruction construction = construction(index.name());
    try {
      construction.begin();
      return construction;
    } catch (StorageException | RuntimeException | Error failure) {
      construction.awaitEnd();
      removeAfter(index.name(), failure);
      throw failure;
    }
  }

  /** Waits until an index answers; one that was not built is removed. */
  void await(IndexConstruction construction) throws StorageException {
    try {
      construction.await();
    } catch (StorageException | RuntimeException | Error failure) {
      removeAfter(construction.name(), failure);
      throw failure;
    }
  }

  private void removeAfter(String name, Throwable failure) {
    try {
      remove(name);
    } catch (RequestException gone) {
      // Somebody has dropped it meanwhile, or the whole dataset.
    } catch (StorageException | RuntimeException second) {
      failure.addSuppressed(second);
    }
  }

  /** Entries of other indexes are stamped for an index of primary keys, or are not. */
  private void requireChangeable(IndexDefinition index) throws RequestException {
    if (index.kind() instanceof PrimaryKeyKind) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          "index '"
              + index.name()
              + "' of '"
              + dataset.descriptor().options().name()
              + "' is of primary keys: it is made with its dataset, and stays");
    }
  }

  private int number() {
    return dataset.descriptor().datasetId();
  }

  private void createDirectories(DatasetDescriptor described) throws StorageException {
    for (PartitionLifecycle lifecycle : dataset.lifecycles()) {
      lifecycle.changes().createDirectories(described);
    }
  }

  private IndexConstruction construction(String name) throws StorageException {
    DatasetDescriptor.Building building =
        dataset.descriptor().building().stream()
            .filter(each -> each.index().name().equals(name))
            .findFirst()
            .orElseThrow(() -> dataset.descriptor().unknownIndex(name));
    IndexConstruction construction =
        new IndexConstruction(
            dataset.lifecycles(),
            building,
            new IndexConstruction.Owner(this::built, this::ended),
            node.indexes().executor().newSignal());
    running.put(name, construction);
    return construction;
  }

  /** Builds, in the background, what was being built when the engine ended. */
  void resume() {
    for (DatasetDescriptor.Building building : dataset.descriptor().building()) {
      try {
        createDirectories(dataset.descriptor().plus(building));
        construction(building.index().name()).begin();
      } catch (StorageException e) {
        warn(building.index().name(), e);
      }
    }
  }

  private void built(String index) throws StorageException {
    node.catalog().endIndex(number(), index);
    dataset.refreshDescriptor();
    dataset.lifecycles().forEach(lifecycle -> lifecycle.changes().answer(index));
  }

  private void ended(String index, @Nullable Throwable failure) {
    running.remove(index);
    if (failure != null) {
      warn(index, failure);
    }
  }

  private static void warn(String index, Throwable cause) {
    LOGGER.warn(
        "index '{}' was not built; it is tried again when the engine is opened, or drop it",
        index,
        cause);
  }

  /** See {@link Dataset#dropIndex}. */
  void drop(String name) throws StorageException {
    node.health().requireWritable();
    for (IndexDefinition index : dataset.descriptor().options().indexes()) {
      if (index.name().equals(name)) {
        requireChangeable(index);
      }
    }
    IndexConstruction building = running.get(name);
    if (building != null) {
      building.giveUp();
      building.awaitEnd();
    }
    remove(name);
  }

  private void remove(String name) throws StorageException {
    active.inTurn(
        () -> {
          node.catalog().removeIndex(number(), name);
          dataset.refreshDescriptor();
        });
    for (PartitionLifecycle lifecycle : dataset.lifecycles()) {
      lifecycle.changes().silence(name);
    }
    for (PartitionLifecycle lifecycle : dataset.lifecycles()) {
      try {
        lifecycle.changes().remove(name);
      } catch (StorageException e) {
        LOGGER.warn("index '{}' is dropped, but kept up until the engine is closed", name, e);
      }
    }
  }

  /** Ends all that is being built, without the indexes. */
  void giveUp() {
    running.values().forEach(IndexConstruction::giveUp);
  }
}
