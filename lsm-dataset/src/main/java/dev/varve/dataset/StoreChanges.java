package dev.varve.dataset;

import dev.varve.common.error.ConflictException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.PartitionIndexes;
import dev.varve.dataset.options.DatasetOptions;

/**
 * Creates, empties and drops datasets of an engine. The catalog decides at each moment: a dataset
 * that it does not name is gone, whatever there is of its files. Called by the thread that has the
 * mutex.
 */
final class StoreChanges {
  private final EngineParts parts;
  private final NodeContext node;

  StoreChanges(EngineParts parts) {
    this.parts = parts;
    this.node = parts.node();
  }

  /** Creates a dataset, durably. */
  ManagedDataset create(DatasetDescriptor.Kind kind, DatasetOptions options)
      throws StorageException {
    return managed(node.catalog().add(kind, options, this::createDirectories));
  }

  /**
   * Takes everything out of a dataset at once, durably: another dataset, which is empty, has its
   * name and options from then on. The caller {@linkplain #delete deletes} the one from before.
   *
   * @return the empty one
   * @throws ConflictException with {@code STALLED} when somebody goes on using it
   */
  ManagedDataset empty(ManagedDataset dataset) throws StorageException {
    DatasetDescriptor before = dataset.descriptor();
    end(
        dataset,
        () -> {
          node.catalog().renew(before.datasetId(), this::createDirectories);
          // Nobody reads the empty one yet, so that none of the snapshots finds it empty.
          node.snapshots().giveUpAll("'" + before.options().name() + "' was emptied meanwhile");
        });
    return managed(node.catalog().find(before.options().name()).orElseThrow());
  }

  /**
   * Drops a dataset, durably. The caller {@linkplain #delete deletes} it.
   *
   * @throws ConflictException with {@code STALLED} when somebody goes on using it
   */
  void drop(ManagedDataset dataset) throws StorageException {
    end(dataset, () -> node.catalog().remove(dataset.descriptor().datasetId()));
  }

  /** Deletes the files of a dataset that the catalog does not name; an opening does it, too. */
  void delete(ManagedDataset dataset) throws StorageException {
    parts.files().directory().deleteDataset(dataset.descriptor().datasetId());
  }

  private ManagedDataset managed(DatasetDescriptor descriptor) {
    ManagedDataset created =
        new ManagedDataset(descriptor, parts.files().directory(), node, parts.active());
    parts.active().know(created);
    return created;
  }

  private void createDirectories(DatasetDescriptor described) throws StorageException {
    for (PartitionDescriptor partition :
        ManagedDataset.describePartitions(described, parts.files().directory())) {
      PartitionIndexes.createDirectories(partition, parts.seams().files());
    }
  }

  /**
   * Keeps everybody out of a dataset, changes the catalog, and closes what is open.
   *
   * @param change after which the catalog does not name the dataset any more
   */
  private void end(ManagedDataset dataset, ActiveDatasets.Change change) throws StorageException {
    dataset.setDropped(true);
    boolean out = false;
    boolean removed = false;
    dataset.indexes().giveUp();
    try {
      out = dataset.keepOut(node.lockTimeoutNanos());
      if (!out) {
        throw ConflictException.afterWait(
            ConflictException.Reason.STALLED,
            "'"
                + dataset.descriptor().options().name()
                + "' is in use and can be neither dropped nor emptied");
      }
      if (dataset.open()) {
        dataset.flush();
      }
      change.make();
      removed = true;
    } finally {
      if (!removed) {
        dataset.setDropped(false);
        if (out && dataset.open()) {
          dataset.letIn();
        }
      }
    }
    dataset.closeIndexes();
    parts.active().remove(dataset);
    parts.active().forget(dataset);
  }
}
