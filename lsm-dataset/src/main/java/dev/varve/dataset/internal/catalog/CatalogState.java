package dev.varve.dataset.internal.catalog;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything that a catalog file says. Immutable.
 *
 * @param generation how often the catalog was replaced; 0 for one whose file does not say
 * @param storeId identity of the store, stamped into every file of it
 * @param pageBytes page size of its component files
 * @param nextDatasetId number that the next dataset gets
 * @param nextIndexId number that the next index gets
 * @param datasets by number
 */
record CatalogState(
    long generation,
    long storeId,
    int pageBytes,
    int nextDatasetId,
    int nextIndexId,
    List<DatasetDescriptor> datasets) {
  CatalogState {
    datasets = List.copyOf(datasets);
  }

  @Nullable DatasetDescriptor find(String name) {
    for (DatasetDescriptor dataset : datasets) {
      if (dataset.options().name().equals(name)) {
        return dataset;
      }
    }
    return null;
  }

  @Nullable DatasetDescriptor find(int datasetId) {
    for (DatasetDescriptor dataset : datasets) {
      if (dataset.datasetId() == datasetId) {
        return dataset;
      }
    }
    return null;
  }

  CatalogState withAdded(DatasetDescriptor added) {
    List<DatasetDescriptor> all = new ArrayList<>(datasets);
    all.add(added);
    return new CatalogState(
        generation,
        storeId,
        pageBytes,
        Math.max(nextDatasetId, added.datasetId() + 1),
        Math.max(nextIndexId, added.endIndexId()),
        all);
  }

  CatalogState withReplaced(DatasetDescriptor changed) {
    List<DatasetDescriptor> all = new ArrayList<>(datasets);
    all.replaceAll(old -> old.datasetId() == changed.datasetId() ? changed : old);
    int nextIndex = Math.max(nextIndexId, changed.endIndexId());
    return new CatalogState(generation, storeId, pageBytes, nextDatasetId, nextIndex, all);
  }

  CatalogState without(int datasetId) {
    List<DatasetDescriptor> all = new ArrayList<>(datasets);
    all.removeIf(dataset -> dataset.datasetId() == datasetId);
    return new CatalogState(generation, storeId, pageBytes, nextDatasetId, nextIndexId, all);
  }

  /** The same as what replaces a catalog. */
  CatalogState after(CatalogState replaced) {
    return new CatalogState(
        replaced.generation + 1, storeId, pageBytes, nextDatasetId, nextIndexId, datasets);
  }

  /** The same with numbers skipped that a failed change may have left in the file. */
  CatalogState withNumbersOf(CatalogState other) {
    return new CatalogState(
        generation,
        storeId,
        pageBytes,
        Math.max(nextDatasetId, other.nextDatasetId),
        Math.max(nextIndexId, other.nextIndexId),
        datasets);
  }
}
