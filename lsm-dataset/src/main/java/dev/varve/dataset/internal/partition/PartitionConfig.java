package dev.varve.dataset.internal.partition;

import dev.varve.btree.BTreeFormat;
import dev.varve.common.format.ComponentFormat;
import dev.varve.common.merge.MergePolicy;
import dev.varve.dataset.internal.catalog.DatasetDescriptor;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.dataset.options.DatasetOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Which partition of which dataset.
 *
 * @param dataset the dataset as the catalog describes it
 * @param number the partition's number, from 0
 * @param directory where its indexes lie
 * @param mergePolicy which of their components merge
 */
public record PartitionConfig(
    DatasetDescriptor dataset, int number, Path directory, MergePolicy mergePolicy) {
  /** Name of the primary index in reports. */
  public static final String PRIMARY = "primary";

  DatasetOptions options() {
    return dataset.options();
  }

  /** The keys of its records, made anew; null when it stores raw pairs. */
  @Nullable RecordSchema schema() {
    if (dataset.kind() == DatasetDescriptor.Kind.KEY_VALUE) {
      return null;
    }
    return options().schema();
  }

  /** Number of indexes, the primary included. */
  int indexCount() {
    return dataset.indexesPerPartition();
  }

  int indexId(int position) {
    return dataset.indexId(number, position);
  }

  String indexName(int position) {
    return position == 0 ? PRIMARY : options().indexes().get(position - 1).name();
  }

  /** Kind of the index at a position. */
  String indexKind(int position) {
    return indexFormat(position).name();
  }

  /** What the components of the index at a position are. */
  ComponentFormat<?> indexFormat(int position) {
    return position == 0 ? new BTreeFormat() : options().indexes().get(position - 1).kind();
  }

  String describe() {
    return "partition " + number + " of '" + options().name() + "'";
  }
}
