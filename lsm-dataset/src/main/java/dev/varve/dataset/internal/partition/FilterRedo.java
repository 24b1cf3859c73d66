package dev.varve.dataset.internal.partition;

import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.component.RangeFilter;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.common.index.LsmIndex;
import dev.varve.common.index.Origin;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.transaction.log.LogOperation;
import dev.varve.transaction.log.LogRecord;
import org.jspecify.annotations.Nullable;

/**
 * Finds out, for an operation that is redone, by which values its component is to be filtered: the
 * log does not say. Confined to one thread.
 *
 * <p>Implementation note. In the primary index it is what the index has for the key before the
 * redo, which the component will hide, and the new record. An entry of a secondary index is redone
 * behind its record, which the primary has by then, as the same transaction left it or a later one.
 * If a later one gave it another value, that one has put the entry again, and is redone, too.
 */
public final class FilterRedo {
  private final PartitionIndexes indexes;
  private final RecordEntries record;
  private final Entry found = new Entry();

  private FilterRedo(PartitionIndexes indexes, RecordEntries record) {
    this.indexes = indexes;
    this.record = record;
  }

  /** For a partition whose indexes are open; null where nothing is filtered. */
  public static @Nullable FilterRedo in(PartitionLifecycle lifecycle) {
    PartitionIndexes open = lifecycle.openIndexes();
    RecordSchema schema = open == null ? null : open.schema;
    return open == null || schema == null || schema.filterField() == null
        ? null
        : new FilterRedo(open, open.storedEntries());
  }

  /**
   * The values of the records that an operation is about.
   *
   * @param position which index of the partition it changes
   * @param operation what is redone next
   */
  public RangeFilter of(int position, LogRecord operation) throws StorageException {
    if (position > 0) {
      SecondaryIndex<?> secondary = indexes.secondary(position - 1);
      return withStored(secondary.newEntryKeys().primaryKey(operation.key()), RangeFilter.EMPTY);
    }
    RangeFilter values = withStored(operation.key(), RangeFilter.EMPTY);
    if (operation.operation() == LogOperation.DELETE) {
      return values;
    }
    found.key().copyOf(operation.key());
    found.value().copyOf(operation.value());
    return withFound(values);
  }

  private RangeFilter withStored(Slice primaryKey, RangeFilter values) throws StorageException {
    boolean there =
        indexes.primary().find(primaryKey, found) != Origin.NOWHERE && !found.antimatter();
    return there ? withFound(values) : values;
  }

  private RangeFilter withFound(RangeFilter values) throws StorageException {
    LsmIndex<KeyRange> primary = indexes.primary();
    record.readStored(found, primary);
    return record.addFilterValue(values);
  }
}
