package dev.varve.dataset.internal.catalog;

import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.IndexUpkeep;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.List;

/**
 * A dataset or key-value store as it stands in the catalog.
 *
 * @param datasetId its number, which names its directory and is never used again
 * @param kind what it stores
 * @param options its options; a key-value store has the placeholder {@code key} for its primary key
 * @param firstIndexId number of the first index of its first partition; the numbers of its other
 *     indexes follow, partition after partition, and are never used again
 * @param loading partitions with a bulk load that has not ended: what they hold is void
 * @param mayHoldObsolete whether secondary indexes may hold entries whose record is gone or has
 *     others by now
 */
public record DatasetDescriptor(
    int datasetId,
    Kind kind,
    DatasetOptions options,
    int firstIndexId,
    List<Integer> loading,
    boolean mayHoldObsolete) {
  /** What is stored. */
  public enum Kind {
    /** JSON records. */
    RECORDS,
    /** Raw keys and values. */
    KEY_VALUE
  }

  /** Copies the list. */
  public DatasetDescriptor {
    loading = List.copyOf(loading);
  }

  /** Indexes of one partition, the primary included. */
  public int indexesPerPartition() {
    return 1 + options.indexes().size();
  }

  /** Number of an index in the log; position 0 is the primary. */
  public int indexId(int partition, int position) {
    assert partition < options.partitions() && position < indexesPerPartition();
    return firstIndexId + partition * indexesPerPartition() + position;
  }

  /** The first number after those of its indexes. */
  public int endIndexId() {
    return firstIndexId + options.partitions() * indexesPerPartition();
  }

  /** How its secondary indexes are kept, as a new object. */
  public IndexUpkeep upkeep() {
    return new IndexUpkeep(options.maintenance(), mayHoldObsolete);
  }

  /**
   * Whether changes of records leave obsolete entries in secondary indexes.
   *
   * @param options of a dataset or key-value store
   */
  static boolean leavesObsolete(DatasetOptions options) {
    return options.maintenance() != IndexMaintenance.EAGER && !options.indexes().isEmpty();
  }

  DatasetDescriptor withMergePolicy(MergePolicyOptions policy) {
    return new DatasetDescriptor(
        datasetId, kind, options.withMergePolicy(policy), firstIndexId, loading, mayHoldObsolete);
  }

  /** Obsolete entries that are there stay there. */
  DatasetDescriptor withMaintenance(IndexMaintenance maintenance) {
    DatasetOptions changed = options.withMaintenance(maintenance);
    return new DatasetDescriptor(
        datasetId,
        kind,
        changed,
        firstIndexId,
        loading,
        mayHoldObsolete || leavesObsolete(changed));
  }

  DatasetDescriptor withLoading(List<Integer> partitions) {
    return new DatasetDescriptor(
        datasetId, kind, options, firstIndexId, partitions, mayHoldObsolete);
  }
}
