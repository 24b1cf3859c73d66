package dev.varve.dataset.internal.catalog;

/**
 * The numbers that the indexes of one name have in the partitions of their dataset. They stand in
 * log records and component files, and are never used again.
 *
 * @param first that of partition 0
 * @param step from one partition to the next
 */
public record IndexNumbers(int first, int step) {
  /** That of a partition. */
  public int of(int partition) {
    return first + partition * step;
  }
}
