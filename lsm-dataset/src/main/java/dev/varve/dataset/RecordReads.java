package dev.varve.dataset;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.bytes.Slice;
import dev.varve.common.error.StorageException;
import dev.varve.common.format.Entry;
import dev.varve.dataset.internal.partition.Partition;
import dev.varve.dataset.kind.FieldSelection;
import dev.varve.dataset.model.FilterRange;
import dev.varve.dataset.model.IndexSearch;
import dev.varve.dataset.model.Key;
import dev.varve.dataset.model.KeyCursor;
import dev.varve.dataset.model.NearestSearch;
import dev.varve.dataset.model.OrderedSearch;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.model.RecordQuery;
import dev.varve.dataset.model.ResultCursor;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Reads of a dataset's records over all of its partitions, as these see them: {@link Dataset} and
 * {@link EngineSnapshot} say what each is. Thread-safe.
 */
final class RecordReads {
  private final List<Partition> partitions;

  RecordReads(List<Partition> partitions) {
    this.partitions = partitions;
  }

  private Partition of(Slice key) {
    return partitions.get(partitions.get(0).partitionOf(key));
  }

  private static Slice encoded(Key primaryKey) {
    return Objects.requireNonNull(primaryKey, "primaryKey").toSlice();
  }

  Optional<byte[]> get(Key primaryKey) throws StorageException {
    Entry found = new Entry();
    Slice key = encoded(primaryKey);
    return of(key).get(key, found) ? Optional.of(found.value().toByteArray()) : Optional.empty();
  }

  boolean exists(Key primaryKey) throws StorageException {
    Slice key = encoded(primaryKey);
    return of(key).exists(key);
  }

  List<Optional<byte[]>> getAll(List<Key> primaryKeys) throws StorageException {
    return ManyRecords.get(partitions, ManyRecords.slices(primaryKeys, Key::toSlice));
  }

  long count(KeyRange primaryKeys, FilterRange filter) throws StorageException {
    long count = 0;
    for (Partition partition : partitions) {
      count += partition.count(primaryKeys, filter);
    }
    return count;
  }

  long countBy(String index, IndexSearch search, FilterRange filter) throws StorageException {
    long count = 0;
    for (Partition partition : partitions) {
      count += partition.countBy(index, search, filter);
    }
    return count;
  }

  @MustBeClosed
  RecordCursor scan(KeyRange primaryKeys, FilterRange filter) throws StorageException {
    return new MergedCursor(
        PartitionCursors.open(partitions, partition -> partition.scan(primaryKeys, filter)),
        primaryKeys.direction() == KeyRange.Direction.DESCENDING);
  }

  @MustBeClosed
  RecordCursor search(String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    return PartitionCursors.join(
        PartitionCursors.open(partitions, partition -> partition.search(index, search, filter)),
        search);
  }

  @MustBeClosed
  ResultCursor query(RecordQuery query) throws StorageException {
    return query(
        partitions.get(0),
        query,
        asked ->
            asked.index().isEmpty()
                ? scan(asked.range(), asked.filter())
                : search(asked.index().get(), new OrderedSearch(asked.range()), asked.filter()));
  }

  /**
   * Begins a query.
   *
   * @param any one of the dataset's partitions
   * @param opener reads whole records in its order
   */
  @MustBeClosed
  @SuppressWarnings("MustBeClosedChecker") // closed with the cursor
  static ResultCursor query(Partition any, RecordQuery query, ResultCursor.Opener opener)
      throws StorageException {
    FieldSelection fields = new FieldSelection(query.fields());
    return new ResultCursor(
        query,
        any.indexNumber(query.index()),
        query.fields().isEmpty()
            ? opener
            : asked -> new SelectedFields(opener.open(asked), fields));
  }

  @MustBeClosed
  KeyCursor searchKeys(String index, IndexSearch search, FilterRange filter)
      throws StorageException {
    return search instanceof NearestSearch || search instanceof OrderedSearch
        ? search(index, search, filter)
        : new ChainedKeys<>(
            PartitionCursors.open(
                partitions, partition -> partition.searchKeys(index, search, filter)));
  }
}
