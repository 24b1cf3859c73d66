package dev.varve.dataset.record;

import java.util.List;

/**
 * Which values of a record its keys are made of. Types are open: a record may have any other
 * fields. Immutable.
 *
 * @param primaryKey paths of the primary key's values, in order; each must be in every record
 * @param secondaryKeys for each secondary index the paths of its values, in order
 */
public record RecordSchema(List<FieldPath> primaryKey, List<List<FieldPath>> secondaryKeys) {
  /** Copies the lists. */
  public RecordSchema {
    primaryKey = List.copyOf(primaryKey);
    secondaryKeys = secondaryKeys.stream().map(List::copyOf).toList();
    if (primaryKey.isEmpty()) {
      throw new IllegalArgumentException("a primary key has at least one path");
    }
    if (secondaryKeys.stream().anyMatch(List::isEmpty)) {
      throw new IllegalArgumentException("a secondary key has at least one path");
    }
  }
}
