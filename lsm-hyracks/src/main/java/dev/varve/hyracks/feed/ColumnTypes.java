package dev.varve.hyracks.feed;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * Which types the columns of an input have: those that are given, and of the others those that all
 * of the first rows have. Confined to one thread.
 */
final class ColumnTypes {
  /** How many rows are looked at before a type is inferred. */
  static final int ROWS = 1_000;

  private final SortedMap<String, ColumnType> given;
  private final Map<String, ColumnType> seen = new HashMap<>();
  private long rows;

  ColumnTypes(SortedMap<String, ColumnType> given) {
    this.given = given;
  }

  /** Begins a row. */
  void nextRow() {
    rows++;
  }

  /** Whether no further row changes a type. */
  boolean areKnown() {
    return rows >= ROWS;
  }

  /** The type that a value is written as. */
  ColumnType of(String column, ColumnType looks, boolean quoted) {
    ColumnType type = given.get(column);
    if (type == null) {
      return quoted ? ColumnType.TEXT : looks;
    }
    return type == ColumnType.TEXT ? type : looks;
  }

  /**
   * Looks at a value.
   *
   * @param looks what it looks like
   * @param quoted whether it is text by its quotes, where no type is given
   * @return null, or why it does not fit its column
   */
  @Nullable String problem(String column, String value, ColumnType looks, boolean quoted) {
    ColumnType type = given.get(column);
    if (type != null) {
      return type.takes(looks)
          ? null
          : "column '%s' is to be %s, and '%s' is %s"
              .formatted(column, name(type), value, name(looks));
    }
    if (rows <= ROWS) {
      seen.merge(column, quoted ? ColumnType.TEXT : looks, ColumnTypes::common);
      return null;
    }
    ColumnType inferred = seen.getOrDefault(column, ColumnType.TEXT);
    if (quoted
        || inferred.takes(looks)
        || (ColumnType.DECIMAL.takes(inferred) && looks == ColumnType.DECIMAL)) {
      return null;
    }
    return "column '%s' has only %s values in the first %,d rows, and '%s' is %s; give --types %s=text"
        .formatted(column, name(inferred), ROWS, value, name(looks), column);
  }

  private static ColumnType common(ColumnType first, ColumnType second) {
    if (first.takes(second)) {
      return first;
    }
    return second.takes(first) ? second : ColumnType.TEXT;
  }

  private static String name(ColumnType type) {
    return type.name().toLowerCase(Locale.ROOT);
  }
}
