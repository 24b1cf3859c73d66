package dev.varve.dataset.internal.partition;

import java.util.List;

/**
 * What the verification of a partition looked at and found.
 *
 * @param components disk components
 * @param records records in the primary index
 * @param entries entries in its secondary indexes
 * @param misplaced those of the records that belong to another partition or node
 * @param problems each broken rule with its place; empty when all holds
 */
public record PartitionCheck(
    long components, long records, long entries, long misplaced, List<String> problems) {
  /** Copies the list. */
  public PartitionCheck {
    problems = List.copyOf(problems);
  }
}
