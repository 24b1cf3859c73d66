package dev.varve.hyracks.feed;

import java.util.regex.Pattern;

/** What the values of a column of separated values are. */
public enum ColumnType {
  /** A whole number. */
  INTEGER,
  /** Any number. */
  DECIMAL,
  /** {@code true} or {@code false}. */
  BOOLEAN,
  /** Text, whatever it looks like. */
  TEXT;

  private static final Pattern WHOLE = Pattern.compile("-?(0|[1-9][0-9]*)");
  private static final Pattern NUMBER =
      Pattern.compile("-?(0|[1-9][0-9]*)(\\.[0-9]+)?([eE][+-]?[0-9]+)?");

  /** The type of a value without quotes by its looks: a number is one as JSON reads it. */
  static ColumnType of(String value) {
    char first = value.isEmpty() ? ' ' : value.charAt(0);
    if (first != '-' && (first < '0' || first > '9')) {
      return value.equals("true") || value.equals("false") ? BOOLEAN : TEXT;
    }
    if (WHOLE.matcher(value).matches()) {
      return INTEGER;
    }
    if (NUMBER.matcher(value).matches()) {
      return DECIMAL;
    }
    return TEXT;
  }

  /** Whether a value of another type may stand in a column of this one. */
  boolean takes(ColumnType other) {
    return this == other || this == TEXT || (this == DECIMAL && other == INTEGER);
  }
}
