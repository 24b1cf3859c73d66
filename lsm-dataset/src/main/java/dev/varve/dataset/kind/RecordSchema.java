package dev.varve.dataset.kind;

import dev.varve.dataset.model.FieldPath;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which values of a record its keys and its entries in secondary indexes are made of. Types are
 * open: a record may have any other fields. Immutable; a dataset makes its own once, because the
 * paths are compiled with it.
 */
public final class RecordSchema {
  private final List<FieldPath> primaryKey;
  private final List<Secondary> secondaries;
  private final @Nullable FieldPath filterField;
  private final PathTree paths;

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
   * @param entries makes something that makes entries of it, for one thread
   */
  public record Secondary(Reading reading, List<FieldPath> paths, Supplier<EntryMaker> entries) {
    /** Copies the list. */
    public Secondary {
      paths = List.copyOf(paths);
      if (paths.isEmpty() || (paths.size() > 1 && reading != Reading.KEY)) {
        throw new IllegalArgumentException(paths.size() + " paths to read as " + reading);
      }
    }
  }

  /** A schema of records that are not filtered. */
  public RecordSchema(List<FieldPath> primaryKey, List<Secondary> secondaries) {
    this(primaryKey, secondaries, null);
  }

  /**
   * A schema.
   *
   * @param primaryKey paths of the primary key's values, in order; each must be in every record
   * @param secondaries for each secondary index what is read for it
   * @param filterField path of the value that components are filtered by; null for none
   */
  public RecordSchema(
      List<FieldPath> primaryKey, List<Secondary> secondaries, @Nullable FieldPath filterField) {
    this.filterField = filterField;
    this.primaryKey = List.copyOf(primaryKey);
    this.secondaries = List.copyOf(secondaries);
    if (primaryKey.isEmpty()) {
      throw new IllegalArgumentException("a primary key has at least one path");
    }
    this.paths = new PathTree(this);
  }

  /** Paths of the primary key's values, in order; each must be in every record. */
  public List<FieldPath> primaryKey() {
    return primaryKey;
  }

  /** For each secondary index what is read for it. */
  public List<Secondary> secondaries() {
    return secondaries;
  }

  /** Path of the value that components are filtered by, read as a key; null for none. */
  public @Nullable FieldPath filterField() {
    return filterField;
  }

  /** All paths as one tree. */
  PathTree paths() {
    return paths;
  }
}
