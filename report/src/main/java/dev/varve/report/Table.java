package dev.varve.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows under headings, as wide as what is in them. Columns whose cells begin with a digit are
 * aligned to the right. Confined to its caller.
 */
public final class Table {
  private final List<String> headings;
  private final List<List<String>> rows = new ArrayList<>();

  /** A table with headings and no row. */
  public Table(String... headings) {
    this.headings = List.of(headings);
  }

  /** A table of names and values, without headings. */
  public static Table ofFacts() {
    return new Table();
  }

  /** Adds a row: a cell for each heading. */
  public Table row(String... cells) {
    assert headings.isEmpty() || cells.length == headings.size() : List.of(cells);
    rows.add(List.of(cells));
    return this;
  }

  /** Number of rows. */
  public int size() {
    return rows.size();
  }

  /** Prints it, each line with an indentation of two blanks. */
  public void print(PrintWriter out) {
    int columns = headings.size();
    for (List<String> row : rows) {
      columns = Math.max(columns, row.size());
    }
    int[] widths = new int[columns];
    boolean[] numbers = new boolean[columns];
    for (int column = 0; column < columns; column++) {
      numbers[column] = column > 0 && !rows.isEmpty() && !headings.isEmpty();
      widths[column] = column < headings.size() ? headings.get(column).length() : 0;
      for (List<String> row : rows) {
        String cell = column < row.size() ? row.get(column) : "";
        widths[column] = Math.max(widths[column], cell.length());
        numbers[column] &= cell.isEmpty() || cell.equals("-") || Character.isDigit(cell.charAt(0));
      }
    }
    if (!headings.isEmpty()) {
      print(out, headings, widths, numbers);
    }
    for (List<String> row : rows) {
      print(out, row, widths, numbers);
    }
  }

  private static void print(PrintWriter out, List<String> cells, int[] widths, boolean[] numbers) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      String cell = cells.get(column);
      String padding = " ".repeat(widths[column] - cell.length());
      line.append("  ");
      line.append(numbers[column] ? padding + cell : cell + padding);
    }
    out.println(line.toString().stripTrailing());
  }
}
