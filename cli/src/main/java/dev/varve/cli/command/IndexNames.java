package dev.varve.cli.command;

import dev.varve.dataset.internal.catalog.Catalog;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import java.util.HashMap;
import java.util.Map;

/**
 * What the numbers stand for by which a log knows indexes.
 *
 * @param places by number: dataset, partition and index
 */
record IndexNames(Map<Integer, String> places) {
  /** Name of the primary index in statistics and results. */
  static final String PRIMARY = "primary";

  /** Copies the map. */
  IndexNames {
    places = Map.copyOf(places);
  }

  /** Those of a catalog. */
  static IndexNames of(Catalog catalog) {
    Map<Integer, String> places = new HashMap<>();
    for (DatasetDescriptor dataset : catalog.datasets()) {
      for (int partition = 0; partition < dataset.options().partitions(); partition++) {
        for (int position = 0; position < dataset.indexesPerPartition(); position++) {
          String index =
              position == 0 ? PRIMARY : dataset.options().indexes().get(position - 1).name();
          places.put(
              dataset.indexId(partition, position),
              dataset.options().name() + "/" + partition + "/" + index);
        }
      }
    }
    return new IndexNames(places);
  }

  /** The name of an index; its number, when its dataset was dropped. */
  String of(int index) {
    return places.getOrDefault(index, "dropped index " + index);
  }
}
