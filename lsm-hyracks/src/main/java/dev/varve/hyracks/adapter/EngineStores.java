package dev.varve.hyracks.adapter;

import com.google.errorprone.annotations.MustBeClosed;
import dev.varve.btree.KeyRange;
import dev.varve.common.error.RequestException;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.EngineSeams;
import dev.varve.dataset.KeyValueStore;
import dev.varve.dataset.StorageEngine;
import dev.varve.dataset.Store;
import dev.varve.dataset.internal.partition.KeySorter;
import dev.varve.dataset.model.ClusterPlace;
import dev.varve.dataset.model.RecordCursor;
import dev.varve.dataset.options.KeyValueOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * The engine's stores that stand for indexes of Hyracks, by the indexes' paths. Thread-safe: no
 * state.
 */
final class EngineStores {
  private static final String PREFIX = "hyracks/";

  /** What a load of a spatial index sorts in memory. */
  private static final long SORT_BYTES = 8L << 20;

  private final StorageEngine engine;
  private final EngineSeams seams;
  private final Path loadPrefix;

  /**
   * The stores of an engine.
   *
   * @param loadPrefix where loads put what does not fit into memory; numbers are appended
   */
  EngineStores(StorageEngine engine, EngineSeams seams, Path loadPrefix) {
    this.engine = engine;
    this.seams = seams;
    this.loadPrefix = loadPrefix;
  }

  /** The engine's name of the store behind an index. */
  static String name(String path) {
    return PREFIX + path;
  }

  /** The path of the index that a store of the engine stands for; empty when it is none's. */
  static Optional<String> pathOf(String name) {
    return name.startsWith(PREFIX)
        ? Optional.of(name.substring(PREFIX.length()))
        : Optional.empty();
  }

  /** Identity of the engine's store. */
  long storeId() {
    return engine.storeId();
  }

  /** Which node of a cluster the engine is. */
  ClusterPlace place() {
    return engine.place();
  }

  /** A sorter for a load of a store. */
  @MustBeClosed
  KeySorter newSorter(int storeNumber) {
    Path runs = loadPrefix.resolveSibling(loadPrefix.getFileName() + "-" + storeNumber);
    return new KeySorter(seams.files(), runs, SORT_BYTES, seams.executor());
  }

  /** Paths of all indexes that have a store. */
  List<String> paths() {
    return engine.names().stream().flatMap(name -> pathOf(name).stream()).toList();
  }

  /** Number of an index's store in the catalog, never given twice; 0 when there is none. */
  int number(String path) throws StorageException {
    return engine.names().contains(name(path)) ? any(path).number() : 0;
  }

  /** The store of an index whose shape may be unknown. */
  private Store any(String path) throws StorageException {
    try {
      return engine.keyValueStore(name(path));
    } catch (RequestException dataset) {
      if (dataset.reason() != RequestException.Reason.UNKNOWN_DATASET) {
        throw dataset;
      }
      return engine.dataset(name(path));
    }
  }

  /** Whether there is anything in an index's store. */
  boolean holdsRecords(String path) throws StorageException {
    try (RecordCursor records =
        any(path) instanceof Dataset dataset
            ? dataset.scan(KeyRange.all())
            : pairs(path).scan(KeyRange.all())) {
      return records.next();
    }
  }

  /** The B+-tree of an index that has one. */
  KeyValueStore pairs(String path) throws StorageException {
    return engine.keyValueStore(name(path));
  }

  /** The tuples of an index that has a store. */
  TupleStore open(String path, TupleDescription tuples) throws StorageException {
    return switch (tuples.shape()) {
      case BTREE, INVERTED, PARTITIONED_INVERTED -> new PairStore(pairs(path), tuples);
      case RTREE -> new PlaceStore(engine.dataset(name(path)), tuples, this);
    };
  }

  /** Makes a store for an index, durably. */
  void create(String path, IndexShape shape) throws StorageException {
    String name = name(path);
    switch (shape) {
      case BTREE, INVERTED, PARTITIONED_INVERTED ->
          engine.createKeyValueStore(name, KeyValueOptions.DEFAULTS);
      case RTREE -> engine.createDataset(PlaceStore.options(name));
    }
  }

  /** Drops the store of an index, durably. */
  void drop(String path) throws StorageException {
    engine.drop(name(path));
  }
}
