package dev.varve.dataset;

import java.util.ArrayList;
import java.util.List;

/**
 * What a verification looked at and found.
 *
 * @param datasets datasets and key-value stores
 * @param components disk components
 * @param records records in primary indexes
 * @param entries entries in secondary indexes
 * @param misplaced those of the records that belong to another partition or node
 * @param problems each broken rule with its place, at most {@link #MAX_PROBLEMS}; empty when all
 *     holds
 * @param notes what is no problem and worth knowing: what is in quarantine, and why
 */
public record VerifyReport(
    int datasets,
    long components,
    long records,
    long entries,
    long misplaced,
    List<String> problems,
    List<String> notes) {
  /** Most problems that a report lists. */
  public static final int MAX_PROBLEMS = 100;

  /** Copies the list. */
  public VerifyReport {
    problems = List.copyOf(problems);
    notes = List.copyOf(notes);
  }

  /** The same with more problems, as many as there is room for, and with notes. */
  VerifyReport with(List<String> more, List<String> remarks) {
    List<String> all = new ArrayList<>(problems);
    more.stream().limit(MAX_PROBLEMS - all.size()).forEach(all::add);
    return new VerifyReport(datasets, components, records, entries, misplaced, all, remarks);
  }

  /** Whether everything holds. */
  public boolean clean() {
    return problems.isEmpty();
  }
}
