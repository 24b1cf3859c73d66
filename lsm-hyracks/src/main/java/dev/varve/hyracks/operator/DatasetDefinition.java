package dev.varve.hyracks.operator;

import dev.varve.common.bytes.KeyDecoder;
import dev.varve.common.bytes.KeyEncoder;
import dev.varve.common.bytes.Slice;
import dev.varve.dataset.kind.IndexKind;
import dev.varve.dataset.model.FieldPath;
import dev.varve.dataset.options.DatasetOptions;
import dev.varve.dataset.options.IndexDefinition;
import dev.varve.dataset.options.IndexMaintenance;
import dev.varve.dataset.options.MergePolicyOptions;
import dev.varve.dataset.options.TimeToLive;
import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * A dataset's options in a form that travels inside a job. Immutable.
 *
 * @param name the dataset
 * @param primaryKey steps of each path of the primary key
 * @param indexes the secondary indexes
 * @param storage options that shape its storage, not its content
 */
record DatasetDefinition(
    String name, ArrayList<ArrayList<String>> primaryKey, ArrayList<Index> indexes, Storage storage)
    implements Serializable {
  private static final long serialVersionUID = 1L;

  /** A secondary index: its name, the name of its kind, and the steps of each of its paths. */
  record Index(String name, String kind, ArrayList<ArrayList<String>> paths)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** What {@link DatasetOptions} says beside name, keys and indexes. */
  record Storage(
      int partitions,
      long memoryBytes,
      String policy,
      double filterFalsePositiveRate,
      String maintenance,
      ArrayList<ArrayList<String>> filterField,
      Life life)
      implements Serializable {
    private static final long serialVersionUID = 1L;
  }

  /** How long records live: in milliseconds since what a field says; negative for ever. */
  record Life(long millis, ArrayList<ArrayList<String>> field) implements Serializable {
    private static final long serialVersionUID = 1L;

    static Life of(Optional<TimeToLive> timeToLive) {
      return timeToLive
          .map(life -> new Life(life.life().toMillis(), steps(life.field().stream().toList())))
          .orElse(new Life(-1, new ArrayList<>()));
    }

    Optional<TimeToLive> timeToLive() {
      return millis < 0
          ? Optional.empty()
          : Optional.of(
              new TimeToLive(paths(field).stream().findFirst(), Duration.ofMillis(millis)));
    }
  }

  static DatasetDefinition of(DatasetOptions options) {
    ArrayList<Index> indexes = new ArrayList<>();
    for (IndexDefinition index : options.indexes()) {
      indexes.add(new Index(index.name(), index.kind().name(), steps(index.paths())));
    }
    return new DatasetDefinition(
        options.name(),
        steps(options.primaryKey()),
        indexes,
        new Storage(
            options.partitions(),
            options.memoryBytes(),
            options.mergePolicy().text(),
            options.filterFalsePositiveRate(),
            options.maintenance().name(),
            steps(options.filterField().stream().toList()),
            Life.of(options.timeToLive())));
  }

  /** The definition as values that {@link #decode} reads. */
  Slice encode() {
    KeyEncoder values = new KeyEncoder().addString(name);
    addPaths(values, primaryKey);
    values.addLong(indexes.size());
    for (Index index : indexes) {
      values.addString(index.name).addString(index.kind);
      addPaths(values, index.paths);
    }
    values.addLong(storage.partitions).addLong(storage.memoryBytes).addString(storage.policy);
    values.addDouble(storage.filterFalsePositiveRate);
    values.addString(storage.maintenance);
    addPaths(values, storage.filterField);
    values.addLong(storage.life.millis);
    addPaths(values, storage.life.field);
    return values.toSlice();
  }

  /** Reads what {@link #encode} has made. */
  static DatasetDefinition decode(Slice encoded) {
    KeyDecoder values = new KeyDecoder().reset(encoded);
    String name = values.readString();
    ArrayList<ArrayList<String>> primaryKey = readPaths(values);
    ArrayList<Index> indexes = new ArrayList<>();
    for (long left = values.readLong(); left > 0; left--) {
      indexes.add(new Index(values.readString(), values.readString(), readPaths(values)));
    }
    Storage storage =
        new Storage(
            (int) values.readLong(),
            values.readLong(),
            values.readString(),
            values.readDouble(),
            values.readString(),
            readPaths(values),
            new Life(values.readLong(), readPaths(values)));
    return new DatasetDefinition(name, primaryKey, indexes, storage);
  }

  private static void addPaths(KeyEncoder values, List<ArrayList<String>> paths) {
    values.addLong(paths.size());
    for (ArrayList<String> path : paths) {
      values.addLong(path.size());
      path.forEach(values::addString);
    }
  }

  private static ArrayList<ArrayList<String>> readPaths(KeyDecoder values) {
    ArrayList<ArrayList<String>> paths = new ArrayList<>();
    for (long left = values.readLong(); left > 0; left--) {
      ArrayList<String> path = new ArrayList<>();
      for (long steps = values.readLong(); steps > 0; steps--) {
        path.add(values.readString());
      }
      paths.add(path);
    }
    return paths;
  }

  DatasetOptions options() {
    return new DatasetOptions(
        name,
        paths(primaryKey),
        indexes.stream().map(DatasetDefinition::definition).toList(),
        storage.partitions(),
        storage.memoryBytes(),
        new MergePolicyOptions(storage.policy()),
        storage.filterFalsePositiveRate(),
        IndexMaintenance.valueOf(storage.maintenance()),
        paths(storage.filterField()).stream().findFirst(),
        storage.life().timeToLive(),
        0);
  }

  private static IndexDefinition definition(Index index) {
    return new IndexDefinition(index.name, IndexKind.parse(index.kind), paths(index.paths));
  }

  static ArrayList<ArrayList<String>> steps(List<FieldPath> paths) {
    ArrayList<ArrayList<String>> steps = new ArrayList<>();
    paths.forEach(path -> steps.add(new ArrayList<>(path.steps())));
    return steps;
  }

  static List<FieldPath> paths(List<ArrayList<String>> steps) {
    return steps.stream().map(FieldPath::new).toList();
  }
}
