package dev.varve.dataset.engine;

import java.util.List;

/**
 * What a verification looked at and found.
 *
 * @param datasets datasets and key-value stores
 * @param components disk components
 * @param records records in primary indexes
 * @param entries entries in secondary indexes
 * @param problems each broken rule with its place, at most {@link #MAX_PROBLEMS}; empty when all
 *     holds
 */
public record VerifyReport(
    int datasets, long components, long records, long entries, List<String> problems) {
  /** Most problems that a report lists. */
  public static final int MAX_PROBLEMS = 100;

  /** Copies the list. */
  public VerifyReport {
    problems = List.copyOf(problems);
  }

  /** Whether everything holds. */
  public boolean clean() {
    return problems.isEmpty();
  }
}
