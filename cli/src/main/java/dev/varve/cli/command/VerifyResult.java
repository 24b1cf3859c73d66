package dev.varve.cli.command;

import dev.varve.cli.report.Console;
import dev.varve.cli.report.Figures;
import dev.varve.cli.report.Table;
import dev.varve.dataset.engine.VerifyReport;
import java.util.List;

/**
 * What a verification found: printed as a table and the broken places, or as JSON with these names.
 *
 * @param command {@code verify}
 * @param directory where
 * @param clean whether every rule holds
 * @param seconds how long it took
 * @param indexes what was looked at of the tweets, on all nodes together
 * @param nodes its nodes
 */
record VerifyResult(
    String command,
    String directory,
    boolean clean,
    double seconds,
    List<IndexSize> indexes,
    List<Node> nodes) {
  /**
   * A node.
   *
   * @param node its number
   * @param report what was looked at, and each broken rule with its place
   */
  record Node(int node, VerifyReport report) {}

  static VerifyResult of(
      String directory, double seconds, List<IndexSize> indexes, List<Node> nodes) {
    boolean clean = nodes.stream().allMatch(node -> node.report.clean());
    return new VerifyResult("verify", directory, clean, seconds, indexes, nodes);
  }

  void print(Console console) {
    Table table =
        new Table("node", "datasets", "components", "records", "secondary entries", "problems");
    for (Node node : nodes) {
      VerifyReport report = node.report;
      table.row(
          Integer.toString(node.node),
          Figures.count(report.datasets()),
          Figures.count(report.components()),
          Figures.count(report.records()),
          Figures.count(report.entries()),
          Figures.count(report.problems().size()));
    }
    console.printLine((clean ? "Clean, " : "NOT CLEAN, ") + Figures.seconds(seconds));
    table.print(console.out());
    IndexSize.table(indexes).print(console.out());
  }

  /** Names the places, for people, whatever the form of the result. */
  void printProblems(Console console) {
    for (Node node : nodes) {
      for (String problem : node.report.problems()) {
        console.err().println("node " + node.node + ": " + problem);
      }
    }
  }
}
