package dev.varve.dataset;

import dev.varve.dataset.model.PartitionStats;
import java.util.List;

/**
 * One dataset or key-value store.
 *
 * @param name its name
 * @param datasetId its number in the catalog
 * @param active whether its indexes are open; a stat call does not activate, so an inactive dataset
 *     lists no partitions
 * @param memoryBudgetBytes its memory when active
 * @param memoryUsedBytes bytes in its memory components
 * @param partitions its partitions
 */
public record DatasetStats(
    String name,
    int datasetId,
    boolean active,
    long memoryBudgetBytes,
    long memoryUsedBytes,
    List<PartitionStats> partitions) {
  /** Copies the list. */
  public DatasetStats {
    partitions = List.copyOf(partitions);
  }
}
