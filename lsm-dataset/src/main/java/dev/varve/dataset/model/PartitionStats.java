package dev.varve.dataset.model;

import java.util.List;

/**
 * One partition.
 *
 * @param partition its number in the dataset
 * @param indexes the primary first
 */
public record PartitionStats(int partition, List<IndexStats> indexes) {
  /** Copies the list. */
  public PartitionStats {
    indexes = List.copyOf(indexes);
  }
}
