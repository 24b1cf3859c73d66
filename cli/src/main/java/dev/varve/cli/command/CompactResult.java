package dev.varve.cli.command;

import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import java.util.ArrayList;
import java.util.List;

/**
 * What a compaction did: printed as a line and a table, or as JSON with these names.
 *
 * @param command {@code compact}
 * @param directory where
 * @param seconds how long it took
 * @param componentsBefore disk components of all indexes before
 * @param componentsAfter disk components of all indexes after
 * @param bytesBefore their bytes before
 * @param bytesAfter their bytes after
 * @param indexes the same for each index
 */
record CompactResult(
    String command,
    String directory,
    double seconds,
    long componentsBefore,
    long componentsAfter,
    long bytesBefore,
    long bytesAfter,
    List<Index> indexes) {
  /**
   * What it did to one index, on all partitions.
   *
   * @param dataset the dataset or key-value store that it is of
   * @param index {@code primary}, or the secondary's name
   * @param kind what it is
   * @param componentsBefore disk components before
   * @param componentsAfter disk components after
   * @param bytesBefore their bytes before
   * @param bytesAfter their bytes after
   */
  record Index(
      String dataset,
      String index,
      String kind,
      long componentsBefore,
      long componentsAfter,
      long bytesBefore,
      long bytesAfter) {}

  /** From what the indexes held before and after, in the same order. */
  static CompactResult of(
      String directory, double seconds, List<IndexSize> before, List<IndexSize> after) {
    List<Index> indexes = new ArrayList<>();
    for (int i = 0; i < after.size(); i++) {
      IndexSize now = after.get(i);
      IndexSize then = before.get(i);
      assert now.dataset().equals(then.dataset()) && now.index().equals(then.index())
          : now + " was " + then;
      indexes.add(
          new Index(
              now.dataset(),
              now.index(),
              now.kind(),
              then.components(),
              now.components(),
              then.bytes(),
              now.bytes()));
    }
    IndexSize all = IndexSize.sum(before);
    IndexSize left = IndexSize.sum(after);
    return new CompactResult(
        "compact",
        directory,
        seconds,
        all.components(),
        left.components(),
        all.bytes(),
        left.bytes(),
        indexes);
  }

  void print(Console console) {
    console.printLine(
        Figures.count(componentsBefore)
            + " components of "
            + Figures.bytes(bytesBefore)
            + " became "
            + Figures.count(componentsAfter)
            + " of "
            + Figures.bytes(bytesAfter)
            + " in "
            + Figures.seconds(seconds));
    Table table = new Table("dataset", "index", "kind", "components", "became", "bytes", "became");
    for (Index index : indexes) {
      table.row(
          index.dataset,
          index.index,
          index.kind,
          Figures.count(index.componentsBefore),
          Figures.count(index.componentsAfter),
          Figures.bytes(index.bytesBefore),
          Figures.bytes(index.bytesAfter));
    }
    table.print(console);
  }
}
