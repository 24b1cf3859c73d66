package dev.varve.dataset.internal.catalog;

import dev.varve.common.error.RequestException;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.IndexUpkeep;
import dev.varve.dataset.options.KeyValueOptions.Operator;
import dev.varve.dataset.options.MergePolicyOptions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A dataset or key-value store as it stands in the catalog.
 *
 * @param datasetId its number, which names its directory and is never used again
 * @param kind what it stores
 * @param options its options, with the indexes that answer; a key-value store has the placeholder
 *     {@code key} for its primary key
 * @param numbers those of its indexes by position: the primary, then the secondaries
 * @param building indexes that are being built and do not answer yet
 * @param loading partitions with a bulk load that has not ended: what they hold is void
 * @param mayHoldObsolete whether secondary indexes may hold entries whose record is gone or has
 *     others by now
 */
public record DatasetDescriptor(
    int datasetId,
    Kind kind,
    DatasetOptions options,
    List<IndexNumbers> numbers,
    List<Building> building,
    List<Integer> loading,
    boolean mayHoldObsolete) {
  /** What is stored. */
  public enum Kind {
    /** JSON records. */
    RECORDS(null),
    /** Raw keys and values. */
    KEY_VALUE(null),
    /** The same with counters, to which operands add. */
    KEY_VALUE_ADD_LONG(Operator.ADD_LONG),
    /** The same, with operands of which the greatest stays. */
    KEY_VALUE_MAX(Operator.MAX),
    /** The same, with operands of which the least stays. */
    KEY_VALUE_MIN(Operator.MIN);

    private final @Nullable Operator operator;

    Kind(@Nullable Operator operator) {
      this.operator = operator;
    }

    /** What operands do to values; null where there are none. */
    public @Nullable Operator operator() {
      return operator;
    }

    /** That of a key-value store with an operator, or without one. */
    public static Kind ofPairs(Optional<Operator> operator) {
      Kind kind = KEY_VALUE;
      if (operator.isPresent()) {
        kind =
            switch (operator.get()) {
              case ADD_LONG -> KEY_VALUE_ADD_LONG;
              case MAX -> KEY_VALUE_MAX;
              case MIN -> KEY_VALUE_MIN;
            };
      }
      assert operator.equals(Optional.ofNullable(kind.operator)) : kind;
      return kind;
    }
  }

  /**
   * An index that is being built. After a crash it is built from the beginning, under other
   * numbers.
   *
   * @param index what it will be
   * @param numbers those of its parts
   */
  public record Building(IndexDefinition index, IndexNumbers numbers) {}

  /** Copies the lists. */
  public DatasetDescriptor {
    numbers = List.copyOf(numbers);
    building = List.copyOf(building);
    loading = List.copyOf(loading);
    assert numbers.size() == 1 + options.indexes().size() : numbers;
  }

  /** A new one, whose indexes have the numbers from one on, partition after partition. */
  static DatasetDescriptor create(
      int datasetId, Kind kind, DatasetOptions options, int firstIndexId) {
    return new DatasetDescriptor(
        datasetId,
        kind,
        options,
        numbersFrom(firstIndexId, 1 + options.indexes().size()),
        List.of(),
        List.of(),
        leavesObsolete(options));
  }

  /** The numbers of indexes that were created together with their dataset. */
  static List<IndexNumbers> numbersFrom(int firstIndexId, int count) {
    return IntStream.range(0, count)
        .mapToObj(position -> new IndexNumbers(firstIndexId + position, count))
        .toList();
  }

  /** Indexes of one partition, the primary included. */
  public int indexesPerPartition() {
    return numbers.size();
  }

  /** Number of an index in the log; position 0 is the primary. */
  public int indexId(int partition, int position) {
    assert partition < options.partitions();
    return numbers.get(position).of(partition);
  }

  /** The least number above all of its indexes. */
  int endIndexId() {
    return Stream.concat(numbers.stream(), building.stream().map(Building::numbers))
        .mapToInt(each -> each.of(options.partitions() - 1) + 1)
        .max()
        .orElseThrow();
  }

  /** Whether a secondary index has the name, answering or not. */
  public boolean hasIndex(String name) {
    return Stream.concat(options.indexes().stream(), building.stream().map(Building::index))
        .anyMatch(index -> index.name().equals(name));
  }

  /** Says that no index has a name, and which names there are. */
  public RequestException unknownIndex(String name) {
    boolean begun = building.stream().anyMatch(each -> each.index().name().equals(name));
    return new RequestException(
        RequestException.Reason.UNKNOWN_INDEX,
        "'"
            + options.name()
            + (begun
                ? "' is still building its index '" + name + "', which does not answer yet"
                : "' has no index '" + name + "'")
            + "; its indexes are "
            + options.indexes().stream().map(IndexDefinition::name).toList());
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

  /** The same as it will be once an index that is being built answers. */
  public DatasetDescriptor withBuilt(String index) {
    DatasetDescriptor built = this;
    for (Building each : building) {
      if (each.index().name().equals(index)) {
        built = built.plus(each);
      }
    }
    return built;
  }

  /** The same with one more index that answers. */
  public DatasetDescriptor plus(Building built) {
    List<IndexDefinition> indexes = new ArrayList<>(options.indexes());
    indexes.add(built.index());
    List<IndexNumbers> all = new ArrayList<>(numbers);
    all.add(built.numbers());
    DatasetOptions more = options.withIndexes(indexes);
    return new DatasetDescriptor(
        datasetId,
        kind,
        more,
        all,
        without(built.index().name()),
        loading,
        mayHoldObsolete || leavesObsolete(more));
  }

  /** Its building indexes but one. */
  private List<Building> without(String index) {
    return building.stream().filter(each -> !each.index().name().equals(index)).toList();
  }

  /** The same with an index that is being built; the numbers of its parts begin here. */
  DatasetDescriptor withBuilding(IndexDefinition index, int firstIndexId) {
    Building begun = new Building(index, new IndexNumbers(firstIndexId, 1));
    List<Building> all = new ArrayList<>(building);
    all.add(begun);
    return new DatasetDescriptor(
        datasetId, kind, options, numbers, all, loading, plus(begun).mayHoldObsolete());
  }

  /** The same with other numbers, from one on, for the indexes that are being built. */
  DatasetDescriptor withBuildsFrom(int firstIndexId) {
    List<Building> all = new ArrayList<>();
    for (Building each : building) {
      all.add(
          new Building(
              each.index(), new IndexNumbers(firstIndexId + all.size() * options.partitions(), 1)));
    }
    return with(options, numbers, all);
  }

  /** The same without a secondary index, whether it answers or is being built. */
  public DatasetDescriptor withoutIndex(String index) {
    List<IndexDefinition> indexes = new ArrayList<>();
    List<IndexNumbers> all = new ArrayList<>(List.of(numbers.get(0)));
    for (int i = 0; i < options.indexes().size(); i++) {
      if (!options.indexes().get(i).name().equals(index)) {
        indexes.add(options.indexes().get(i));
        all.add(numbers.get(i + 1));
      }
    }
    return with(options.withIndexes(indexes), all, without(index));
  }

  private DatasetDescriptor with(
      DatasetOptions newOptions, List<IndexNumbers> newNumbers, List<Building> newBuilding) {
    return new DatasetDescriptor(
        datasetId, kind, newOptions, newNumbers, newBuilding, loading, mayHoldObsolete);
  }

  DatasetDescriptor withMergePolicy(MergePolicyOptions policy) {
    return with(options.withMergePolicy(policy), numbers, building);
  }

  /** Obsolete entries that are there stay there. */
  DatasetDescriptor withMaintenance(IndexMaintenance maintenance) {
    DatasetOptions changed = options.withMaintenance(maintenance);
    return new DatasetDescriptor(
        datasetId,
        kind,
        changed,
        numbers,
        building,
        loading,
        mayHoldObsolete || leavesObsolete(changed));
  }

  /** The same whose secondary indexes may hold obsolete entries. */
  DatasetDescriptor withObsolete() {
    return new DatasetDescriptor(datasetId, kind, options, numbers, building, loading, true);
  }

  DatasetDescriptor withLoading(List<Integer> partitions) {
    return new DatasetDescriptor(
        datasetId, kind, options, numbers, building, partitions, mayHoldObsolete);
  }
}
