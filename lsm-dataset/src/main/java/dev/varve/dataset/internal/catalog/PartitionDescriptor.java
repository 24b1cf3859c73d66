package dev.varve.dataset.internal.catalog;

import dev.varve.btree.BTreeFormat;
import dev.varve.common.format.ComponentFormat;
import dev.varve.dataset.kind.RecordSchema;
import dev.varve.dataset.options.DatasetOptions;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A partition of a dataset as the catalog describes it.
 *
 * @param dataset its dataset
 * @param number its number, from 0
 * @param directory where its indexes lie
 */
public record PartitionDescriptor(DatasetDescriptor dataset, int number, Path directory) {
  /** Name of the primary index in reports. */
  public static final String PRIMARY = "primary";

  /** Those of its dataset. */
  public DatasetOptions options() {
    return dataset.options();
  }

  /** The keys of its records, made anew; null when it stores raw pairs. */
  public @Nullable RecordSchema schema() {
    return dataset.kind() == DatasetDescriptor.Kind.RECORDS ? options().schema() : null;
  }

  /** Number of indexes, the primary included. */
  public int indexCount() {
    return dataset.indexesPerPartition();
  }

  /** Number in the log of the index at a position; position 0 is the primary. */
  public int indexId(int position) {
    return dataset.indexId(number, position);
  }

  /** Name in reports of the index at a position. */
  public String indexName(int position) {
    return position == 0 ? PRIMARY : options().indexes().get(position - 1).name();
  }

  /** Kind of the index at a position. */
  public String indexKind(int position) {
    return indexFormat(position).name();
  }

  /** What the components of the index at a position are. */
  public ComponentFormat<?> indexFormat(int position) {
    return position == 0 ? primaryFormat() : options().indexes().get(position - 1).kind();
  }

  /** What the components of the primary index are. */
  public BTreeFormat primaryFormat() {
    return new BTreeFormat(dataset.kind().operator());
  }

  /** Where the index at a position lies. */
  public Path indexDirectory(int position) {
    return directory.resolve("i" + indexId(position));
  }

  /** Which partition it is, for messages. */
  public String describe() {
    return "partition " + number + " of '" + options().name() + "'";
  }
}
