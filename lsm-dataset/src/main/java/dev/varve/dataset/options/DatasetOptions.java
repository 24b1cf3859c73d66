package dev.varve.dataset.options;

import dev.varve.common.filter.BloomShape;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.kind.PrimaryKeyKind;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.dataset.model.FieldPath;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Options of a dataset.
 *
 * @param name name in the engine, 1 to 255 UTF-8 bytes; behaviour
 * @param primaryKey fields of the primary key, in order; shapes files
 * @param indexes the secondary indexes; shapes files
 * @param partitions how many partitions the engine holds of the dataset; shapes files
 * @param memoryBytes memory for all memory components of all its indexes; more makes fewer, larger
 *     flushes, and recovery longer; performance
 * @param mergePolicy which components merge; performance
 * @param filterFalsePositiveRate target rate of the Bloom filters of merged components, from 0.0001
 *     to below 0.5, 0 for none; performance
 * @param maintenance how secondary indexes follow the changes of records; behaviour
 * @param filterField field of which each component keeps the smallest and the largest value, so
 *     that reads of a range of it leave out components that have nothing for them; for one that
 *     grows with time; an upsert that changes it changes all secondary indexes; shapes files
 * @param timeToLive how long records can be read after the time that a field of theirs says, or
 *     after they were written last; behaviour, and the latter shapes files
 * @param largeValueBytes that of {@link KeyValueOptions}; 0 for a dataset of records
 */
public record DatasetOptions(
    String name,
    List<FieldPath> primaryKey,
    List<IndexDefinition> indexes,
    int partitions,
    long memoryBytes,
    MergePolicyOptions mergePolicy,
    double filterFalsePositiveRate,
    IndexMaintenance maintenance,
    Optional<FieldPath> filterField,
    Optional<TimeToLive> timeToLive,
    int largeValueBytes) {
  /** Longest name of a dataset or index, in UTF-8 bytes. */
  public static final int MAX_NAME_BYTES = 255;

  /** Most partitions of a dataset in one engine. */
  public static final int MAX_PARTITIONS = 256;

  /** Memory of a dataset unless another number is given. */
  public static final long DEFAULT_MEMORY_BYTES = 64L << 20;

  /** Most secondary indexes of a dataset. */
  public static final int MAX_INDEXES = 64;

  /** Most fields of a key. */
  public static final int MAX_KEY_PATHS = 16;

  /** Least memory of a dataset. */
  public static final long MIN_MEMORY_BYTES = 64 << 10;

  /** Copies the lists and reports all problems at once. */
  public DatasetOptions {
    primaryKey = List.copyOf(primaryKey);
    indexes = List.copyOf(indexes);
    List<String> problems = new ArrayList<>();
    checkName(problems, "dataset name", name);
    checkPaths(problems, "primary key", primaryKey);
    if (indexes.size() > MAX_INDEXES) {
      problems.add(indexes.size() + " indexes, at most " + MAX_INDEXES);
    }
    Set<String> names = new HashSet<>();
    for (IndexDefinition index : indexes) {
      checkName(problems, "index name", index.name());
      checkPaths(problems, "index '" + index.name() + "'", index.paths());
      if (index.paths().size() > 1 && !index.kind().takesSeveralFields()) {
        problems.add(
            "index '" + index.name() + "' has several fields; " + index.text() + " takes one");
      }
      if (index.kind() instanceof PrimaryKeyKind && !index.paths().equals(primaryKey)) {
        problems.add("index '" + index.name() + "' is not over the fields of the primary key");
      }
      if (!names.add(index.name())) {
        problems.add("two indexes are named '" + index.name() + "'");
      }
    }
    if (keyIndexes(indexes) > 1) {
      problems.add("two indexes of primary keys, at most 1");
    }
    if (maintenance.needsPrimaryKeyIndex() && keyIndexes(indexes) == 0) {
      problems.add(
          "maintenance '"
              + maintenance
              + "' needs an index of primary keys: add withPrimaryKeyIndex, or an"
              + " index 'primary-key:' and the field");
    }
    if (partitions < 1 || partitions > MAX_PARTITIONS) {
      problems.add("partitions " + partitions + " is not between 1 and " + MAX_PARTITIONS);
    }
    if (memoryBytes < MIN_MEMORY_BYTES) {
      problems.add("memoryBytes " + memoryBytes + " is below " + MIN_MEMORY_BYTES);
    }
    if (!BloomShape.accepts(filterFalsePositiveRate)) {
      problems.add(
          "filterFalsePositiveRate "
              + filterFalsePositiveRate
              + " is neither 0 nor in [0.0001, 0.5)");
    }
    if (!problems.isEmpty()) {
      throw new IllegalArgumentException(String.join("; ", problems));
    }
  }

  /** A dataset with one field as its primary key, no secondary index and the defaults. */
  public static DatasetOptions of(String name, String primaryKeyPath) {
    return new DatasetOptions(
        name,
        List.of(FieldPath.parse(primaryKeyPath)),
        List.of(),
        1,
        DEFAULT_MEMORY_BYTES,
        MergePolicyOptions.DEFAULT,
        0.01,
        IndexMaintenance.EAGER,
        Optional.empty(),
        Optional.empty(),
        0);
  }

  /** What is read of each record. */
  public RecordSchema schema() {
    return new RecordSchema(
        primaryKey,
        indexes.stream()
            .map(
                index ->
                    new RecordSchema.Secondary(
                        index.kind().reading(), index.paths(), index.kind()::newEntryMaker))
            .toList(),
        filterField.orElse(null));
  }

  /**
   * Whether one of the indexes is over the primary keys themselves; uniqueness, existence and
   * counts are asked of it then, and not of the records.
   */
  public boolean hasPrimaryKeyIndex() {
    return keyIndexes(indexes) > 0;
  }

  private static int keyIndexes(List<IndexDefinition> indexes) {
    int count = 0;
    for (IndexDefinition index : indexes) {
      count += index.kind() instanceof PrimaryKeyKind ? 1 : 0;
    }
    return count;
  }

  /** The same with an index of primary keys, behind the other indexes. */
  public DatasetOptions withPrimaryKeyIndex() {
    return with(Draft::addPrimaryKeyIndex);
  }

  /** The same with another primary key. */
  public DatasetOptions withPrimaryKey(List<FieldPath> newPrimaryKey) {
    return with(draft -> draft.primaryKey = newPrimaryKey);
  }

  /** The same with other secondary indexes. */
  public DatasetOptions withIndexes(List<IndexDefinition> newIndexes) {
    return with(draft -> draft.indexes = newIndexes);
  }

  /** The same with another number of partitions. */
  public DatasetOptions withPartitions(int newPartitions) {
    return with(draft -> draft.partitions = newPartitions);
  }

  /** The same with another memory budget. */
  public DatasetOptions withMemoryBytes(long newMemoryBytes) {
    return with(draft -> draft.memoryBytes = newMemoryBytes);
  }

  /** The same with another merge policy. */
  public DatasetOptions withMergePolicy(MergePolicyOptions newMergePolicy) {
    return with(draft -> draft.mergePolicy = newMergePolicy);
  }

  /** The same with another rate of false positives in Bloom filters. */
  public DatasetOptions withFilterFalsePositiveRate(double newRate) {
    return with(draft -> draft.filterFalsePositiveRate = newRate);
  }

  /**
   * The same with another maintenance of secondary indexes. One that needs an index of primary keys
   * has it beside those that are given, here and in what is made of the result.
   */
  public DatasetOptions withMaintenance(IndexMaintenance newMaintenance) {
    return with(draft -> draft.maintenance = newMaintenance);
  }

  /** The same with another field that components are filtered by. */
  public DatasetOptions withFilterField(Optional<FieldPath> newFilterField) {
    return with(draft -> draft.filterField = newFilterField);
  }

  /** The same with another life of records. */
  public DatasetOptions withTimeToLive(Optional<TimeToLive> newTimeToLive) {
    return with(draft -> draft.timeToLive = newTimeToLive);
  }

  /** The same with other values kept apart from their keys. */
  public DatasetOptions withLargeValueBytes(int newLargeValueBytes) {
    return with(draft -> draft.largeValueBytes = newLargeValueBytes);
  }

  private DatasetOptions with(Consumer<Draft> change) {
    Draft draft = new Draft(this);
    change.accept(draft);
    return draft.options();
  }

  /** Options that are being changed: the one place that names all of them to copy them. */
  private static final class Draft {
    private final String name;
    private List<FieldPath> primaryKey;
    private List<IndexDefinition> indexes;
    private int partitions;
    private long memoryBytes;
    private MergePolicyOptions mergePolicy;
    private double filterFalsePositiveRate;
    private IndexMaintenance maintenance;
    private Optional<FieldPath> filterField;
    private Optional<TimeToLive> timeToLive;
    private int largeValueBytes;

    Draft(DatasetOptions from) {
      this.name = from.name;
      this.primaryKey = from.primaryKey;
      this.indexes = from.indexes;
      this.partitions = from.partitions;
      this.memoryBytes = from.memoryBytes;
      this.mergePolicy = from.mergePolicy;
      this.filterFalsePositiveRate = from.filterFalsePositiveRate;
      this.maintenance = from.maintenance;
      this.filterField = from.filterField;
      this.timeToLive = from.timeToLive;
      this.largeValueBytes = from.largeValueBytes;
    }

    void addPrimaryKeyIndex() {
      IndexKind<?> kind = new PrimaryKeyKind();
      indexes = new ArrayList<>(indexes);
      indexes.add(new IndexDefinition(kind.name(), kind, primaryKey));
    }

    DatasetOptions options() {
      if (maintenance.needsPrimaryKeyIndex() && keyIndexes(indexes) == 0) {
        addPrimaryKeyIndex();
      }
      return new DatasetOptions(
          name,
          primaryKey,
          indexes,
          partitions,
          memoryBytes,
          mergePolicy,
          filterFalsePositiveRate,
          maintenance,
          filterField,
          timeToLive,
          largeValueBytes);
    }
  }

  /** Adds a problem unless a name is 1 to 255 bytes of valid text. */
  static void checkName(List<String> problems, String what, String name) {
    int bytes = name.getBytes(StandardCharsets.UTF_8).length;
    if (bytes < 1 || bytes > MAX_NAME_BYTES) {
      problems.add(what + " has " + bytes + " UTF-8 bytes, not 1 to " + MAX_NAME_BYTES);
    }
    if (!StandardCharsets.UTF_8.newEncoder().canEncode(name)) {
      problems.add(what + " is not valid text");
    }
  }

  private static void checkPaths(List<String> problems, String what, List<FieldPath> paths) {
    if (paths.isEmpty() || paths.size() > MAX_KEY_PATHS) {
      problems.add(what + " has " + paths.size() + " fields, not 1 to " + MAX_KEY_PATHS);
    }
  }
}
