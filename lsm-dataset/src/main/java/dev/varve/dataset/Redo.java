package dev.varve.dataset;

import dev.varve.common.bytes.Slice;
import dev.varve.common.error.CorruptionException;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.MemoryComponent;
import dev.varve.dataset.internal.catalog.Catalog;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.internal.partition.FilterRedo;
import dev.varve.dataset.internal.partition.NodeContext;
import dev.varve.dataset.internal.partition.PartitionIndexes;
import dev.varve.dataset.internal.partition.PartitionLifecycle;
import dev.varve.dataset.internal.partition.RangeDeleter;
import dev.varve.scheduler.admission.MemoryPool;
import dev.varve.transaction.log.LogOperation;
import dev.varve.transaction.log.LogRecord;
import dev.varve.transaction.recovery.RedoTarget;
import java.util.HashMap;
import java.util.Map;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * Replays committed operations into the memory components of the indexes that lack them. Datasets
 * are opened as the log names them, and flushed when their memory is full or the cap of all is
 * reached, so that recovery needs no more memory than writing did. Used once, by one thread.
 */
final class Redo implements RedoTarget {
  /** More than is redone between two looks at the memory that is used. */
  private static final long LOOK_NOW = Long.MAX_VALUE / 2;

  private final Catalog catalog;
  private final MemoryPool pool;
  private final ActiveDatasets active;
  private final Map<Integer, Place> places = new HashMap<>();
  private final Entry entry = new Entry();

  /** The index of the record before, which nearly always is that of the next; -1 for none. */
  private int lastIndex = -1;

  private @Nullable Opened last;
  private long bytesSinceLook;

  /** Where an index that answers is. One that is being built is void, and gets other numbers. */
  private record Place(ManagedDataset dataset, int partition, int position) {}

  /** An index that is open, with its index LSN and the dataset that it belongs to. */
  private record Opened(
      ManagedDataset dataset,
      LsmIndex<?> index,
      int position,
      long indexLsn,
      @Nullable FilterRedo filters) {}

  Redo(NodeContext node, Iterable<ManagedDataset> datasets, ActiveDatasets active) {
    this.catalog = node.catalog();
    this.pool = node.admission().pool();
    this.active = active;
    for (ManagedDataset dataset : datasets) {
      DatasetDescriptor descriptor = dataset.descriptor();
      for (int partition = 0; partition < descriptor.options().partitions(); partition++) {
        for (int position = 0; position < descriptor.indexesPerPartition(); position++) {
          places.put(
              descriptor.indexId(partition, position), new Place(dataset, partition, position));
        }
      }
    }
  }

  @Override
  public long indexLsn(int index) throws StorageException {
    Opened opened = opened(index);
    return opened == null ? DROPPED : opened.indexLsn();
  }

  @Override
  public void redo(LogRecord update) throws StorageException {
    Opened opened = opened(update.index());
    if (opened == null) {
      throw new IllegalStateException("redo into index " + update.index() + ", which was dropped");
    }
    if (update.operation() == LogOperation.DELETE_RANGES) {
      RangeDeleter.redo(opened.index(), update);
      return;
    }
    MemoryComponent<?> component = opened.index().tryEnter();
    if (component == null) {
      throw new IllegalStateException("no memory component during redo");
    }
    Slice key = update.key();
    Slice value = update.value();
    entry.key().set(key.bytes(), key.offset(), key.length());
    entry.value().set(value.bytes(), value.offset(), value.length());
    entry.antimatter(update.operation() == LogOperation.DELETE);
    try {
      FilterRedo filters = opened.filters();
      if (update.operation() == LogOperation.MERGE) {
        component.merge(entry, update.lsn());
      } else if (filters == null) {
        component.gather(entry, update.lsn());
      } else {
        component.cover(filters.of(opened.position(), update));
        component.put(entry, update.lsn());
      }
    } finally {
      component.exit();
    }
    bytesSinceLook += update.length();
    if (bytesSinceLook >= opened.dataset().admission().lookEveryBytes()) {
      bytesSinceLook = 0;
      flushIfFull(opened.dataset());
    }
  }

  private void flushIfFull(ManagedDataset dataset) throws StorageException {
    if (pool.shared()) {
      flushLargest(dataset);
    } else if (dataset.writeBuffer().memoryBytes() > dataset.memoryBudget()) {
      flush(dataset);
    }
  }

  /** Of the datasets that share their memory, the one that holds most of it when it is full. */
  private void flushLargest(ManagedDataset written) throws StorageException {
    OptionalInt largest = pool.fullest(written.writeBuffer());
    while (largest.isPresent()) {
      ManagedDataset dataset = active.get(largest.getAsInt());
      flush(dataset);
      largest = pool.fullest(dataset.writeBuffer());
    }
  }

  private void flush(ManagedDataset dataset) throws StorageException {
    dataset.flush();
    last = null;
    lastIndex = -1;
  }

  /** An index, opened if need be; null for one that was dropped. */
  private @Nullable Opened opened(int index) throws StorageException {
    if (index == lastIndex) {
      return last;
    }
    if (index < 0 || index >= catalog.nextIndexId()) {
      throw new CorruptionException(
          Catalog.FILE_NAME, -1, "the log names index " + index + ", which never was");
    }
    Place place = places.get(index);
    Opened found = null;
    if (place != null) {
      // Opening may close another dataset: what was remembered of it is forgotten here.
      found = open(place);
    }
    last = found;
    lastIndex = index;
    if (!pool.shared()) {
      // Each dataset is looked at by a record of its own.
      bytesSinceLook = LOOK_NOW;
    }
    return found;
  }

  private Opened open(Place place) throws StorageException {
    ManagedDataset dataset = place.dataset();
    if (!dataset.open()) {
      active.activateForRedo(dataset);
    }
    PartitionLifecycle lifecycle = dataset.lifecycles().get(place.partition());
    PartitionIndexes indexes = lifecycle.openIndexes();
    if (indexes == null) {
      throw new IllegalStateException("a partition of an open dataset is not open");
    }
    LsmIndex<?> open = indexes.all().get(place.position());
    return new Opened(
        dataset, open, place.position(), open.state().indexLsn(), FilterRedo.in(lifecycle));
  }
}
