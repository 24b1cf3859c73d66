package dev.varve.cli.command;

import dev.varve.dataset.WaitReport;
import dev.varve.report.Console;
import dev.varve.report.Figures;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Who waits for what: printed as chains, or as JSON with these names.
 *
 * @param command {@code why}
 * @param directory where
 * @param nodes its nodes
 */
record WhyResult(String command, String directory, List<Node> nodes) {
  /**
   * A node.
   *
   * @param node its number
   * @param report who waits in it
   */
  record Node(int node, WaitReport report) {}

  void print(Console console, long nowMillis) {
    for (Node node : nodes) {
      WaitReport report = node.report;
      boolean running = report.source().equals(WaitReport.RUNNING);
      console.printLine(
          "Node " + node.node + (running ? running(report, nowMillis) : ", not running"));
      if (report.waits().isEmpty()) {
        console.printLine("  no write " + (running ? "waits" : "would wait"));
      }
      Set<Long> told = new HashSet<>();
      for (WaitReport.Wait wait : report.waits()) {
        print(console, report, wait, told);
      }
      printOthers(console, report, told);
      for (WaitReport.OpenTransaction open : report.transactions()) {
        console.printLine("  besides " + open);
      }
      for (String open : report.snapshots()) {
        console.printLine("  besides " + open);
      }
      for (String values : report.values()) {
        console.printLine("  besides large values of " + values);
      }
      for (String decision : report.tuner()) {
        console.printLine("  tuner " + decision);
      }
      for (String broken : report.broken()) {
        console.printLine("  BROKEN " + broken);
      }
    }
  }

  private static String running(WaitReport report, long nowMillis) {
    if (report.scheduler().isEmpty()) {
      return ", running, with nothing to do";
    }
    return ", running, "
        + Figures.seconds(Math.max(0, nowMillis - report.atMillis()) / 1e3)
        + " ago: scheduler "
        + report.scheduler()
        + ", gate "
        + report.gate()
        + (report.ioBytesPerSecond() == 0
            ? ", no I/O budget"
            : ", I/O budget " + Figures.bytes(report.ioBytesPerSecond()) + "/s");
  }

  private static void print(
      Console console, WaitReport report, WaitReport.Wait wait, Set<Long> told) {
    String who =
        wait.writers() == 0
            ? "a write to '" + wait.dataset() + "' would wait"
            : Figures.count(wait.writers())
                + (wait.writers() == 1 ? " writer of '" : " writers of '")
                + wait.dataset()
                + "' waiting, for "
                + Figures.seconds(wait.seconds());
    console.printLine("  " + who + ": " + wait.cause() + ", " + wait.holder());
    if (!wait.index().isEmpty()) {
      console.printLine("    in " + wait.index());
    }
    for (String occupied : wait.occupied()) {
      console.printLine("    for a transaction that has not ended, in " + occupied);
    }
    for (WaitReport.Task task : report.tasks()) {
      if (wait.tasks().contains(task.number())) {
        told.add(task.number());
        console.printLine("    for " + describe(task));
      }
    }
  }

  private static void printOthers(Console console, WaitReport report, Set<Long> told) {
    for (WaitReport.Task task : report.tasks()) {
      if (!told.contains(task.number())) {
        console.printLine("  besides " + describe(task));
      }
    }
  }

  private static String describe(WaitReport.Task task) {
    String rate =
        task.bytesPerSecond() == 0
            ? ""
            : " at "
                + Figures.bytes(task.bytesPerSecond())
                + "/s, "
                + Figures.seconds((double) task.remainingBytes() / task.bytesPerSecond());
    String state =
        switch (task.state()) {
          case "RUNNING" -> "";
          case "PAUSED" -> ", paused for others";
          case "NO_SPACE" -> ", until others have freed disk space";
          case WaitReport.DUE -> ", due when the engine is opened";
          default -> ", not begun";
        };
    return task.description()
        + (task.description().contains(task.index()) ? "" : " of " + task.index())
        + ": "
        + Figures.bytes(task.remainingBytes())
        + " of "
        + Figures.bytes(task.inputBytes())
        + " to go"
        + rate
        + state;
  }
}
