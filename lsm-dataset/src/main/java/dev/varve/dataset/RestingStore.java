package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.common.disk.IndexCopy;
import dev.varve.common.disk.IndexFiles;
import dev.varve.common.env.FileSystem;
import dev.varve.common.env.Quarantine;
import dev.varve.common.error.ConflictException;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.internal.catalog.Catalog;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.catalog.PartitionDescriptor;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.PlacementOptions;
import dev.varve.transaction.checkpoint.Checkpoint;
import dev.varve.transaction.checkpoint.CheckpointFile;
import dev.varve.transaction.log.LogContext;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * The files of a store that was closed in order, so that all of it is in components, for work on
 * them without an engine. It is locked as by an engine until it is closed. Confined to one thread.
 */
final class RestingStore implements AutoCloseable {
  private final FileSystem files;
  private final Path root;
  private final StoreLocks locks;
  private final StoreDirectory directory;
  private final Catalog catalog;
  private final CheckpointFile checkpoints;

  private RestingStore(EngineSeams seams, Path root, StoreLocks locks) throws StorageException {
    this.files = seams.files();
    this.root = root;
    this.locks = locks;
    StoreRoots roots = StoreRoots.find(files, root, PlacementOptions.NONE);
    for (Path each : roots.placement().all()) {
      locks.add(files, each);
    }
    this.directory = new StoreDirectory(roots);
    this.catalog = Catalog.open(files, directory.catalog());
    Quarantine quarantine = new Quarantine(files, seams.clock(), directory.all());
    this.checkpoints =
        new CheckpointFile(
            new LogContext(
                files, seams.executor(), directory.log(), catalog.storeId(), quarantine));
  }

  /** Whether no log has what no component has. */
  boolean wasClosed() throws StorageException {
    Checkpoint last = checkpoints.read();
    return last != null && last.kind() == Checkpoint.Kind.CLOSED;
  }

  private void requireClosed() throws StorageException {
    if (!wasClosed()) {
      throw new RequestException(
          RequestException.Reason.UNSUPPORTED,
          root + " was not closed in order; open it, so that it is recovered, and close it");
    }
  }

  /**
   * Locks a store that is there.
   *
   * @throws ConflictException with {@code DIRECTORY_IN_USE}
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // the locks are closed with the store
  static RestingStore open(EngineSeams seams, Path root) throws StorageException {
    StoreLocks locks = new StoreLocks();
    locks.add(seams.files(), root);
    try {
      return new RestingStore(seams, root, locks);
    } catch (StorageException | RuntimeException failure) {
      locks.close();
      throw failure;
    }
  }

  private Checkpoint checkpoint() throws StorageException {
    Checkpoint checkpoint = checkpoints.read();
    if (checkpoint == null) {
      throw new CorruptionException(checkpoints.path().toString(), -1, "the checkpoint is missing");
    }
    return checkpoint;
  }

  /** The partition with a number of each dataset that has so many; key-value stores have none. */
  private List<PartitionDescriptor> partitions(int number) throws StorageException {
    List<PartitionDescriptor> all = new ArrayList<>();
    for (DatasetDescriptor dataset : catalog.datasets()) {
      if (dataset.kind() == DatasetDescriptor.Kind.RECORDS
          && number < dataset.options().partitions()) {
        if (!dataset.building().isEmpty() || !dataset.loading().isEmpty()) {
          throw new RequestException(
              RequestException.Reason.UNSUPPORTED,
              "'%s' of %s is being loaded, or has an index that is being built; let that end"
                  .formatted(dataset.options().name(), root));
        }
        all.add(ManagedDataset.describePartitions(dataset, directory).get(number));
      }
    }
    return all;
  }

  /**
   * Copies the partition with a number of each dataset into another store, which has datasets of
   * the same names and indexes. What is in that partition there is replaced, and counts once this
   * returns; when it throws, it holds a part.
   *
   * @param here number of the partition
   * @param there its number in the other store
   * @return the copies that were made, one of each index
   * @throws CorruptionException when something here is damaged, or a dataset is missing there
   */
  List<IndexCopy> copyPartition(int here, RestingStore target, int there) throws StorageException {
    requireClosed();
    target.requireClosed();
    List<IndexCopy> copies = new ArrayList<>();
    for (PartitionDescriptor partition : partitions(here)) {
      PartitionDescriptor other = target.sameDataset(partition, there);
      for (int position = 0; position < partition.indexCount(); position++) {
        IndexCopy copy =
            new IndexCopy(
                files,
                place(partition, position),
                target.place(other, positionOf(other, partition.indexName(position))));
        copy.run();
        copies.add(copy);
      }
    }
    return copies;
  }

  /** The partition of a dataset as that of another store, which takes what may be in it. */
  private PartitionDescriptor sameDataset(PartitionDescriptor other, int number)
      throws StorageException {
    String name = other.options().name();
    for (PartitionDescriptor partition : partitions(number)) {
      if (partition.options().name().equals(name)
          && partition.options().indexes().size() == other.options().indexes().size()
          && partition.options().indexes().containsAll(other.options().indexes())) {
        if (other.dataset().mayHoldObsolete()) {
          catalog.expectObsolete(partition.dataset().datasetId());
        }
        return partition;
      }
    }
    throw new CorruptionException(
        directory.catalog().toString(),
        -1,
        "no dataset '%s' with the indexes %s"
            .formatted(
                name, other.options().indexes().stream().map(IndexDefinition::name).toList()));
  }

  private static int positionOf(PartitionDescriptor partition, String index) {
    int position = 0;
    while (!partition.indexName(position).equals(index)) {
      position++;
    }
    return position;
  }

  private IndexFiles.Place<?> place(PartitionDescriptor partition, int position) {
    return new IndexFiles.Place<>(
        partition.indexDirectory(position),
        partition.indexFormat(position),
        partition.indexId(position),
        catalog.storeId());
  }

  /**
   * Takes everything out of the partition with a number of each dataset, durably. When this throws,
   * or the process ends before it returns, it has to be called again before an engine opens the
   * store.
   */
  void emptyPartition(int number) throws StorageException {
    List<PartitionDescriptor> partitions = partitions(number);
    List<Path> indexes = new ArrayList<>();
    boolean isEmpty = true;
    for (PartitionDescriptor partition : partitions) {
      for (int position = 0; position < partition.indexCount(); position++) {
        indexes.add(partition.indexDirectory(position));
        isEmpty &= IndexCopy.isEmpty(files, partition.indexDirectory(position));
      }
    }
    if (isEmpty) {
      return;
    }
    requireClosed();
    // First, so that nobody takes for lost what is deleted.
    expectNothing(partitions);
    for (Path index : indexes) {
      IndexCopy.empty(files, index);
    }
  }

  /** Takes the newest flushes of partitions out of the checkpoint. */
  private void expectNothing(List<PartitionDescriptor> partitions) throws StorageException {
    Checkpoint before = checkpoint();
    SortedMap<Integer, Long> newest = new TreeMap<>(before.newestFlushes());
    for (PartitionDescriptor partition : partitions) {
      for (int position = 0; position < partition.indexCount(); position++) {
        newest.remove(partition.indexId(position));
      }
    }
    checkpoints.write(
        new Checkpoint(
            before.kind(),
            before.lowWaterMark(),
            before.nextTransaction(),
            before.position(),
            newest));
  }

  @Override
  public void close() {
    locks.close();
  }
}
