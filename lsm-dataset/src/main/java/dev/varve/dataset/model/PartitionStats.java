package dev.varve.dataset.model;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One partition.
 *
 * @param partition its number in the dataset
 * @param indexes the primary first
 * @param values its large values; null where all are stored with their keys
 */
public record PartitionStats(
    int partition, List<IndexStats> indexes, @Nullable LargeValueStats values) {
  /** Copies the list. */
  public PartitionStats {
    indexes = List.copyOf(indexes);
  }

  /** The same with its large values. */
  public PartitionStats with(LargeValueStats large) {
    return new PartitionStats(partition, indexes, large);
  }
}
