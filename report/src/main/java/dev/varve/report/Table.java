package dev.varve.report;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/**
 * Rows under headings, as wide as what is in them. Columns whose cells begin with a digit are
 * aligned to the right. Confined to its caller.
 */
public final class Table {
  private static final String INDENTATION = "  ";

  /** A column of texts is not cut to less. */
  private static final int LEAST_WIDTH = 8;

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

  /** Prints it as wide as it is, each line with an indentation of two blanks. */
  public void print(PrintWriter out) {
    print(out, Console.ANY_WIDTH);
  }

  /**
   * Prints it no wider than a console: columns of texts are cut, and where that does not do, each
   * row becomes lines of its own, a heading and a cell in each.
   */
  public void print(Console console) {
    print(console.out(), console.columns());
  }

  private void print(PrintWriter out, int most) {
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
    if (!fit(widths, numbers, most) && !headings.isEmpty()) {
      printRows(out, most);
      return;
    }
    if (!headings.isEmpty()) {
      print(out, headings, widths, numbers);
    }
    for (List<String> row : rows) {
      print(out, row, widths, numbers);
    }
  }

  /** Makes the widest columns of texts narrower until all fit; false when that is not possible. */
  private static boolean fit(int[] widths, boolean[] numbers, int most) {
    while (total(widths) > most) {
      int widest = -1;
      for (int column = 0; column < widths.length; column++) {
        if (!numbers[column]
            && widths[column] > LEAST_WIDTH
            && (widest < 0 || widths[column] > widths[widest])) {
          widest = column;
        }
      }
      if (widest < 0) {
        return false;
      }
      widths[widest]--;
    }
    return true;
  }

  private static long total(int[] widths) {
    long total = 0;
    for (int width : widths) {
      total += INDENTATION.length() + width;
    }
    return total;
  }

  /** Each row as a table of its own, of headings and cells. */
  private void printRows(PrintWriter out, int most) {
    for (List<String> row : rows) {
      Table lines = ofFacts();
      for (int column = 0; column < row.size(); column++) {
        lines.row(headings.get(column), row.get(column));
      }
      lines.print(out, most);
      if (row != rows.get(rows.size() - 1)) {
        out.println();
      }
    }
  }

  private static void print(PrintWriter out, List<String> cells, int[] widths, boolean[] numbers) {
    StringBuilder line = new StringBuilder();
    for (int column = 0; column < cells.size(); column++) {
      String cell = cut(cells.get(column), widths[column]);
      String padding = " ".repeat(widths[column] - cell.length());
      line.append(INDENTATION);
      line.append(numbers[column] ? padding + cell : cell + padding);
    }
    out.println(line.toString().stripTrailing());
  }

  private static String cut(String cell, int width) {
    return cell.length() <= width ? cell : cell.substring(0, width - 1) + "\u2026";
  }
}
