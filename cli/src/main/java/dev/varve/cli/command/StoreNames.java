package dev.varve.cli.command;

import dev.varve.common.env.FileSystem;
import dev.varve.common.error.StorageException;
import dev.varve.dataset.Dataset;
import dev.varve.dataset.Store;
import dev.varve.dataset.options.IndexDefinition;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which names there are in a directory.
 *
 * @param stores datasets and key-value stores
 * @param indexes secondary indexes of all datasets
 */
public record StoreNames(List<String> stores, List<String> indexes) {
  /** Copies the lists. */
  public StoreNames {
    stores = List.copyOf(stores);
    indexes = List.copyOf(indexes);
  }

  /** Those of a directory at rest, in order. */
  public static StoreNames of(StoreAccess access, FileSystem files, Path directory)
      throws StorageException {
    Set<String> stores = new TreeSet<>();
    Set<String> indexes = new TreeSet<>();
    try (RestingEngines engines = access.read(files, directory)) {
      for (Store store : engines.stores()) {
        stores.add(store.name());
        if (store instanceof Dataset dataset) {
          dataset.options().indexes().stream().map(IndexDefinition::name).forEach(indexes::add);
        }
      }
    }
    return new StoreNames(List.copyOf(stores), List.copyOf(indexes));
  }
}
