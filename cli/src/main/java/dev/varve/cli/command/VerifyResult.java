package dev.varve.cli.command;

import dev.varve.dataset.VerifyReport;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import dev.varve.report.Table;
import java.util.List;

/**
 * What a verification found: printed as a table and the broken places, or as JSON with these names.
 *
 * @param command {@code verify}
 * @param directory where
 * @param clean whether every rule holds
 * @param seconds how long it took
 * @param indexes what was looked at, on all nodes together
 * @param nodes its nodes, those that are there but outside of the cluster too
 * @param problems what is wrong with several nodes together
 */
record VerifyResult(
    String command,
    String directory,
    boolean clean,
    double seconds,
    List<IndexSize> indexes,
    List<Node> nodes,
    List<String> problems) {
  /**
   * A node.
   *
   * @param node its number
   * @param report what was looked at, and each broken rule with its place
   */
  record Node(int node, VerifyReport report) {}

  /** Whether every rule holds on each node, and of all together. */
  static boolean clean(List<Node> nodes, List<String> problems) {
    return problems.isEmpty() && nodes.stream().allMatch(node -> node.report.clean());
  }

  void print(Console console) {
    Table table =
        new Table(
            "node",
            "datasets",
            "components",
            "records",
            "misplaced",
            "secondary entries",
            "problems");
    for (Node node : nodes) {
      VerifyReport report = node.report;
      table.row(
          Integer.toString(node.node),
          Figures.count(report.datasets()),
          Figures.count(report.components()),
          Figures.count(report.records()),
          Figures.count(report.misplaced()),
          Figures.count(report.entries()),
          Figures.count(report.problems().size()));
    }
    console.printLine((clean ? "Clean, " : "NOT CLEAN, ") + Figures.seconds(seconds));
    if (table.size() > 0) {
      table.print(console);
    }
    IndexSize.table(indexes).print(console);
    for (Node node : nodes) {
      for (String note : node.report.notes()) {
        console.printLine("node " + node.node + ": " + note);
      }
    }
  }

  /** Names the places, for people, whatever the form of the result. */
  void printProblems(Console console) {
    problems.forEach(console.err()::println);
    for (Node node : nodes) {
      for (String problem : node.report.problems()) {
        console.err().println("node " + node.node + ": " + problem);
      }
    }
  }
}
