package dev.varve.hyracks.adapter;

import dev.varve.btree.KeyRange;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.catalog.KeyValueOptions;
import dev.varve.dataset.engine.KeyValueStore;
import dev.varve.dataset.engine.StorageEngine;
import dev.varve.dataset.partition.RecordCursor;
import java.util.List;

/**
 * The engine's stores that stand for indexes of Hyracks, by the indexes' paths. Thread-safe: no
 * state.
 */
final class EngineStores {
  private static final String PREFIX = "hyracks/";

  private final StorageEngine engine;

  EngineStores(StorageEngine engine) {
    this.engine = engine;
  }

  /** The engine's name of the store behind an index. */
  static String name(String path) {
    return PREFIX + path;
  }

  /** Identity of the engine's store. */
  long storeId() {
    return engine.storeId();
  }

  /** Paths of all indexes that have a store. */
  List<String> paths() {
    return engine.names().stream()
        .filter(name -> name.startsWith(PREFIX))
        .map(name -> name.substring(PREFIX.length()))
        .toList();
  }

  /** Number of an index's store in the catalog, never given twice; 0 when there is none. */
  int number(String path) throws StorageException {
    return engine.names().contains(name(path)) ? store(path).number() : 0;
  }

  /** Whether there is anything in an index's store. */
  boolean holdsRecords(String path) throws StorageException {
    try (RecordCursor records = store(path).scan(KeyRange.all())) {
      return records.next();
    }
  }

  /** The store of an index that has one. */
  KeyValueStore store(String path) throws StorageException {
    return engine.keyValueStore(name(path));
  }

  /** Makes a store for an index, durably. */
  KeyValueStore create(String path) throws StorageException {
    return engine.createKeyValueStore(name(path), KeyValueOptions.DEFAULTS);
  }

  /** Drops the store of an index, durably. */
  void drop(String path) throws StorageException {
    engine.drop(name(path));
  }
}
