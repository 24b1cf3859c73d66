package dev.varve.dataset.record;

import java.util.List;

/**
 * Which values of a record its keys and its entries in secondary indexes are made of. Types are
 * open: a record may have any other fields. Immutable.
 *
 * @param primaryKey paths of the primary key's values, in order; each must be in every record
 * @param secondaries for each secondary index what is read for it
 */
public record RecordSchema(List<FieldPath> primaryKey, List<Secondary> secondaries) {
  /** As what a value is read. */
  public enum Reading {
    /** Numbers, text and truth values, encoded such that bytes order as the values do. */
    KEY,
    /** A point or a rectangle. */
    SPATIAL,
    /** Text. */
    TEXT
  }

  /**
   * What is read for one secondary index.
   *
   * @param reading as what
   * @param paths where it stands, in order; one unless it is a key
   */
  public record Secondary(Reading reading, List<FieldPath> paths) {
    /** Copies the list. */
    public Secondary {
      paths = List.copyOf(paths);
      if (paths.isEmpty() || (paths.size() > 1 && reading != Reading.KEY)) {
        throw new IllegalArgumentException(paths.size() + " paths to read as " + reading);
      }
    }
  }

  /** Copies the lists. */
  public RecordSchema {
    primaryKey = List.copyOf(primaryKey);
    secondaries = List.copyOf(secondaries);
    if (primaryKey.isEmpty()) {
      throw new IllegalArgumentException("a primary key has at least one path");
    }
  }
}
